import { reasonLengthMax } from "@assay/contract/dashboard/integrity.ts";
import { Failure } from "../../failure/failure.ts";
import { msPerHour } from "../../formats/time.ts";
import { timeOfId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { findSeqRange } from "../ledger/find-seq-range.ts";
import { selectHead, selectSeqsOfPlatformCalls } from "../ledger/ledger.table.ts";
import { parseDay } from "./day-refs.ts";
import type { DayRefusal, ReverseCalls, ReverseCallsOutcome, Reversed } from "./reverse-calls.work.ts";

const workModule = new URL("./reverse-calls.work.ts", import.meta.url);
export const callsReversedAtOnceMax = 20_000;
const sessionIdPattern = /^sess_[0-9A-Za-z]{22}$/;
/** An id is made before its call is billed, and by the clock of a node. */
const billedWithinMs = msPerHour;

const refusalTexts: Record<DayRefusal | "own_account", string> = {
  own_account: "You cannot decide about your own account, or one that names the same payee.",
  running: "The day is not over yet: its calls can be reversed from 00:00 UTC of the next day on.",
  confirmed: "The day's calls are confirmed and can no longer be reversed. Book an adjustment instead.",
  nothing_left: "None of these calls can be reversed: there is none, or they are confirmed, reversed before, of a day that is not over, or paid by the developer.",
};

/** A day as YYYY-MM-DD, or a range of session ids with both ends. */
export type CallsToReverse = { day: string } | { from_session: string; to_session: string };

async function findSeqs(store: Store, accountId: string, { from_session: fromId, to_session: toId }: { from_session: string; to_session: string }): Promise<number[]> {
  if (![fromId, toId].every((id) => sessionIdPattern.test(id)) || fromId > toId) {
    throw new Failure("invalid_request", "from_session and to_session must be ids of sessions, the older one first");
  }
  const { seq: headSeq } = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
  const span = { fromMs: timeOfId(fromId) - billedWithinMs, toMs: timeOfId(toId) + billedWithinMs };
  const range = await findSeqRange(store, { accountId, headSeq }, span);
  const page = { accountId, ...range, fromId, toId, limit: callsReversedAtOnceMax + 1 };
  const seqs = (await selectSeqsOfPlatformCalls(store.db, page).execute()).map(({ seq }) => seq);
  if (seqs.length > callsReversedAtOnceMax) {
    throw new Failure("invalid_request", `The range has more than ${callsReversedAtOnceMax.toLocaleString("en-US")} calls. Reverse it in parts, or whole days.`);
  }
  return seqs;
}

/**
 * Takes back what pending calls earned, from the developer and from the platform: what is left of a day, or the calls of
 * a range of sessions, of which those that cannot be reversed are passed over.
 */
export async function reverseCalls(
  store: Store,
  order: Omit<ReverseCalls, "what"> & { calls: CallsToReverse },
): Promise<Omit<Reversed, "notes">> {
  const { accountId, actorAccountId, fourEyes, nowMs, calls } = order;
  const reason = order.reason.trim();
  if (reason === "" || reason.length > reasonLengthMax) throw new Failure("invalid_request", `The reason must have 1 to ${reasonLengthMax} characters.`);
  const day = "day" in calls ? parseDay(calls.day) : undefined;
  if ("day" in calls && day === undefined) throw new Failure("invalid_request", "day must be a day such as 2026-01-31");
  const what = "day" in calls ? { day: day! } : { seqs: await findSeqs(store, accountId, calls) };
  const outcome = await store.transact<ReverseCalls, ReverseCallsOutcome>(workModule, { accountId, reason, actorAccountId, fourEyes, nowMs, what });
  if (outcome.kind !== "reversed") throw new Failure("invalid_request", refusalTexts[outcome.kind]);
  return outcome.reversed;
}
