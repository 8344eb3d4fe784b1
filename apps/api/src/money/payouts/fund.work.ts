import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { appendEntries, lockChains } from "../ledger/append-entries.ts";
import { openChain } from "../ledger/ledger.table.ts";
import { sumFunding } from "../ledger/platform-sums.table.ts";
import { fundingChainOf, type Pool } from "../ledger/pools.ts";

export type Funding = { pool: Pool; microUsd: number; totalMicroUsdMax: number; ref: string; actorAccountId: string | null; nowMs: number };
export type FundingOutcome = { kind: "booked"; receipt: string } | { kind: "too_much"; bookedMicroUsd: number };

export const work: TransactionWork<Funding, FundingOutcome> = async (tx, funding) => {
  const { pool, microUsd, totalMicroUsdMax, ref, actorAccountId, nowMs } = funding;
  const accountId = fundingChainOf(pool);
  // The first funding opens the chain.
  const open = openChain(tx.db, { accountId, nowMs });
  await tx.change(open.onConflict((conflict) => conflict.column("account_id").doNothing()));
  const heads = await lockChains(tx, [accountId]);
  const bookedMicroUsd = (await tx.run(sumFunding(tx.db, pool)))[0]!.gross_micro;
  if (bookedMicroUsd + microUsd > totalMicroUsdMax) return { kind: "too_much", bookedMicroUsd };
  const [entry] = await appendEntries(tx, heads, [
    {
      accountId,
      atMs: nowMs,
      kind: "funding",
      ref,
      endpoint: "funding",
      payer: "platform",
      shareBps: 0,
      grossMicroUsd: microUsd,
      developerMicroUsd: 0,
    },
  ]);
  await tx.change(noteAction(tx.db, { actorAccountId, action: "platform.fund", subject: ref, detail: { amount_micro: microUsd, ...(pool.demo && { demo: true }) }, nowMs }));
  return { kind: "booked", receipt: `${entry!.seq}.${entry!.hash}` };
};
