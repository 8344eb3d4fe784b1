import assert from "node:assert/strict";
import { verifyLedger } from "../../../src/money/ledger/verify-ledger.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Attempt, type CallRecord, isAnswered, isCut, isReport } from "./call-book.ts";

const problemsShownMax = 10;

type Entry = { account_id: string; seq: number; hash: string; ref: string; serial: number | null };

export type Audit = {
  entries: number;
  answered: number;
  /** Billed calls without an answer, by round. */
  unansweredByRound: Map<number, number>;
  unanswered: number;
};

/** The entries of calls, each with the call's serial from the session record that was written with it. */
function readEntries(store: Store): Promise<Entry[]> {
  return store.db
    .selectFrom("ledger_entries as e")
    .leftJoin("session_records as s", (join) => join.onRef("s.account_id", "=", "e.account_id").onRef("s.id", "=", "e.ref"))
    .select(["e.account_id", "e.seq", "e.hash", "e.ref", "s.interaction_count as serial"])
    .where("e.kind", "=", "call")
    .execute();
}

/**
 * Maps an entry to the call that it bills. A report has no session record: it is identified by the answer with its
 * receipt or, if there was no answer, as a report of that account that was cut.
 */
function createAttribution(records: readonly CallRecord[]): (entry: Entry) => CallRecord | undefined {
  const bySerial = new Map(records.map((record) => [record.serial, record]));
  const reports = records.filter(isReport);
  const receiptsOf = (record: CallRecord) => record.attempts.flatMap((each) => (each.kind === "answered" && each.receipt !== undefined ? [each.receipt] : []));
  const byReceipt = new Map(reports.flatMap((record) => receiptsOf(record).map((receipt) => [`${record.account.accountId} ${receipt}`, record])));
  const unseen = new Set(reports.filter((record) => isCut(record) && !isAnswered(record, 200)));
  return (entry) => {
    if (entry.serial !== null) return bySerial.get(entry.serial);
    const known = byReceipt.get(`${entry.account_id} ${entry.seq}.${entry.hash}`);
    const taken = known ?? [...unseen].find((record) => record.account.accountId === entry.account_id);
    if (taken && !known) unseen.delete(taken);
    return taken;
  };
}

type Answered = Attempt & { kind: "answered" };

function findProblem(record: CallRecord, billed: readonly Entry[]): string | undefined {
  const answers = record.attempts.filter((each): each is Answered => each.kind === "answered" && each.status === 200);
  if (billed.length > 1) return `was billed ${billed.length} times`;
  const [entry] = billed;
  if (record.attempts.some((each) => each.kind === "hung")) return "hung";
  if (answers.length === 0) return entry && !isCut(record) ? "was billed although its answer said that it was not" : undefined;
  if (!entry) return "got a 200 but was not billed";
  if (entry.account_id !== record.account.accountId) return "was billed to another account";
  if (answers.some((each) => each.receipt !== `${entry.seq}.${entry.hash}`)) return "got a receipt of another entry";
  if (answers.some((each) => each.sessionId !== entry.ref)) return "got the answer of another session";
  if (answers.some((each) => each.text !== answers[0]!.text)) return "got two different answers";
  const first = record.attempts.indexOf(answers[0]!);
  const wasBilledBefore = answers[0]!.replayed;
  if (wasBilledBefore && !record.attempts.slice(0, first).some((each) => each.kind === "cut")) {
    return "was billed by an attempt whose answer said that it was not";
  }
  return undefined;
}

/**
 * Compares every call with the ledger. A 200 has exactly one entry, with its receipt and session; any other answer has
 * none; only a call without an answer may have either. The ledger contains nothing else, and its chains, balances and
 * rollups are valid.
 */
export async function auditCalls(store: Store, records: readonly CallRecord[]): Promise<Audit> {
  const entries = await readEntries(store);
  const attribute = createAttribution(records);
  const billedOf = new Map<number, Entry[]>(records.map((record) => [record.serial, []]));
  const problems: string[] = [];
  for (const entry of entries) {
    const record = attribute(entry);
    if (record) billedOf.get(record.serial)!.push(entry);
    else problems.push(`entry ${entry.account_id} ${entry.seq} bills a call that was not made`);
  }
  const unansweredByRound = new Map<number, number>();
  let unanswered = 0;
  for (const record of records) {
    const billed = billedOf.get(record.serial)!;
    const problem = findProblem(record, billed);
    if (problem) problems.push(`call ${record.serial} of round ${record.round} ${problem}: ${JSON.stringify(record.attempts)}`);
    if (billed.length === 0 || isAnswered(record, 200)) continue;
    unanswered += 1;
    unansweredByRound.set(record.round, (unansweredByRound.get(record.round) ?? 0) + 1);
  }
  const report = await verifyLedger(store);
  problems.push(...report.breaks.map((each) => `ledger break: ${JSON.stringify(each)}`));
  const { count } = await store.db.selectFrom("ledger_entries").select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  if (report.entries !== count) problems.push(`${report.entries} of ${count} entries are in a chain`);
  const shown = problems.slice(0, problemsShownMax).join("\n");
  assert.equal(problems.length, 0, `${problems.length} problems:\n${shown}`);
  const answered = records.filter((record) => isAnswered(record, 200)).length;
  return { entries: entries.length, answered, unansweredByRound, unanswered };
}
