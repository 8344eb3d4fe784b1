import { isoTime } from "../../formats/time.ts";
import { selectPayees } from "../../register/payees.table.ts";
import type { Reader } from "../../store/store.ts";
import type { Grants } from "../growth/find-grants.ts";
import { readGrowth } from "../growth/read-growth.ts";
import { findEarlierAccounts } from "../holds/find-earlier-accounts.ts";
import { selectAccountsWithFindings, selectOpenHolds } from "../holds/holds.table.ts";
import { lastPayableMonth } from "../payable-months.ts";
import { sumWaitingCalls, sumWaitingClicks } from "../waiting/waiting.table.ts";
import type { AccountSums, PayFacts } from "./money-states.ts";
import { selectMoneyOfAccounts, type selectPayoutCandidates } from "./payouts.table.ts";

type MoneyRow = Awaited<ReturnType<ReturnType<typeof selectPayoutCandidates>["execute"]>>[number];
export type PayeeRow = Awaited<ReturnType<ReturnType<typeof selectPayees>["execute"]>>[number];

type ReadOptions = { nowMs: number; minimumMicroUsd: number; unreviewedMonthlyMicroUsd: number };

export type AccountMoney = {
  accountId: string;
  email: string;
  /** Demo accounts are paid with demo money only. */
  isDemo: boolean;
  sums: AccountSums;
  /** Whether the money in hand covers the account is decided over all accounts together: `isFunded` is true here. */
  facts: PayFacts;
  payee: PayeeRow | undefined;
  /** What of its calls and clicks may become payable. */
  growth: Grants;
  /** Of its granted calls, what payouts that count took while it was never reviewed. */
  unreviewedPromisedMicroUsd: number;
  /** The accounts that it is linked to. */
  earlierIds: ReadonlySet<string>;
  /** The operators' reasons of the holds that are open on the account itself. */
  holdReasons: string[];
  /** What calls can be charged to where the developer pays for them. */
  spendableMicroUsd: number;
  /** The oldest month (YYYY-MM) whose earnings are not paid yet. */
  oldestMonth: string;
};

const monthOf = (atMs: number): string => isoTime(atMs).slice(0, "YYYY-MM".length);

/** A payout takes everything up to its month. */
function oldestUnpaidMonth(row: MoneyRow): string {
  if (row.paid_month === null) return monthOf(row.first_at ?? 0);
  const [year = 0, month = 0] = row.paid_month.split("-").map(Number);
  return monthOf(Date.UTC(year, month));
}

/** What waits because nobody can examine it, and the part of it that months that are payable by now left. */
type Unexamined = { parts: AccountSums["unexaminedMicroUsd"]; dueMicroUsd: number };

async function readUnexamined({ db, run }: Reader, of: { accountIds: readonly string[]; monthEndMs: number }): Promise<Map<string, Unexamined>> {
  const calls = await run(sumWaitingCalls(db, of));
  const clicks = (await run(sumWaitingClicks(db, of))).map((row) => ({ ...row, reason: "crowded_network" as const }));
  const rowsOf = Map.groupBy([...calls, ...clicks], (row) => row.account_id);
  return new Map(
    [...rowsOf].map(([accountId, rows]) => [
      accountId,
      {
        parts: rows.map(({ reason, developer_micro: microUsd }) => ({ reason, microUsd })).toSorted((left, right) => (left.reason < right.reason ? -1 : 1)),
        dueMicroUsd: rows.reduce((sum, row) => sum + row.due_micro, 0),
      },
    ]),
  );
}

function sumsOf(row: MoneyRow, growth: Grants, unexamined: Unexamined | undefined): AccountSums {
  const atEndMicroUsd = (row.calls_at_end ?? 0) + (row.movements_at_end ?? 0);
  const purseMicroUsd = row.balance_micro - atEndMicroUsd - (row.calls_since ?? 0) - (row.movements_since ?? 0);
  return {
    balanceMicroUsd: row.balance_micro,
    depositsMicroUsd: Math.max(0, purseMicroUsd),
    pendingMicroUsd: (row.pending ?? 0) + (row.pending_calls ?? 0) - (row.reversed_of_pending ?? 0),
    dueMicroUsd:
      atEndMicroUsd +
      (row.out_since ?? 0) +
      // What was reversed of days and clicks after the month's end was never part of what is due.
      (row.reversed_calls_since ?? 0) +
      (row.reversed_clicks_since ?? 0) +
      (row.taken_since ?? 0) -
      (row.pending_before_end ?? 0) -
      ((row.pending_calls_before_end ?? 0) - (row.reversed_of_pending_before_end ?? 0)) -
      (unexamined?.dueMicroUsd ?? 0) +
      // What the developer owes for calls is set off against earnings.
      Math.min(0, purseMicroUsd),
    unexaminedMicroUsd: unexamined?.parts ?? [],
    beyondGrowthMicroUsd: growth.waitingMicroUsd,
    inPayoutMicroUsd: row.in_payout ?? 0,
    paidMicroUsd: 0 - (row.paid_out ?? 0),
  };
}

export async function describeMoneyRows(reader: Reader, rows: readonly MoneyRow[], options: ReadOptions): Promise<AccountMoney[]> {
  const { db, run } = reader;
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const earlierOf = await findEarlierAccounts(reader, ids);
  const withLinked = [...earlierOf.keys()];
  const payees = new Map((await run(selectPayees(db, ids))).map((payee) => [payee.account_id, payee]));
  const holdsOf = Map.groupBy(await run(selectOpenHolds(db, withLinked)), (hold) => hold.account_id);
  const found = new Set((await run(selectAccountsWithFindings(db, withLinked))).map((finding) => finding.account_id));
  const growthOf = await readGrowth(reader, { ...options, earlierOf });
  const unexaminedOf = await readUnexamined(reader, { accountIds: ids, monthEndMs: lastPayableMonth(options.nowMs).endMs });
  return rows.map((row) => ({
    accountId: row.id,
    email: row.email,
    isDemo: row.demo === 1,
    sums: sumsOf(row, growthOf.get(row.id)!, unexaminedOf.get(row.id)),
    facts: {
      hasHold: holdsOf.has(row.id),
      hasFinding: found.has(row.id),
      isLinkedToHeld: [...earlierOf.get(row.id)!].some((id) => holdsOf.has(id) || found.has(id)),
      hasPayee: payees.has(row.id),
      payeeUsableFromMs: payees.get(row.id)?.usable_from ?? 0,
      minimumMicroUsd: row.status === "closed" ? 0 : options.minimumMicroUsd,
      isFunded: true,
      nowMs: options.nowMs,
    },
    payee: payees.get(row.id),
    growth: growthOf.get(row.id)!,
    unreviewedPromisedMicroUsd: row.unreviewed_promised ?? 0,
    earlierIds: earlierOf.get(row.id)!,
    holdReasons: (holdsOf.get(row.id) ?? []).map((hold) => hold.reason),
    spendableMicroUsd: row.spendable_micro ?? 0,
    oldestMonth: oldestUnpaidMonth(row),
  }));
}

/** Everything that decides about payouts of these accounts. In a transaction: after their chains were locked. */
export async function readMoneyOf(reader: Reader, options: ReadOptions & { accountIds: readonly string[] }): Promise<AccountMoney[]> {
  const { accountIds, nowMs } = options;
  const rows = await reader.run(selectMoneyOfAccounts(reader.db, { accountIds, monthEndMs: lastPayableMonth(nowMs).endMs }));
  return describeMoneyRows(reader, rows, options);
}

