import { usdOf } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { PayoutRecord } from "../../store/schema-payouts.ts";
import type { TransactionWork } from "../../store/store.ts";
import { type NewEvent, operators, writeEvents } from "../../webhooks/events/write-events.ts";
import { lockChains } from "../ledger/append-entries.ts";
import type { Pool } from "../ledger/pools.ts";
import type { GrowthLimits } from "../growth/read-growth.ts";
import { lastPayableMonth } from "../payable-months.ts";
import type { WaitReason } from "./money-states.ts";
import { payoutEvent } from "./payout-event.ts";
import { payeeSnapshot } from "./payee-snapshot.ts";
import { insertPayouts, lockFunding, sumUnreviewed } from "./payouts.table.ts";
import { readPlatformMoneyIn } from "./platform-money.ts";
import { readMoneyOf } from "./read-account-money.ts";
import { shareOut, type Shares } from "./share-out.ts";

export type Proposal = GrowthLimits & {
  pool: Pool;
  /** In the order in which funding is shared out. */
  accountIds: string[];
  /** The oldest month that earlier batches of this run could not cover. */
  uncoveredMonth: string | null;
  minimumMicroUsd: number;
  actorAccountId: string | null;
  nowMs: number;
};

/** What waits for one reason: an account may have two, one of them its growth, and a payout beside it. */
export type NotProposed = { accountId: string; email: string; amountMicroUsd: number; reason: WaitReason };
export type ProposalOutcome = { proposed: PayoutRecord[]; waiting: NotProposed[]; uncoveredMonth: string | null };

/** To each account its payout, and to the operators how much waits for their approval. */
function eventsOf(proposed: readonly PayoutRecord[], pool: Pool): NewEvent[] {
  const amountMicroUsd = proposed.reduce((sum, payout) => sum + payout.amount_micro, 0);
  const waiting: NewEvent = { audience: operators, type: "payout.waiting", data: { payouts: proposed.length, amount_usd: usdOf(amountMicroUsd) } };
  return [...proposed.map((payout) => payoutEvent("proposed", payout)), ...(pool.demo || proposed.length === 0 ? [] : [waiting])];
}

/**
 * Decides and proposes for one batch of accounts. The lock on funding makes this the only transaction that promises
 * money; the sums over all accounts are read before the batch's chains are locked, so that calls wait for a few reads of
 * these accounts only. Lock order: funding, chains in id order, payouts, the ends of events.
 */
export const work: TransactionWork<Proposal, ProposalOutcome> = async (tx, proposal) => {
  const { pool, accountIds, actorAccountId, nowMs } = proposal;
  await tx.run(lockFunding(tx.db));
  const { availableMicroUsd } = await readPlatformMoneyIn(tx, pool);
  const month = lastPayableMonth(nowMs).name;
  const promised = (await tx.run(sumUnreviewed(tx.db, { month, pool })))[0]!;
  let shares: Shares = {
    funding: { leftMicroUsd: availableMicroUsd, uncoveredMonth: proposal.uncoveredMonth },
    unreviewedMicroUsd: Math.max(0, (proposal.unreviewedTotalMonthlyMicroUsd ?? Number.POSITIVE_INFINITY) - promised.unreviewed_micro),
  };
  await lockChains(tx, accountIds);
  const moneyOf = new Map((await readMoneyOf(tx, proposal)).map((money) => [money.accountId, money]));
  const rows: (PayoutRecord & { payee: string; unreviewed_micro: number })[] = [];
  const waiting: NotProposed[] = [];
  for (const accountId of accountIds) {
    const money = moneyOf.get(accountId);
    // An account has one open payout at a time. One that became a demo account meanwhile is not paid with real money.
    if (!money || money.isDemo !== pool.demo || money.sums.inPayoutMicroUsd > 0) continue;
    const { states, unreviewedMicroUsd, left } = shareOut(shares, money);
    shares = left;
    for (const { reason, microUsd } of states.waiting) {
      if (reason !== "not_yet_due") waiting.push({ accountId, email: money.email, amountMicroUsd: microUsd, reason });
    }
    if (states.payableMicroUsd === 0) continue;
    rows.push({
      id: timeOrderedId("po", nowMs),
      account_id: accountId,
      month,
      amount_micro: states.payableMicroUsd,
      status: "proposed",
      proposed_at: nowMs,
      approved_at: null,
      exported_at: null,
      paid_at: null,
      returned_at: null,
      note: null,
      payout_seq: null,
      returned_seq: null,
      cancelled_at: null,
      proposed_by: actorAccountId,
      approved_by: null,
      export_id: null,
      payee: payeeSnapshot(money.payee!),
      unreviewed_micro: unreviewedMicroUsd,
    });
  }
  const inserted = new Set(rows.length === 0 ? [] : (await tx.run(insertPayouts(tx.db, rows))).map(({ id }) => id));
  const proposed = rows.filter(({ id }) => inserted.has(id)).map(({ payee: _payee, unreviewed_micro: _unreviewed, ...row }) => row);
  await writeEvents(tx, eventsOf(proposed, pool), nowMs);
  const notes = proposed.map(({ id, account_id: accountId, amount_micro: amountMicro }) => {
    return { actorAccountId, action: "payout.propose", subject: id, accountId, detail: { month, amount_micro: amountMicro }, nowMs };
  });
  if (notes.length > 0) await tx.change(noteActions(tx.db, notes));
  return { proposed, waiting, uncoveredMonth: shares.funding.uncoveredMonth };
};
