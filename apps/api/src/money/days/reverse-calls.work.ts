import { usdOf } from "../../formats/money.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { type NotedAction, noteActions } from "../../register/audit.table.ts";
import type { CallDayRow, CallReversalRow } from "../../store/schema-integrity.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { type ShareSums, takeCalls } from "../waiting/take-calls.ts";
import { decideWaiting, reduceWaiting, selectWaitingCallsOfDays } from "../waiting/waiting.table.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { appendEntries, type LockedHeads } from "../ledger/append-entries.ts";
import { selectPlatformCalls, sumPlatformCallsByDay } from "../ledger/ledger.table.ts";
import { dayText, partOfDayRef, wholeDayRef } from "./day-refs.ts";
import {
  changeSettledDay,
  insertCallReversals,
  insertReversedCalls,
  putCallDay,
  selectCallDays,
  selectReversedCalls,
  selectSeqsOfSessions,
  selectSettlement,
  selectSignalsOfSessions,
  sumReversalsOfDay,
} from "./days.table.ts";
import { countRepeats } from "./find-repeats.ts";
import { callsReversedMail } from "./reversal-mails.ts";

/** Both databases limit the parameters of a statement. */
const rowsAtOnce = 500;

/** `reason` is shown to both sides and kept forever. `actorAccountId` is null for the command line and for jobs. */
export type ReversalOrder = { accountId: string; reason: string; findingId: string | null; actorAccountId: string | null; nowMs: number };

export type Reversed = {
  refs: string[];
  calls: number;
  developerMicroUsd: number;
  /** Calls that were named and not reversed: settled, of a running day, reversed before, or not the platform's to pay. */
  skippedCalls: number;
  reversals: CallReversalRow[];
  /** For the audit log: to be written by the caller, as the last statement of its transaction. */
  notes: NotedAction[];
};

/** Why nothing of a day can be reversed. */
export type DayRefusal = "running" | "confirmed" | "nothing_left";

const slice = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / rowsAtOnce) }, (_, index) => items.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce));
const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

const readConfirmedTo = async (tx: Transaction, accountId: string): Promise<number> => (await tx.run(selectSettlement(tx.db, accountId)))[0]?.confirmed_to ?? 0;

/** What is left of a day that is pending and over, by share; or why nothing of it can be reversed. */
async function readRemainder(tx: Transaction, accountId: string, place: { day: number; confirmedToMs: number; nowMs: number }): Promise<ShareSums[] | DayRefusal> {
  const { day, confirmedToMs, nowMs } = place;
  if (day < confirmedToMs) return "confirmed";
  if (day + msPerDay > nowMs) return "running";
  const earned = await tx.run(sumPlatformCallsByDay(tx.db, { accountId, fromMs: day, toMs: day + msPerDay }));
  const taken = new Map((await tx.run(sumReversalsOfDay(tx.db, { accountId, day }))).map((row) => [row.share_bps, row]));
  const left = earned.map(({ share_bps, calls, gross_micro, developer_micro }) => {
    const less = taken.get(share_bps);
    return { share_bps, calls: calls - (less?.calls ?? 0), gross_micro: gross_micro - (less?.gross_micro ?? 0), developer_micro: developer_micro - (less?.developer_micro ?? 0) };
  });
  if (left.some(({ calls, gross_micro, developer_micro }) => Math.min(calls, gross_micro, developer_micro) < 0)) {
    throw new Error(`more than the calls of ${dayText(day)} of account ${accountId} is reversed`);
  }
  const some = left.filter(({ calls }) => calls > 0);
  return some.length > 0 ? some : "nothing_left";
}

/**
 * Books the reversal of a part of a day, or of what is left of it: one entry per share. Its entry ends the day: time
 * never runs backwards in a chain, so that no later call can be one of that day.
 */
