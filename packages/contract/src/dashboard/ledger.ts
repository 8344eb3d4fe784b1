/**
 * `GET /dashboard/api/ledger`: the account's entries with every field that their hashes cover. A browser
 * verifies them with ../ledger-chain.ts.
 */
import Type, { type Static } from "typebox";

/** What `limit` may say. */
export const ledgerPageMax = 1_000;
/** Entries in an answer at most, whatever `limit` says: about 120 KB. */
export const ledgerPageServed = 200;

export const LedgerQuery = Type.Object({
  after_seq: Type.Optional(Type.String({ pattern: "^\\d{1,15}$", description: "Default 0: from the first entry." })),
  before_seq: Type.Optional(Type.String({ pattern: "^\\d{1,15}$", description: "Instead of after_seq: the newest entries before this one, newest first." })),
  limit: Type.Optional(Type.String({ pattern: "^\\d{1,4}$", description: `1 to ${ledgerPageMax}. Default: ${ledgerPageServed}, which is also the most that a page has.` })),
});

export type LedgerQuery = Static<typeof LedgerQuery>;

export const entryKinds = ["call", "click", "funding", "deposit", "adjustment", "reversal", "payout", "payout_returned"] as const;

/** Exactly the stored fields: amounts in micro-USD, `at` in milliseconds since 1970. */
export const LedgerEntry = Type.Object({
  account_id: Type.String({ description: "The account." }),
  seq: Type.Integer({ description: "Number of the entry in the account's chain, from 1." }),
  at: Type.Integer({ description: "Milliseconds since 1970." }),
  kind: Type.Enum([...entryKinds], { description: "What moved the money." }),
  ref: Type.String({ description: "The session, offer, payout or correction that it belongs to." }),
  endpoint: Type.String({ description: "Endpoint that was called; of other entries, their kind." }),
  payer: Type.Enum(["platform", "developer", "advertiser"], { description: "Who pays." }),
  share_bps: Type.Integer({ description: "The developer's share in hundredths of a percent." }),
  gross_micro: Type.Integer({ description: "The amount in micro-USD." }),
  developer_micro: Type.Integer({ description: "The developer's share of it." }),
  platform_micro: Type.Integer({ description: "The platform's share of it." }),
  prev_hash: Type.String({ description: "Hash of the entry before it; zeros for the first." }),
  hash: Type.String({ description: "SHA-256 over all other fields." }),
});

export type LedgerEntry = Static<typeof LedgerEntry>;

export const LedgerReply = Type.Object({
  entries: Type.Array(LedgerEntry),
  head: Type.Object(
    { seq: Type.Integer(), hash: Type.String(), balance_micro: Type.Integer() },
    { description: "End of the chain when this was read: the last entry's hash, and the balance over all entries." },
  ),
  next_after_seq: Type.Union([Type.Integer(), Type.Null()], { description: "Null on the last page, and with before_seq." }),
  next_before_seq: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: "With before_seq: the same for the page after this one. Null on the last page." })),
});

export type LedgerReply = Static<typeof LedgerReply>;
