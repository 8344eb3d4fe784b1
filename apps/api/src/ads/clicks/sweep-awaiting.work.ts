/** The transaction that ends the waiting of clicks whose impression is overdue, or came where it could not pay them. */
import { lockChains } from "../../money/ledger/append-entries.ts";
import type { TransactionWork } from "../../store/store.ts";
import { createHourSums } from "./hour-sums.ts";
import { selectAwaiting } from "../serving/offers.table.ts";
import { lockStates, readFacts } from "./read-offers.ts";
import { settleAwaitingClicks } from "./settle-awaiting.ts";

export type Sweep = { clickedBeforeMs: number; limit: number };

/** Tells how many were looked at: as many as the limit means that there may be more. */
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