async function reverseIn(tx: Transaction, heads: LockedHeads, order: ReversalOrder & { day: number; shares: readonly ShareSums[]; isWhole: boolean }) {
  const { accountId, day, shares, isWhole, reason, findingId, actorAccountId, nowMs } = order;
  const span = { accountId, fromMs: day, toMs: day + msPerDay };
  const earned = await tx.run(sumPlatformCallsByDay(tx.db, span));
  const [before] = await tx.run(selectCallDays(tx.db, span));
  const reversals = (before?.reversals ?? 0) + 1;
  const ref = isWhole ? wholeDayRef(day) : partOfDayRef(day, reversals);
  const entries = await appendEntries(
    tx,
    heads,
    shares.map(({ share_bps: shareBps, gross_micro: grossMicro, developer_micro: developerMicro }) => {
      const amounts = { grossMicroUsd: -grossMicro, developerMicroUsd: -developerMicro };
      return { accountId, atMs: nowMs, kind: "reversal" as const, ref, endpoint: "call", payer: "platform" as const, shareBps, ...amounts };
    }),
  );
  const rows = shares.map((share, index): CallReversalRow => {
    const { seq, at } = entries[index]!;
    return { account_id: accountId, ledger_seq: seq, ref, day, ...share, reason, finding_id: findingId, actor_account_id: actorAccountId, at };
  });
  await tx.change(insertCallReversals(tx.db, rows));
  const settledAt = before?.settled_at ?? null;
  const callDay: CallDayRow = {
    account_id: accountId,
    day,
    state: settledAt === null ? "pending" : "confirmed",
    calls: sumOf(earned, (row) => row.calls),
    gross_micro: sumOf(earned, (row) => row.gross_micro),
    developer_micro: sumOf(earned, (row) => row.developer_micro),
    reversed_calls: (before?.reversed_calls ?? 0) + sumOf(shares, (row) => row.calls),
    reversed_gross_micro: (before?.reversed_gross_micro ?? 0) + sumOf(shares, (row) => row.gross_micro),
    reversed_developer_micro: (before?.reversed_developer_micro ?? 0) + sumOf(shares, (row) => row.developer_micro),
    reversals,
    settled_at: settledAt,
  };
  if (callDay.reversed_calls > callDay.calls || callDay.reversed_gross_micro > callDay.gross_micro || callDay.reversed_developer_micro > callDay.developer_micro) {
    throw new Error(`more than the calls of ${dayText(day)} of account ${accountId} would be reversed`);
  }
  await tx.change(settledAt === null ? putCallDay(tx.db, callDay) : changeSettledDay(tx.db, callDay));
  return { ref, rows };
}

/** Adds up what was done, queues one mail to the account, tells its endpoints, and makes the audit note. */
async function finish(tx: Transaction, order: ReversalOrder, done: { reversals: readonly CallReversalRow[]; skippedCalls: number }): Promise<Reversed> {
  const { accountId, reason, findingId, actorAccountId, nowMs } = order;
  const reversals = [...done.reversals];
  const refs = [...new Set(reversals.map(({ ref }) => ref))];
  const calls = sumOf(reversals, (row) => row.calls);
  const developerMicroUsd = sumOf(reversals, (row) => row.developer_micro);
  const notes: NotedAction[] = [];
  if (reversals.length > 0) {
    const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
    const days = [...new Set(reversals.map(({ day }) => dayText(day)))];
    await tx.change(queueMail(tx.db, callsReversedMail({ to: account!.email, accountId }, { calls, developerMicroUsd, days, reason }), nowMs));
    const data = { account_id: accountId, refs, calls, developer_usd: usdOf(developerMicroUsd) };
    await writeEvents(tx, [{ audience: accountId, type: "calls.reversed", data }], nowMs);
    const detail = { refs, calls, developer_micro: developerMicroUsd, reason, ...(findingId !== null && { finding: findingId }) };
    notes.push({ actorAccountId, action: "calls.reverse", subject: accountId, detail, nowMs });
  }
  return { refs, calls, developerMicroUsd, skippedCalls: done.skippedCalls, reversals, notes };
}

/**
 * Reverses what is left of whole days. Days that are confirmed, still running or have nothing left are passed over. The
 * caller has locked the account's chain, and writes the notes last.
 */
