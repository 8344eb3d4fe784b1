/** The transaction that decides a batch of clicks. */
import { lockChains } from "../../money/ledger/append-entries.ts";
import type { StoredVerdict } from "../../store/schema-ads.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { noteFirstClicks } from "../serving/offers.table.ts";
import { type ClickAgent, judgeFirstClick } from "./click-verdict.ts";
import { createHourSums } from "./hour-sums.ts";
import { type PayableClick, payClicks } from "./pay-clicks.ts";
import { lockStates, type OfferFacts, type OfferState, readFacts, sortedIds, toJudged } from "./read-offers.ts";

export type Click = { offerId: string; atMs: number; agent: ClickAgent };

/** Null for an offer that does not exist (any more). */
export type ClickOutcome = { verdict: StoredVerdict; landingUrl: string; accountId: string } | null;

/** Only the chains of accounts that may be paid are locked. */
const mayBePaid = (offer: OfferFacts) => offer.mode === "live" && offer.house === 0 && offer.price_micro > 0;

/** The verdict, and whether this is the offer's first click by a person. */
function judge(click: Click, offer: OfferFacts, state: OfferState): { verdict: StoredVerdict | "payable"; isFirst: boolean } {
  // A prefetch, a robot or an image must not use up the click of the person who comes after it.
  if (click.agent !== "person") return { verdict: click.agent, isFirst: false };
  if (state.clicked_at !== null) return { verdict: "duplicate", isFirst: false };
  state.clicked_at = click.atMs;
  return { verdict: judgeFirstClick(toJudged(offer, state), click.atMs), isFirst: true };
}

type Judged = { click: Click; offer: OfferFacts; verdict: StoredVerdict | "payable"; isFirst: boolean };

/** One statement per verdict and millisecond. */
async function noteFirsts(tx: Transaction, judged: readonly (Judged & { verdict: StoredVerdict })[]): Promise<void> {
  const groups = Map.groupBy(
    judged.filter(({ isFirst }) => isFirst),
    ({ click, verdict }) => `${verdict} ${click.atMs}`,
  );
  for (const group of groups.values()) {
    const { verdict, click } = group[0]!;
    const offerIds = group.map(({ offer }) => offer.id);
    const changed = await tx.change(noteFirstClicks(tx.db, { offerIds, clickedMs: click.atMs, verdict }));
    if (changed !== offerIds.length) throw new Error("an offer was clicked while it was locked");
  }
}

export const work: TransactionWork<{ clicks: Click[] }, ClickOutcome[]> = async (tx, { clicks }) => {
  const offerIds = sortedIds(clicks.map(({ offerId }) => offerId));
  const facts = await readFacts(tx, offerIds);
  const payees = [...facts.values()].filter(mayBePaid).map((offer) => offer.account_id);
  const heads = await lockChains(tx, payees);
  const states = await lockStates(tx, [...facts.keys()].toSorted());

  const judged = clicks.map((click): Judged | undefined => {
    const offer = facts.get(click.offerId);
    const state = states.get(click.offerId);
    return offer && state && { click, offer, ...judge(click, offer, state) };
  });
  const payable = judged.filter((each) => each?.verdict === "payable") as Judged[];
  const payments = await payClicks(tx, heads, payable.map(({ offer, click }): PayableClick => ({ offer, atMs: click.atMs })));
  payable.forEach((each, index) => {
    each.verdict = payments[index]!;
  });

  const decided = judged.filter((each) => each !== undefined) as (Judged & { verdict: StoredVerdict })[];
  await noteFirsts(tx, decided);
  const sums = createHourSums();
  for (const { offer, click, verdict } of decided) {
    if (verdict === "paid") sums.addPaidClick(offer, click.atMs);
    else if (verdict !== "awaiting_impression") sums.addIgnoredClick(offer, verdict, click.atMs);
  }
  await sums.write(tx);
  return judged.map((each) => (each ? { verdict: each.verdict as StoredVerdict, landingUrl: each.offer.landing_url, accountId: each.offer.account_id } : null));
};
