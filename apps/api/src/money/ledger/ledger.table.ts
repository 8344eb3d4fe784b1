import { genesisHash } from "@assay/contract/ledger-chain.ts";
import { sql } from "kysely";
import { msPerDay } from "../../formats/time.ts";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db, LedgerEntryRow, LedgerHeadRow } from "../../store/schema.ts";
import { entryColumns, headColumns } from "./chain-entry.ts";

export function openChain(db: Db, account: { accountId: string; nowMs: number }) {
  return db.insertInto("ledger_heads").values({
    account_id: account.accountId,
    seq: 0,
    hash: genesisHash,
    at: account.nowMs,
    balance_micro: 0,
    spendable_micro: 0,
    spendable_seq: 0,
    share_confirmed_seq: 0,
  });
}

export function selectHead(db: Db, accountId: string) {
  return db.selectFrom("ledger_heads").select(headColumns).where("account_id", "=", accountId);
}

/** Only what every version's table has. */
export function selectBalance(db: Db, accountId: string) {
  return db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId);
}

/** Each with the highest seq among its entries, read in the same statement. */
export function selectHeads(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads as h")
    .select((eb) => [
      "h.account_id",
      "h.seq",
      "h.hash",
      "h.at",
      "h.balance_micro",
      "h.spendable_micro",
      "h.spendable_seq",
      "h.share_confirmed_seq",
      eb
        .selectFrom("ledger_entries as e")
        .select((entries) => entries.fn.max("e.seq").as("seq"))
        .whereRef("e.account_id", "=", "h.account_id")
        .as("last_entry_seq"),
    ])
    .where("h.account_id", ">", page.afterId)
    .orderBy("h.account_id")
    .limit(page.limit);
}