export async function reverseDaysIn(tx: Transaction, heads: LockedHeads, order: ReversalOrder & { days: readonly number[] }): Promise<Reversed> {
  const confirmedToMs = await readConfirmedTo(tx, order.accountId);
  const reversals: CallReversalRow[] = [];
  for (const day of [...new Set(order.days.map(startOfDay))].toSorted((left, right) => left - right)) {
    const shares = await readRemainder(tx, order.accountId, { day, confirmedToMs, nowMs: order.nowMs });
    if (typeof shares === "string") continue;
    reversals.push(...(await reverseIn(tx, heads, { ...order, day, shares, isWhole: true })).rows);
  }
  return finish(tx, order, { reversals, skippedCalls: 0 });
}

export const reverseDayIn = (tx: Transaction, heads: LockedHeads, { day, ...order }: ReversalOrder & { day: number }): Promise<Reversed> =>
  reverseDaysIn(tx, heads, { ...order, days: [day] });

/** So many of a day's calls that wait, whether or not the rest of the day is settled. The caller has locked the account's chain. */
export async function reverseWaitingIn(tx: Transaction, heads: LockedHeads, { day, calls, ...order }: ReversalOrder & { day: number; calls: number }): Promise<Reversed> {
  const left = await readRemainder(tx, order.accountId, { day, confirmedToMs: 0, nowMs: order.nowMs });
  const shares = typeof left === "string" ? [] : takeCalls(left, calls);
  const { rows } = shares.length === 0 ? { rows: [] } : await reverseIn(tx, heads, { ...order, day, shares, isWhole: false });
  return finish(tx, order, { reversals: rows, skippedCalls: calls - sumOf(rows, (row) => row.calls) });
}

/** `callsMax`: no more of them. `isWaiting`: they wait, whether or not the rest of their day is settled. */
type EntriesOrder = ReversalOrder & { seqs: readonly number[]; callsMax?: number; isWaiting?: boolean };

/** The calls among the entries that can still be reversed by themselves. */
async function readReversibleCalls(tx: Transaction, order: EntriesOrder) {
  const { accountId, nowMs, callsMax = Number.POSITIVE_INFINITY } = order;
  const confirmedToMs = order.isWaiting ? 0 : await readConfirmedTo(tx, accountId);
  const calls = [];
  for (const seqs of slice([...new Set(order.seqs)])) {
    const found = await tx.run(selectPlatformCalls(tx.db, { accountId, seqs }));
    if (found.length === 0) continue;
    const reversed = new Set((await tx.run(selectReversedCalls(tx.db, { accountId, sessionIds: found.map(({ ref }) => ref) }))).map((row) => row.session_id));
    calls.push(...found.filter(({ ref }) => !reversed.has(ref)));
  }
  const byDay = new Map<number, typeof calls>();
  for (const [day, ofDay] of Map.groupBy(calls.slice(0, callsMax), ({ at }) => startOfDay(at))) {
    const left = await readRemainder(tx, accountId, { day, confirmedToMs, nowMs });
    if (typeof left === "string") continue;
    // Calls that left no record are reversed by number, not by name: no more than is left of each share.
    const leftOf = new Map(left.map((share) => [share.share_bps, share.calls]));
    const some = [...Map.groupBy(ofDay, ({ share_bps: shareBps }) => shareBps)].flatMap(([shareBps, same]) => same.slice(0, leftOf.get(shareBps) ?? 0));
    if (some.length > 0) byDay.set(day, some);
  }
  return byDay;
}

