import type { KeyChangeChannel } from "../../access/keys/follow-key-changes.ts";
import type { Store } from "../../store/store.ts";

/** What the operator's routes work with. */
export type OperatorContext = {
  store: Store;
  nowMs: () => number;
  channel: KeyChangeChannel | undefined;
  /** This node forgets at once what the others hear of within a second. */
  forget: (subject: string) => void;
  payoutMinimumMicroUsd: number;
  system: {
    version: string;
    modelVersion: string;
    startedMs: number;
    limiterMode: () => string;
    commitQueueDepth: () => number;
    mailTransport: string;
  };
};
