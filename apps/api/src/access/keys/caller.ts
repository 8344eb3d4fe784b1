import type { Mode } from "../../store/schema.ts";
import type { TestScenario } from "@assay/contract/scoring.ts";
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers -- brings in what is augmented below
import type {} from "fastify";

export type CallerQuota = { perHour: number; perMinute: number };

/** Who calls, as far as a call needs to know. */
export type Caller = {
  keyId: string;
  accountId: string;
  mode: Mode;
  /** One object per distinct quota, so that what is derived from it can be kept beside it. */
  quota: CallerQuota;
  /** Whose windows are used up: the account's, or its test keys'. */
  limitSubject: string;
  shareBps: number;
  /** Whether house ads may fill for this account. */
  houseAds: boolean;
  expiresAtMs: number | undefined;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set on keyed routes before their handler runs. */
    caller: Caller;
    /** What a test key asked for with `Assay-Test-Scenario`. */
    testScenario: TestScenario | undefined;
    /** What the answer says went wrong; undefined for a success. */
    failure: { code: string; message: string } | undefined;
    /** On the monotonic clock. */
    arrivedMs: number;
  }
}