/** Of what waits because one session was sent again and again, these calls wait no longer, as far as they are of that session. */
async function reduceRepeated(tx: Transaction, { accountId, day, sessionIds, nowMs }: { accountId: string; day: number; sessionIds: readonly string[]; nowMs: number }): Promise<void> {
  const waiting = await tx.run(selectWaitingCallsOfDays(tx.db, { accountId, fromMs: day, toMs: day + 1 }));
  const row = waiting.find(({ reason }) => reason === "repeated_session");
  if (!row) return;
  let left = row.items;
  for (const some of slice(sessionIds)) left -= countRepeats(row.detail, await tx.run(selectSignalsOfSessions(tx.db, { accountId, sessionIds: some })));
  if (left === row.items) return;
  const items = Math.max(0, left);
  await tx.change(reduceWaiting(tx.db, { waitingId: row.id, items, developerMicroUsd: Math.floor((row.developer_micro * items) / row.items) }));
  if (items === 0) {
    await tx.change(decideWaiting(tx.db, { waitingId: row.id, decision: "reversed", resolution: "The calls were reversed.", decidedBy: null, nowMs }));
  }
}

/** As reverseDaysIn, for single calls by the numbers of their entries. */
export async function reverseEntriesIn(tx: Transaction, heads: LockedHeads, order: EntriesOrder): Promise<Reversed> {
  const { accountId, nowMs } = order;
  const byDay = await readReversibleCalls(tx, order);
  const reversals: CallReversalRow[] = [];
  for (const [day, calls] of [...byDay].toSorted(([left], [right]) => left - right)) {
    const shares = [...Map.groupBy(calls, ({ share_bps: shareBps }) => shareBps)].map(([share_bps, some]) => {
      return { share_bps, calls: some.length, gross_micro: sumOf(some, (call) => call.gross_micro), developer_micro: sumOf(some, (call) => call.developer_micro) };
    });
    const { ref, rows } = await reverseIn(tx, heads, { ...order, day, shares, isWhole: false });
    for (const some of slice(calls)) {
      await tx.change(insertReversedCalls(tx.db, some.map((call) => ({ account_id: accountId, session_id: call.ref, ref }))));
    }
    await reduceRepeated(tx, { accountId, day, sessionIds: calls.map((call) => call.ref), nowMs });
    reversals.push(...rows);
  }
  return finish(tx, order, { reversals, skippedCalls: order.seqs.length - sumOf(reversals, (row) => row.calls) });
}

/** The same for the calls of sessions. */
export async function reverseSessionsIn(tx: Transaction, heads: LockedHeads, order: ReversalOrder & { sessionIds: readonly string[] }): Promise<Reversed> {
  const { accountId } = order;
  const seqs: number[] = [];
  const sessionIds = [...new Set(order.sessionIds)];
  for (const some of slice(sessionIds)) {
    seqs.push(...(await tx.run(selectSeqsOfSessions(tx.db, { accountId, sessionIds: some }))).map(({ seq }) => seq));
  }
  const done = await reverseEntriesIn(tx, heads, { ...order, seqs });
  return { ...done, skippedCalls: sessionIds.length - done.calls };
}

/** An operator's order: what is left of one day, or the calls of these entries. */
export type ReverseCalls = Omit<ReversalOrder, "findingId"> & DecidingActor & { what: { day: number } | { seqs: number[] } };
export type ReverseCallsOutcome = { kind: "reversed"; reversed: Omit<Reversed, "notes"> } | { kind: DayRefusal | "own_account" };

export const work: TransactionWork<ReverseCalls, ReverseCallsOutcome> = async (tx, { what, ...rest }) => {
  const order: ReversalOrder = { ...rest, findingId: null };
  const heads = await lockForDecision(tx, rest, [order.accountId]);
  const own = await findOwnInterest(tx, heads, rest, order.accountId);
  if (own !== null) return { kind: own };
  if ("day" in what) {
    const confirmedToMs = await readConfirmedTo(tx, order.accountId);
    const left = await readRemainder(tx, order.accountId, { day: what.day, confirmedToMs, nowMs: order.nowMs });
    if (typeof left === "string") return { kind: left };
  }
  const { notes, ...reversed } = "day" in what ? await reverseDayIn(tx, heads, { ...order, ...what }) : await reverseEntriesIn(tx, heads, { ...order, ...what });
  if (notes.length === 0) return { kind: "nothing_left" };
  await tx.change(noteActions(tx.db, notes));
  return { kind: "reversed", reversed };
};
