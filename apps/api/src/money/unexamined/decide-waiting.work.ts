import { usdOf } from "../../formats/money.ts";
import { noteAction, noteActions } from "../../register/audit.table.ts";
import type { WaitingEarningRow } from "../../store/schema-integrity.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { dayText } from "../days/day-refs.ts";
import { type Reversed, reverseEntriesIn, reverseWaitingIn } from "../days/reverse-calls.work.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import type { LockedHeads } from "../ledger/append-entries.ts";
import { decideWaiting, selectWaiting, selectWaitingClicks, unmarkWaiting } from "../waiting/waiting.table.ts";

export type WaitingDecision = DecidingActor & { waitingId: string; decision: "settled" | "reversed"; reason: string; nowMs: number };
/** `seqs`: the calls that are to be reversed by name. More than one transaction takes come in parts, the last of which decides. */
export type WaitingPart = WaitingDecision & { seqs: number[]; isLastPart: boolean };
export type WaitingOutcome = { kind: "decided" | "part_reversed"; accountId: string } | { kind: "unknown" | "already_decided" | "own_account" | "clicks_left" };

const eventOf = (row: WaitingEarningRow, settledMicroUsd: number) =>
  ({
    audience: row.account_id,
    type: "earnings.settled",
    data: { account_id: row.account_id, waiting_id: row.id, reason: row.reason, day: dayText(row.day), settled_usd: usdOf(settledMicroUsd) },
  }) as const;

/** By name, where it is known which calls wait: nothing that names them later takes others in their place. */
function reverseNamedIn(tx: Transaction, heads: LockedHeads, row: WaitingEarningRow, order: WaitingPart): Promise<Reversed> {
  const { seqs, reason, actorAccountId, nowMs } = order;
  return reverseEntriesIn(tx, heads, { accountId: row.account_id, seqs, callsMax: row.items, isWaiting: true, reason, findingId: null, actorAccountId, nowMs });
}

/** The rest left no record: by number. */
async function reverseAllIn(tx: Transaction, heads: LockedHeads, row: WaitingEarningRow, order: WaitingPart): Promise<Reversed[]> {
  const { reason, actorAccountId, nowMs } = order;
  const named = await reverseNamedIn(tx, heads, row, order);
  const calls = row.items - named.calls;
  if (calls === 0) return [named];
  return [named, await reverseWaitingIn(tx, heads, { accountId: row.account_id, day: row.day, calls, reason, findingId: null, actorAccountId, nowMs })];
}

/** What was settled counts like the rest of its day from now on; what is reversed is booked. Payouts are decided under the same lock. */
export const work: TransactionWork<WaitingPart, WaitingOutcome> = async (tx, order) => {
  const { waitingId, decision, reason, actorAccountId, nowMs } = order;
  const [found] = await tx.run(selectWaiting(tx.db, waitingId));
  if (!found) return { kind: "unknown" };
  const heads = await lockForDecision(tx, order, [found.account_id]);
  // Read again under the lock: a settlement may have reduced it meanwhile, or another operator decided.
  const [row] = await tx.run(selectWaiting(tx.db, waitingId));
  if (row!.decision !== null) return { kind: "already_decided" };
  const accountId = row!.account_id;
  const own = await findOwnInterest(tx, heads, order, accountId);
  if (own !== null) return { kind: own };
  const isAboutClicks = row!.reason === "crowded_network";
  const clicks = isAboutClicks ? await tx.run(selectWaitingClicks(tx.db, waitingId)) : [];
  if (decision === "reversed" && clicks.length > 0) return { kind: "clicks_left" };
  if (!order.isLastPart) {
    const { calls, notes } = await reverseNamedIn(tx, heads, row!, order);
    if (calls > 0) {
      await tx.change(noteActions(tx.db, notes));
      return { kind: "part_reversed", accountId };
    }
  }
  const change = { waitingId, decision, resolution: reason, decidedBy: actorAccountId, nowMs };
  if ((await tx.change(decideWaiting(tx.db, change))) === 0) return { kind: "already_decided" };
  const settledMicroUsd = isAboutClicks ? clicks.reduce((sum, click) => sum + click.developer_micro, 0) : row!.developer_micro;
  const note = { actorAccountId, action: `waiting.${decision}`, subject: waitingId, accountId, detail: { reason, developer_micro: row!.developer_micro }, nowMs };
  if (decision === "settled") {
    if (isAboutClicks) await tx.change(unmarkWaiting(tx.db, waitingId));
    await writeEvents(tx, [eventOf(row!, settledMicroUsd)], nowMs);
    await tx.change(noteAction(tx.db, note));
    return { kind: "decided", accountId };
  }
  const reversed = isAboutClicks ? [] : await reverseAllIn(tx, heads, row!, order);
  await tx.change(noteActions(tx.db, [...reversed.flatMap(({ notes }) => notes), note]));
  return { kind: "decided", accountId };
};
