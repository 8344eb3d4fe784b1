import type { KeyChangeChannel } from "../../access/keys/follow-key-changes.ts";
import type { GrowthLimits } from "../../money/growth/read-growth.ts";
import type { Models } from "../../scoring/models/choose-model.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";

export type OperatorContext = {
  store: Store;
  nowMs: () => number;
  models: Models;
  channel: KeyChangeChannel | undefined;
  /** Drops this node's cached keys at once; the other nodes follow within a second. */
  forget: (subject: string) => void;
  /** Queued mail is sent soon. */
  wakeMailer: () => void;
  payoutMinimumMicroUsd: number;
  growthLimits: GrowthLimits;
  callHoldDays: number;
  callPayer: CallPayer;
  /** Whether nobody may change money of its own account. */
  payoutFourEyes: boolean;
  system: {
    version: string;
    modelVersion: string;
    startedMs: number;
    limiterMode: () => string;
    commitQueueDepth: () => number;
    mailTransport: string;
  };
};
