import type { Authenticator } from "../../access/keys/authenticate-key.ts";
import type { KeyChangeChannel } from "../../access/keys/follow-key-changes.ts";
import type { Limiter } from "../../access/limits/limiter.ts";
import type { Balances } from "../../money/payouts/read-balance.ts";
import type { Models } from "../../scoring/models/choose-model.ts";
import type { Reports } from "../../store/reports/report-source.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { PlaygroundTickets } from "./playground-tickets.ts";

export type DeveloperContext = {
  store: Store;
  /** For what may be a few seconds old, and decides nothing. */
  reports: Reports;
  nowMs: () => number;
  limiter: Limiter;
  authenticator: Authenticator;
  /** Tells other nodes at once which cached keys to drop; undefined: they poll the store. */
  channel: KeyChangeChannel | undefined;
  models: Models;
  tickets: PlaygroundTickets;
  payer: CallPayer;
  payerExplained: string;
  retentionDays: number;
  /** Whether this installation serves this machine only. */
  isLocal: boolean;
  /** Whether a higher tier waits for an operator, is granted at once, or is granted at once to requests from this machine. */
  tierUpgrades: "review" | "instant" | "instant_on_loopback";
  payoutMinimumMicroUsd: number;
  callHoldDays: number;
  balances: Balances;
  /** The log of the ledger, with the keys that verify it; undefined where it is not published. */
  log: { readKeys(): Promise<string[]>; readWitnessKeys(): Promise<string[]> } | undefined;
  operator: { legalName: string | undefined; address: string | undefined; taxId: string | undefined };
};