export function selectEntries(db: Db, page: { accountId: string; afterSeq: number; limit: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(entryColumns)
    .where("account_id", "=", page.accountId)
    .where("seq", ">", page.afterSeq)
    .orderBy("seq")
    .limit(page.limit);
}

/** The next account with entries, whether or not it has a head. */
export function selectNextAccountWithEntries(db: Db, afterId: string) {
  return db
    .selectFrom("ledger_entries")
    .select((eb) => eb.fn.min("account_id").as("account_id"))
    .where("account_id", ">", afterId);
}

export function selectRollupsOfAccount(db: Db, accountId: string) {
  return db
    .selectFrom("usage_rollups")
    .select(["hour", "endpoint", "payer", "share_bps", "calls", "gross_micro", "developer_micro", "platform_micro"])
    .where("account_id", "=", accountId);
}

const summed = [
  sql<number>`sum(calls)`.as("calls"),
  sql<number>`sum(gross_micro)`.as("gross_micro"),
  sql<number>`sum(developer_micro)`.as("developer_micro"),
  sql<number>`sum(platform_micro)`.as("platform_micro"),
] as const;

/** Calls in a span of hours by endpoint, payer and rate; `toMs` is excluded. */
export function sumCallsByRate(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("usage_rollups")
    .select(["endpoint", "payer", "share_bps", ...summed])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy(["endpoint", "payer", "share_bps"])
    .orderBy("endpoint")
    .orderBy("share_bps");
}

/** The same by time: one row per `bucketMs` with calls and endpoint. */
export function sumCallsByTime(db: Db, span: { accountId: string; fromMs: number; toMs: number; bucketMs: number }) {
  const start = sql<number>`hour - hour % ${sql.lit(span.bucketMs)}`;
  return db
    .selectFrom("usage_rollups")
    .select([start.as("start"), "endpoint", ...summed])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy([start, "endpoint"])
    .orderBy(start)
    .orderBy("endpoint");
}

/** The accounts with the most calls in a span of hours; `toMs` is excluded. */
export function selectBusiestAccounts(db: Db, span: { fromMs: number; toMs: number; limit: number }) {
  return db
    .selectFrom("usage_rollups")
    .select(["account_id", sql<number>`sum(calls)`.as("calls")])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy("account_id")
    .orderBy("calls", "desc")
    .orderBy("account_id")
    .limit(span.limit);
}

/** A session token can only be sent to these. */
const attestableEndpoints = ["predict", "score", "analyze"] as const;

/** Calls of an account in a span of hours that can be attested, and how many of them are; `toMs` is excluded. */
export function sumAttestedCalls(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("usage_rollups")
    .select([sql<number>`coalesce(sum(calls), 0)`.as("calls"), sql<number>`coalesce(sum(attested_calls), 0)`.as("attested")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .where("endpoint", "in", attestableEndpoints);
}

/** In id order, as every transaction locks them. */
export function lockHeads(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom("ledger_heads")
    .select(headColumns)
    .where("account_id", "in", accountIds)
    .orderBy("account_id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function insertEntries(db: Db, entries: readonly LedgerEntryRow[]) {
  return db.insertInto("ledger_entries").values(entries);
}

export function moveHead(db: Db, head: LedgerHeadRow) {
  const { account_id, ...place } = head;
  return db.updateTable("ledger_heads").set(place).where("account_id", "=", account_id);
}

/** What calls charged since an entry took from prepaid money. */
export function sumDeveloperCallsSince(db: Db, place: { accountId: string; afterSeq: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(sql<number>`coalesce(sum(gross_micro), 0)`.as("gross_micro"))
    .where("account_id", "=", place.accountId)
    .where("seq", ">", place.afterSeq)
    .where("kind", "=", "call")
    .where("payer", "=", "developer");
}

export function selectNewestEntries(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(["seq", "at", "ref", "gross_micro", "hash"])
    .where("account_id", "=", page.accountId)
    .orderBy("seq", "desc")
    .limit(page.limit);
}

/** The stored answer of a key, with the entry of its call. */
export function selectAnswer(db: Db, place: { keyHash: string; fromMs: number }) {
  return db
    .selectFrom("idempotency_answers as a")
    .leftJoin("ledger_entries as e", (join) => join.onRef("e.account_id", "=", "a.account_id").onRef("e.seq", "=", "a.ledger_seq"))
    .select(["a.endpoint", "a.input", "a.body", "e.seq", "e.hash"])
    .where("a.key_hash", "=", place.keyHash)
    .where("a.at", ">=", place.fromMs);
}

export function deleteAnswersBefore(db: Db, old: { atMs: number; limit: number }) {
  return db
    .deleteFrom("idempotency_answers")
    .where("key_hash", "in", (eb) =>
      eb.selectFrom("idempotency_answers").select("key_hash").where("at", "<", old.atMs).orderBy("at").limit(old.limit),
    );
}

/** Sessions that were used before a time. A session begins before it is used, so those that began later are not looked at. */
export function deleteAttestedSessionsBefore(db: Db, old: { id: string; atMs: number; limit: number }) {
  return db
    .deleteFrom("attested_sessions")
    .where("id", "in", (eb) =>
      eb.selectFrom("attested_sessions").select("id").where("id", "<", old.id).where("at", "<", old.atMs).orderBy("id").limit(old.limit),
    );
}

/** Accounts with entries since a time: one narrow row each, however much they call. */
export function selectActiveAccounts(db: Db, page: { sinceMs: number; afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads")
    .select("account_id")
    .where("account_id", ">", page.afterId)
    .where("at", ">=", page.sinceMs)
    .where("seq", ">", 0)
    .orderBy("account_id")
    .limit(page.limit);
}

/** Calls that the platform pays, by UTC day and rate, in order of days; `toMs` is excluded. */
export function sumPlatformCallsByDay(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  const day = sql<number>`hour - hour % ${sql.lit(msPerDay)}`;
  return db
    .selectFrom("usage_rollups")
    .select([day.as("day"), "share_bps", ...summed])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .where("payer", "=", "platform")
    .groupBy([day, "share_bps"])
    .orderBy(day)
    .orderBy("share_bps");
}

const callColumns = ["seq", "at", "ref", "share_bps", "gross_micro", "developer_micro"] as const;

/** Those of the entries that are calls which the platform pays, in order. */
export function selectPlatformCalls(db: Db, some: { accountId: string; seqs: readonly number[] }) {
  return db
    .selectFrom("ledger_entries")
    .select(callColumns)
    .where("account_id", "=", some.accountId)
    .where("seq", "in", some.seqs)
    .where("kind", "=", "call")
    .where("payer", "=", "platform")
    .orderBy("seq");
}

/** Calls that the platform pays in a range of entries, of sessions in a range of ids; both ends of both are included. */
export function selectSeqsOfPlatformCalls(db: Db, range: { accountId: string; fromSeq: number; toSeq: number; fromId: string; toId: string; limit: number }) {
  // Ids sort by time as bytes; PostgreSQL compares this column in the order of the database's language.
  const ref = locksRows(db) ? sql<string>`ref collate "C"` : sql<string>`ref`;
  return db
    .selectFrom("ledger_entries")
    .select("seq")
    .where("account_id", "=", range.accountId)
    .where("seq", ">=", range.fromSeq)
    .where("seq", "<=", range.toSeq)
    .where("kind", "=", "call")
    .where("payer", "=", "platform")
    .where(ref, ">=", range.fromId)
    .where(ref, "<=", range.toId)
    .orderBy("seq")
    .limit(range.limit);
}
