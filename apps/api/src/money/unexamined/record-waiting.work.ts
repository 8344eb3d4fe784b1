import { usdOf } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { WaitingReason } from "../../store/schema-integrity.ts";
import type { TransactionWork } from "../../store/store.ts";
import { type NewEvent, operators, writeEvents } from "../../webhooks/events/write-events.ts";
import { dayText } from "../days/day-refs.ts";
import { selectSettlement } from "../days/days.table.ts";
import { lockChains } from "../ledger/append-entries.ts";
import type { WaitingDetail } from "../waiting/waiting-detail.ts";
import { insertWaiting, markWaiting } from "../waiting/waiting.table.ts";

/** Clicks are named: each of them can be reversed by itself. */
export type FoundWaiting = { detail: WaitingDetail; items: number; developerMicroUsd: number; offerIds: string[] };
export type RecordWaiting = { accountId: string; day: number; found: FoundWaiting[]; nowMs: number };

/** Both databases limit the parameters of a statement. */
const rowsAtOnce = 500;

/** What waits of a day, once. It is told of when it is found, before any of it would have settled. */
export const work: TransactionWork<RecordWaiting, { recorded: number }> = async (tx, { accountId, day, found, nowMs }) => {
  const events: NewEvent[] = [];
  // Under the lock of settlement: what is settled does not begin to wait.
  await lockChains(tx, [accountId]);
  const isSettled = day < ((await tx.run(selectSettlement(tx.db, accountId)))[0]?.confirmed_to ?? 0);
  for (const { detail, items, developerMicroUsd, offerIds } of found) {
    const id = timeOrderedId("wait", nowMs);
    const reason: WaitingReason = detail.kind;
    if (isSettled && reason !== "crowded_network") continue;
    const decision = { statement: null, stated_at: null, decision: null, resolution: null, decided_by: null, decided_at: null };
    const row = { id, account_id: accountId, day, reason, items, developer_micro: developerMicroUsd, detail: JSON.stringify(detail), at: nowMs, ...decision };
    // Another node, or this one before it was interrupted.
    if ((await tx.change(insertWaiting(tx.db, row))) === 0) continue;
    for (let from = 0; from < offerIds.length; from += rowsAtOnce) await tx.change(markWaiting(tx.db, { offerIds: offerIds.slice(from, from + rowsAtOnce), waitingId: id }));
    const data = { account_id: accountId, waiting_id: id, reason, day: dayText(day), waiting_usd: usdOf(developerMicroUsd) };
    events.push({ audience: accountId, type: "earnings.waiting", data }, { audience: operators, type: "earnings.waiting", data });
  }
  await writeEvents(tx, events, nowMs);
  return { recorded: events.length / 2 };
};
