import { Failure } from "../../failure/failure.ts";
import { decideOnWaiting } from "../../money/unexamined/change-waiting.ts";
import type { WaitingDecision } from "../../money/unexamined/decide-waiting.work.ts";
import { selectGivenUp, selectWaitingClicks } from "../../money/waiting/waiting.table.ts";
import type { Store } from "../../store/store.ts";
import { clicksReversedAtOnceMax, reverseClicks } from "./reverse-clicks.ts";

const givenUpAtOnce = 100;

/** Clicks are reversed in steps, each refunding its campaigns; an interruption leaves the rest waiting, to be decided again. */
export async function decideWaiting(store: Store, order: WaitingDecision): Promise<void> {
  if (order.decision === "reversed") {
    for (;;) {
      const offerIds = (await selectWaitingClicks(store.db, order.waitingId).limit(clicksReversedAtOnceMax).execute()).map((click) => click.offer_id);
      if (offerIds.length === 0) break;
      const { reason, actorAccountId, fourEyes, nowMs } = order;
      const outcomes = await reverseClicks(store, { offerIds, reason, actorAccountId, fourEyes, nowMs });
      // Refused for all of them: what decides says why.
      if (!outcomes.some(({ outcome }) => outcome === "reversed")) break;
    }
  }
  await decideOnWaiting(store, order);
}

/** Nobody will state what it was: it is reversed, so that the account can be erased. What else is left of the balance is given up as it is. */
export async function reverseGivenUp(store: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<{ isMore: boolean }> {
  const rows = await selectGivenUp(store.db, { limit: givenUpAtOnce }).execute();
  const order = { decision: "reversed", reason: "The account gave up its balance.", actorAccountId: null, nowMs } as const;
  for (const { id: waitingId } of rows) {
    if (isOver()) return { isMore: true };
    await decideWaiting(store, { ...order, waitingId }).catch((error: unknown) => {
      // An operator decided at the same time.
      if (!(error instanceof Failure)) throw error;
    });
  }
  return { isMore: rows.length === givenUpAtOnce };
}
