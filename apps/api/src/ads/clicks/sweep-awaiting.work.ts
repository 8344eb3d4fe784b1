/** The transaction that settles clicks whose impression is overdue, or was counted without seeing the click. */
import { lockChains } from "../../money/ledger/append-entries.ts";
import type { TransactionWork } from "../../store/store.ts";
import { selectAwaiting } from "../serving/offers.table.ts";
import { createHourSums } from "./hour-sums.ts";
import { lockStates, readFacts } from "./read-offers.ts";
import { settleAwaitingClicks } from "./settle-awaiting.ts";

export type Sweep = { clickedBeforeMs: number; limit: number };

/** Returns how many clicks were overdue: if the limit is reached, there may be more. */
export const work: TransactionWork<Sweep, number> = async (tx, sweep) => {
  const overdue = await tx.run(selectAwaiting(tx.db, sweep));
  const facts = await readFacts(tx, overdue.map(({ id }) => id).toSorted());
  const heads = await lockChains(tx, [...facts.values()].map((offer) => offer.account_id));
  const states = await lockStates(tx, [...facts.keys()].toSorted());
  const awaiting = [...facts.values()].flatMap((offer) => {
    const state = states.get(offer.id);
    return state?.verdict === "awaiting_impression" ? [{ offer, state }] : [];
  });
  const sums = createHourSums();
  await settleAwaitingClicks(tx, { heads, awaiting, sums });
  await sums.write(tx);
  return overdue.length;
};
