import { decideOnWaiting } from "../../money/unexamined/change-waiting.ts";
import type { WaitingDecision } from "../../money/unexamined/decide-waiting.work.ts";
import { selectWaitingClicks } from "../../money/waiting/waiting.table.ts";
import type { Store } from "../../store/store.ts";
import { clicksReversedAtOnceMax, reverseClicks } from "./reverse-clicks.ts";

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
