import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { appendEntries, lockChains } from "../ledger/append-entries.ts";
import { openChain } from "../ledger/ledger.table.ts";
import { platformChain, sumFunding } from "../ledger/platform-sums.table.ts";

export type Funding = { microUsd: number; totalMicroMax: number; ref: string; actorAccountId: string | null; nowMs: number };
export type FundingOutcome = { kind: "booked"; receipt: string } | { kind: "too_much"; bookedMicroUsd: number };

export const work: TransactionWork<Funding, FundingOutcome> = async (tx, order) => {
  // Opened by the first funding.
  const open = openChain(tx.db, { accountId: platformChain, nowMs: order.nowMs });
  await tx.change(open.onConflict((conflict) => conflict.column("account_id").doNothing()));
  const heads = await lockChains(tx, [platformChain]);
  const bookedMicroUsd = (await tx.run(sumFunding(tx.db)))[0]!.gross_micro;
  if (bookedMicroUsd + order.microUsd > order.totalMicroMax) return { kind: "too_much", bookedMicroUsd };
  const [entry] = await appendEntries(tx, heads, [
    {
      accountId: platformChain,
      atMs: order.nowMs,
      kind: "funding",
      ref: order.ref,
      endpoint: "funding",
      payer: "platform",
      shareBps: 0,
      grossMicroUsd: order.microUsd,
      developerMicroUsd: 0,
    },
  ]);
  const { actorAccountId, ref, microUsd, nowMs } = order;
  await tx.change(noteAction(tx.db, { actorAccountId, action: "platform.fund", subject: ref, detail: { amount_micro: microUsd }, nowMs }));
  return { kind: "booked", receipt: `${entry!.seq}.${entry!.hash}` };
};
