import { explain, overloaded } from "../../failure/failure.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import { storeFailureOf } from "../../store/store-failure.ts";
import type { Store } from "../../store/store.ts";
import type { OnWaiterError, Waiter } from "../../store/waiter.ts";
import { makeOffersOnPostgres } from "./make-offers.postgres.ts";
import { type NewOffer, type OfferOutcome, packOffers, type PackedOffers, type RefusedRows, toColumns, toOutcomes } from "./offer-batch.ts";
import { offersPerSessionMax } from "./session-trust.ts";

const sqliteProcedure = new URL("./make-offers.sqlite.ts", import.meta.url);

const itemsWorthABatch = 32;
const itemsPerBatchMax = 1_000;
const itemsPerGroupMax = 250;
const waitingMax = 10_000;

export type OfferMaker = {
  /** Tells the waiter once the offer is durable, or refused because of its session's limit. */
  make(offer: NewOffer, waiter: Waiter<OfferOutcome>): void;
  drain(): Promise<void>;
};

export function createOfferMaker(store: Store, onWaiterError?: OnWaiterError): OfferMaker {
  const commit = (offers: readonly NewOffer[]): Promise<RefusedRows> =>
    store.dialect === "sqlite"
      ? store.runProcedure<PackedOffers, RefusedRows>(sqliteProcedure, packOffers(offers, offersPerSessionMax))
      : makeOffersOnPostgres(store.commitPool, toColumns(offers, offersPerSessionMax));

  const group = createGroupCommit<NewOffer, OfferOutcome>({
    async commit(offers) {
      try {
        return toOutcomes(offers.length, await commit(offers));
      } catch (error) {
        // Also where the outcome of the commit is unknown: an offer that was never delivered costs nothing.
        throw storeFailureOf(error) ?? overloaded(explain(error), { cause: error });
      }
    },
    groupOf: (offer) => offer.accountId,
    // SQLite's writer thread runs batches in order. On PostgreSQL two concurrent batches would block on the same sums.
    batchesAtOnceMax: store.dialect === "sqlite" ? 2 : 1,
    itemsWorthABatch,
    itemsPerBatchMax,
    itemsPerGroupMax,
    waitingMax,
    refusal: (reason) => overloaded(reason),
    ...(onWaiterError && { onWaiterError }),
  });
  return { make: group.submit, drain: group.drain };
}
