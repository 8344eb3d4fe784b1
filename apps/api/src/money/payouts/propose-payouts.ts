import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { PayoutRow } from "../../store/schema-payouts.ts";
import type { Store } from "../../store/store.ts";
import { judgePayability, lastPayableMonth, type Month, type NotPayableReason } from "./payable.ts";
import { insertPayout, selectPayoutCandidates } from "./payouts.table.ts";
import { readPlatformMoney } from "./platform-money.ts";

const accountsPerPage = 500;

export type Candidate = { accountId: string; email: string; amountMicroUsd: number; held: NotPayableReason | undefined };

type CandidateRow = Awaited<ReturnType<ReturnType<typeof selectPayoutCandidates>["execute"]>>[number];

function judge(row: CandidateRow, minimumMicroUsd: number): Candidate {
  const verdict = judgePayability(
    {
      balanceAtEndMicroUsd: (row.calls_at_end ?? 0) + (row.movements_at_end ?? 0),
      outSinceMicroUsd: (row.out_since ?? 0) + (row.taken_since ?? 0),
      // Prepaid money is not paid out; a debt of prepaid calls is settled with earnings.
      balanceNowMicroUsd: row.balance_micro - Math.max(0, (row.prepaid_calls ?? 0) + (row.prepaid_movements ?? 0)),
      pendingBeforeEndMicroUsd: row.pending_before_end ?? 0,
      pendingMicroUsd: row.pending ?? 0,
    },
    {
      isSuspended: row.status === "suspended",
      isDemo: row.demo === 1,
      hasPayee: (row.payees ?? 0) > 0,
      hasOpenFinding: (row.open_findings ?? 0) > 0,
      hasOpenPayout: (row.open_payouts ?? 0) > 0,
      minimumMicroUsd,
    },
  );
  const held = verdict.kind === "held" ? verdict.reason : undefined;
  return { accountId: row.id, email: row.email, amountMicroUsd: verdict.amountMicroUsd, held };
}

/** Every account with a balance: what it would be paid now, or why not. Funding goes to accounts in id order. */
export async function listCandidates(
  store: Store,
  settings: { nowMs: number; minimumMicroUsd: number },
): Promise<{ month: Month; candidates: Candidate[] }> {
  const month = lastPayableMonth(settings.nowMs);
  let leftMicroUsd = (await readPlatformMoney(store)).availableMicroUsd;
  const candidates: Candidate[] = [];
  for (let afterId = ""; ; ) {
    const page = { afterId, limit: accountsPerPage, monthEndMs: month.endMs };
    const rows = await selectPayoutCandidates(store.db, page).execute();
    for (const row of rows) {
      const candidate = judge(row, settings.minimumMicroUsd);
      if (candidate.held === undefined && candidate.amountMicroUsd > leftMicroUsd) candidate.held = "not_funded";
      if (candidate.held === undefined) leftMicroUsd -= candidate.amountMicroUsd;
      candidates.push(candidate);
    }
    if (rows.length < accountsPerPage) return { month, candidates };
    afterId = rows.at(-1)!.id;
  }
}

/** Proposes a payout for every payable account. Concurrent runs propose it once: the database allows one open payout per account. */
export async function proposePayouts(
  store: Store,
  settings: { nowMs: number; minimumMicroUsd: number; actorAccountId: string | null },
): Promise<{ month: Month; proposed: PayoutRow[]; held: Candidate[] }> {
  const { month, candidates } = await listCandidates(store, settings);
  const proposed: PayoutRow[] = [];
  for (const { accountId, amountMicroUsd, held } of candidates) {
    if (held !== undefined) continue;
    const row: PayoutRow = {
      id: timeOrderedId("po", settings.nowMs),
      account_id: accountId,
      month: month.name,
      amount_micro: amountMicroUsd,
      status: "proposed",
      proposed_at: settings.nowMs,
      approved_at: null,
      exported_at: null,
      paid_at: null,
      returned_at: null,
      note: null,
      payout_seq: null,
      returned_seq: null,
    };
    const { numInsertedOrUpdatedRows } = await insertPayout(store.db, row).executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) proposed.push(row);
  }
  if (proposed.length > 0) {
    const { actorAccountId, nowMs } = settings;
    const detail = { payouts: proposed.map((each) => each.id) };
    await noteAction(store.db, { actorAccountId, action: "payout.propose", subject: month.name, detail, nowMs }).execute();
  }
  return { month, proposed, held: candidates.filter((each) => each.held !== undefined && each.held !== "nothing_payable") };
}
