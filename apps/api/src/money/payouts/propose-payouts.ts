import type { PayoutRecord } from "../../store/schema-payouts.ts";
import { readerOf, type Store } from "../../store/store.ts";
import type { GrowthLimits } from "../growth/read-growth.ts";
import { demoMoney, type Pool, realMoney } from "../ledger/pools.ts";
import { lastPayableMonth, type Month } from "../payable-months.ts";
import { findMoneyStates, type MoneyStates, type WaitReason } from "./money-states.ts";
import { selectPayoutCandidates, sumUnreviewed } from "./payouts.table.ts";
import { readPlatformMoney } from "./platform-money.ts";
import type { NotProposed, Proposal, ProposalOutcome } from "./propose-payouts.work.ts";
import { requireMarks } from "./require-marks.ts";
import { type AccountMoney, describeMoneyRows } from "./read-account-money.ts";
import { shareOut, type Shares } from "./share-out.ts";

const workModule = new URL("./propose-payouts.work.ts", import.meta.url);
const accountsPerPage = 500;
/** Calls of these accounts wait while they are decided together. */
const accountsPerProposal = 50;

/** `beyondTotalMicroUsd`: what waits because all never reviewed accounts together have reached their bound. */
export type Candidate = { accountId: string; email: string; states: MoneyStates; money: AccountMoney; beyondTotalMicroUsd: number };
export type PayoutSettings = GrowthLimits & { nowMs: number; minimumMicroUsd: number };

/** The reason why money that is due waits; undefined if nothing does. */
export const dueReasonOf = (states: MoneyStates): WaitReason | undefined => states.waiting.find(({ reason }) => reason !== "not_yet_due")?.reason;

/** Accounts with the oldest unpaid month first. */
const byOldestMonth = (left: AccountMoney, right: AccountMoney): number =>
  left.oldestMonth === right.oldestMonth ? (left.accountId < right.accountId ? -1 : 1) : left.oldestMonth < right.oldestMonth ? -1 : 1;

async function readCandidates(store: Store, settings: PayoutSettings, pool: Pool): Promise<AccountMoney[]> {
  const reader = readerOf(store);
  const monthEndMs = lastPayableMonth(settings.nowMs).endMs;
  const found: AccountMoney[] = [];
  for (let afterId = ""; ; ) {
    const rows = await reader.run(selectPayoutCandidates(store.db, { ...pool, afterId, limit: accountsPerPage, monthEndMs }));
    found.push(...(await describeMoneyRows(reader, rows, settings)));
    if (rows.length < accountsPerPage) return found.toSorted(byOldestMonth);
    afterId = rows.at(-1)!.id;
  }
}

/** Every account of the pool with a balance and the states of its money, in the order in which funding is shared out. A proposal decides anew. */
export async function listCandidates(store: Store, settings: PayoutSettings, pool: Pool = realMoney): Promise<{ month: Month; candidates: Candidate[] }> {
  const [{ availableMicroUsd }, promised] = await Promise.all([
    readPlatformMoney(store, pool),
    sumUnreviewed(store.db, { month: lastPayableMonth(settings.nowMs).name, pool }).executeTakeFirstOrThrow(),
  ]);
  let shares: Shares = {
    funding: { leftMicroUsd: availableMicroUsd, uncoveredMonth: null },
    unreviewedMicroUsd: Math.max(0, (settings.unreviewedTotalMonthlyMicroUsd ?? Number.POSITIVE_INFINITY) - promised.unreviewed_micro),
  };
  const candidates: Candidate[] = [];
  for (const money of await readCandidates(store, settings, pool)) {
    const { states, beyondTotalMicroUsd, left } = shareOut(shares, money);
    shares = left;
    candidates.push({ accountId: money.accountId, email: money.email, states, money, beyondTotalMicroUsd });
  }
  return { month: lastPayableMonth(settings.nowMs), candidates };
}

type ProposalSettings = PayoutSettings & { actorAccountId: string | null };

async function proposeIn(store: Store, settings: ProposalSettings, pool: Pool): Promise<{ proposed: PayoutRecord[]; waiting: NotProposed[] }> {
  const isSomethingDue = ({ sums, facts }: AccountMoney): boolean => {
    const states = findMoneyStates(sums, facts);
    return states.payableMicroUsd > 0 || dueReasonOf(states) !== undefined;
  };
  const accountIds = (await readCandidates(store, settings, pool)).filter(isSomethingDue).map((candidate) => candidate.accountId);
  const proposed: PayoutRecord[] = [];
  const waiting: NotProposed[] = [];
  let uncoveredMonth: string | null = null;
  for (let from = 0; from < accountIds.length; from += accountsPerProposal) {
    const proposal: Proposal = { ...settings, pool, accountIds: accountIds.slice(from, from + accountsPerProposal), uncoveredMonth };
    const outcome: ProposalOutcome = await store.transact<Proposal, ProposalOutcome>(workModule, proposal);
    proposed.push(...outcome.proposed);
    waiting.push(...outcome.waiting);
    uncoveredMonth = outcome.uncoveredMonth;
  }
  return { proposed, waiting };
}

/**
 * Proposes a payout for every payable account, in batches: each decides in its own transaction, with what it finds there.
 * Accounts that have nothing due, and those with an open payout, are in neither list. Demo accounts come last.
 */
export async function proposePayouts(
  store: Store,
  settings: ProposalSettings & { pools?: readonly Pool[] },
): Promise<{ month: Month; proposed: PayoutRecord[]; waiting: NotProposed[] }> {
  await requireMarks(store);
  const { pools = [realMoney, demoMoney], ...rest } = settings;
  const outcomes = [];
  for (const pool of pools) outcomes.push(await proposeIn(store, rest, pool));
  return { month: lastPayableMonth(settings.nowMs), proposed: outcomes.flatMap(({ proposed }) => proposed), waiting: outcomes.flatMap(({ waiting }) => waiting) };
}
