import type { Balance } from "@assay/contract/balance.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerMinute } from "../../formats/time.ts";
import { readerOf, type Store } from "../../store/store.ts";
import type { GrowthLimits } from "../growth/read-growth.ts";
import { demoMoney, type Pool, realMoney } from "../ledger/pools.ts";
import { findMoneyStates, type MoneyStates, waitReasonTexts } from "./money-states.ts";
import { sumBalances } from "./payouts.table.ts";
import { readPlatformMoney } from "./platform-money.ts";
import { dueReasonOf, listCandidates, type PayoutSettings } from "./propose-payouts.ts";
import { readMoneyOf } from "./read-account-money.ts";

/** For this long a node repeats what it found out about funding. */
const fundingKnownMs = 5 * msPerMinute;

/** `uncovered`: accounts whose money waits for funding. `beyondTotal`: what waits because all never reviewed accounts together have reached their bound. */
export type Funding = { isFunded: boolean; uncovered: ReadonlySet<string>; beyondTotal: ReadonlyMap<string, number> };

export type Balances = {
  read(accountId: string): Promise<Balance>;
  funding(): Promise<Funding>;
};

export const describeStates = (states: Omit<MoneyStates, "nextMs">, holdReasons: readonly string[] = []) => ({
  accrued_usd: usdOf(states.accruedMicroUsd),
  pending_usd: usdOf(states.pendingMicroUsd),
  confirmed: {
    usd: usdOf(states.confirmedMicroUsd),
    waiting: states.waiting.map(({ reason, microUsd }) => ({
      reason,
      usd: usdOf(microUsd),
      explained: reason === "held" ? [waitReasonTexts.held, ...holdReasons].join(" ") : waitReasonTexts[reason],
    })),
    payable_usd: usdOf(states.payableMicroUsd),
    in_payout_usd: usdOf(states.inPayoutMicroUsd),
    paid_usd: usdOf(states.paidMicroUsd),
  },
  owed_usd: usdOf(states.owedMicroUsd),
});

/**
 * Funded is an installation that has money, and enough for everything that was earned, due or not. If it has not, the
 * accounts are gone through as a proposal would, to find those whose money waits.
 */
async function readFundingOf(store: Store, pool: Pool, settings: PayoutSettings): Promise<Funding> {
  const { balance_micro: balancesMicroUsd } = await sumBalances(store.db, pool).executeTakeFirstOrThrow();
  if (pool.demo && balancesMicroUsd === 0) return { isFunded: true, uncovered: new Set(), beyondTotal: new Map() };
  const money = await readPlatformMoney(store, pool);
  const inHandMicroUsd = money.availableMicroUsd + money.underWayMicroUsd;
  const isCovered = inHandMicroUsd >= balancesMicroUsd;
  const isFunded = isCovered && inHandMicroUsd > 0;
  if (isCovered && settings.unreviewedTotalMonthlyMicroUsd === undefined) return { isFunded, uncovered: new Set(), beyondTotal: new Map() };
  const { candidates } = await listCandidates(store, settings, pool);
  const uncovered = candidates.filter(({ states }) => dueReasonOf(states) === "not_funded");
  const beyondTotal = candidates.filter(({ beyondTotalMicroUsd }) => beyondTotalMicroUsd > 0);
  return {
    isFunded,
    uncovered: new Set(uncovered.map(({ accountId }) => accountId)),
    beyondTotal: new Map(beyondTotal.map(({ accountId, beyondTotalMicroUsd }) => [accountId, beyondTotalMicroUsd])),
  };
}

/** Demo money is not part of what an installation says about its funding. */
async function readFunding(store: Store, settings: PayoutSettings): Promise<Funding> {
  const [real, demo] = await Promise.all([readFundingOf(store, realMoney, settings), readFundingOf(store, demoMoney, settings)]);
  return { isFunded: real.isFunded, uncovered: new Set([...real.uncovered, ...demo.uncovered]), beyondTotal: new Map([...real.beyondTotal, ...demo.beyondTotal]) };
}

export type BalanceContext = GrowthLimits & { nowMs: () => number; monotonicMs: () => number; minimumMicroUsd: number };

export function createBalances(store: Store, { nowMs, monotonicMs, ...rules }: BalanceContext): Balances {
  let known: { funding: Promise<Funding>; atMs: number } | undefined;

  function funding(): Promise<Funding> {
    const now = monotonicMs();
    if (known === undefined || now - known.atMs > fundingKnownMs) {
      const fresh = readFunding(store, { ...rules, nowMs: nowMs() });
      known = { funding: fresh, atMs: now };
      fresh.catch(() => {
        known = undefined;
      });
    }
    return known.funding;
  }

  async function read(accountId: string): Promise<Balance> {
    const { uncovered, beyondTotal } = await funding();
    const [money] = await readMoneyOf(readerOf(store), { ...rules, accountIds: [accountId], nowMs: nowMs() });
    if (!money) throw new Error(`account ${accountId} has no ledger head`);
    const beyondGrowthMicroUsd = money.sums.beyondGrowthMicroUsd + (beyondTotal.get(accountId) ?? 0);
    const states = findMoneyStates({ ...money.sums, beyondGrowthMicroUsd }, { ...money.facts, isFunded: !uncovered.has(accountId) });
    return { ...describeStates(states, money.holdReasons), spendable_usd: usdOf(money.spendableMicroUsd), next_date: isoTime(states.nextMs) };
  }
  return { read, funding };
}

/** All accounts' states together. */
export function addUpStates(all: readonly MoneyStates[]): Omit<MoneyStates, "nextMs"> {
  const total = (of: (states: MoneyStates) => number) => all.reduce((sum, states) => sum + of(states), 0);
  const waiting = Map.groupBy(all.flatMap((states) => states.waiting), ({ reason }) => reason);
  return {
    accruedMicroUsd: total((each) => each.accruedMicroUsd),
    pendingMicroUsd: total((each) => each.pendingMicroUsd),
    confirmedMicroUsd: total((each) => each.confirmedMicroUsd),
    waiting: [...waiting].map(([reason, some]) => ({ reason, microUsd: some.reduce((sum, each) => sum + each.microUsd, 0) })),
    payableMicroUsd: total((each) => each.payableMicroUsd),
    inPayoutMicroUsd: total((each) => each.inPayoutMicroUsd),
    paidMicroUsd: total((each) => each.paidMicroUsd),
    owedMicroUsd: total((each) => each.owedMicroUsd),
  };
}
