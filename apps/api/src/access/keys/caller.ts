import type { TestScenario } from "@assay/contract/scoring.ts";
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers -- brings in what is augmented below
import type {} from "fastify";
import type { Mode } from "../../store/schema.ts";
import type { Quota } from "../limits/limiter.ts";
import type { OwnCalibration } from "./own-calibration.ts";

/** The key and account of a call. */
export type Caller = {
  keyId: string;
  accountId: string;
  mode: Mode;
  /** One object per distinct quota, so that values derived from it can be cached by identity. */
  quota: Quota;
  /** The subject whose windows the call uses: the account, or all its test keys together. */
  limitSubject: string;
  shareBps: number;
  /** Whether house ads may fill for this account. */
  houseAds: boolean;
  /** The model that the account has pinned; null for none. `scoring/models/choose-model.ts` decides what scores. */
  pinnedModel: string | null;
  accountCreatedMs: number;
  /** The calibration that the account has switched on; null for none. */
  calibration: OwnCalibration | null;
  expiresAtMs: number | undefined;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set on keyed routes before their handler runs. */
    caller: Caller;
    /** From the `Assay-Test-Scenario` header of a test key. */
    testScenario: TestScenario | undefined;
    /** The failure in the answer; undefined for a success. */
    failure: { code: string; message: string } | undefined;
    /** Monotonic clock. */
    arrivedMs: number;
  }
}
