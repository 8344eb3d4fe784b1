/** What a browser needs to check an account's ledger against the log: it verifies all of it itself. */
import Type, { type Static } from "typebox";

const number = (description: string) => Type.String({ pattern: "^[1-9]\\d{0,14}$", description });

/** `GET /dashboard/api/ledger/log`. */
export const LedgerLogReply = Type.Object({
  is_published: Type.Boolean({ description: "Whether this installation publishes its log." }),
  newest_seq: Type.Union([Type.Integer(), Type.Null()], { description: "The account's newest entry in the log; null if it has none." }),
  log_keys: Type.Array(Type.String(), { description: "The keys that sign the log, the newest first." }),
  witness_keys: Type.Array(Type.String(), { description: "The keys of the witnesses that the operator names." }),
});

export type LedgerLogReply = Static<typeof LedgerLogReply>;

export const LedgerProofQuery = Type.Object({ seq: number("Number of the entry.") });

/** `GET /dashboard/api/ledger/proof`. */
export const LedgerProofReply = Type.Object({ proof: Type.String({ description: "C2SP tlog-proof." }) });

export type LedgerProofReply = Static<typeof LedgerProofReply>;

export const LedgerConsistencyQuery = Type.Object({ from: number("The smaller size."), to: number("The larger size.") });

/** `GET /dashboard/api/ledger/consistency`. */
export const LedgerConsistencyReply = Type.Object({ path: Type.Array(Type.String(), { description: "Hashes in base64." }) });

export type LedgerConsistencyReply = Static<typeof LedgerConsistencyReply>;
