import { msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import type { WaitingDetail } from "../waiting/waiting-detail.ts";
import { selectWaiting } from "../waiting/waiting.table.ts";
import { type selectSignalsOfSessions, selectSeqsOfVector } from "./days.table.ts";

type SignalsRow = Awaited<ReturnType<ReturnType<typeof selectSignalsOfSessions>["execute"]>>[number];

const repeatsOf = (detail: string) => {
  const parsed = JSON.parse(detail) as WaitingDetail;
  return parsed.kind === "repeated_session" ? parsed : undefined;
};

/** How many of these sessions are, in every signal, one of those that were sent again and again. */
export function countRepeats(detail: string, rows: readonly SignalsRow[]): number {
  const vectors = repeatsOf(detail)?.sessions.map(({ vector }) => vector) ?? [];
  return rows.filter((row) => {
    const sent = [row.user_engagement, row.session_duration, row.scroll_depth, row.interaction_count, row.page_views, row.return_visitor];
    return (row.attested ?? 0) === 0 && vectors.some((vector) => vector.every((value, index) => value === sent[index]));
  }).length;
}

/**
 * The calls that wait because one session was sent again and again, as far as they left a record: of each such session all but
 * the first, which settle by themselves. None for what waits for another reason.
 */
export async function findRepeatedCalls(store: Store, waitingId: string, limit: number): Promise<number[]> {
  const row = await selectWaiting(store.db, waitingId).executeTakeFirst();
  const repeats = row && repeatsOf(row.detail);
  if (!repeats) return [];
  const calls: number[] = [];
  const callsMax = Math.min(limit, row.items);
  for (const { vector } of repeats.sessions) {
    if (calls.length >= callsMax) break;
    const of = { accountId: row.account_id, fromId: lowestIdAt("sess", row.day), toId: lowestIdAt("sess", row.day + msPerDay), vector };
    const seqs = await selectSeqsOfVector(store.db, { ...of, limit: repeats.settled + callsMax - calls.length }).execute();
    calls.push(...seqs.slice(repeats.settled).map(({ seq }) => seq));
  }
  return calls;
}
