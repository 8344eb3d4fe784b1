import { usdOf } from "../../formats/money.ts";
import type { Store } from "../../store/store.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import { selectLowBalances } from "../ledger/prepaid.table.ts";
import { callPriceMicroUsd } from "../price.ts";

/** A balance is low when it pays for fewer calls than this. */
export const lowCalls = 100;
const accountsPerPage = 200;

/**
 * Where calls are prepaid: tells accounts whose money pays for few more calls, once per deposit. What `creditMicroUsd`
 * allows beyond it counts as well.
 */
export async function tellLowBalances(store: Store, options: { creditMicroUsd: number; nowMs: number; isOver: () => boolean }): Promise<number> {
  const { creditMicroUsd, nowMs, isOver } = options;
  const belowMicroUsd = lowCalls * callPriceMicroUsd - creditMicroUsd;
  let told = 0;
  for (let afterId = ""; !isOver(); ) {
    const accounts = await selectLowBalances(store.db, { belowMicroUsd, afterId, limit: accountsPerPage }).execute();
    for (const { account_id: accountId, spendable_micro: spendableMicroUsd, deposit_seq: depositSeq } of accounts) {
      const callsLeft = Math.max(0, Math.floor((spendableMicroUsd + creditMicroUsd) / callPriceMicroUsd));
      const data = { account_id: accountId, spendable_usd: usdOf(spendableMicroUsd), calls_left: callsLeft };
      const outcome = await writeOnce(store, { audience: accountId, type: "balance.low", data }, { onceKey: `balance.low:${depositSeq}`, nowMs });
      if (outcome === "written") told += 1;
      afterId = accountId;
    }
    if (accounts.length < accountsPerPage) break;
  }
  return told;
}
