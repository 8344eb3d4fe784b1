import { Failure } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import type { ReversalOrder, ReversalOutcome } from "./reverse-clicks.work.ts";

const workModule = new URL("./reverse-clicks.work.ts", import.meta.url);
export const clicksReversedAtOnceMax = 500;
const reasonLengthMax = 300;

/**
 * Reverses pending clicks: appends a reversal entry to the developer's ledger, refunds the price to the campaign's
 * budget and day, and removes the click from reports. Confirmed, reversed and unknown clicks are only reported.
 */
export async function reverseClicks(store: Store, order: ReversalOrder): Promise<ReversalOutcome[]> {
  const reason = order.reason.trim();
  if (reason === "" || reason.length > reasonLengthMax) {
    throw new Failure("invalid_request", `reason must have 1 to ${reasonLengthMax} characters`);
  }
  if (order.offerIds.length > clicksReversedAtOnceMax) {
    throw new Failure("invalid_request", `at most ${clicksReversedAtOnceMax} clicks can be reversed at once`);
  }
  if (order.offerIds.length === 0) return [];
  return store.transact<ReversalOrder, ReversalOutcome[]>(workModule, { ...order, reason });
}
