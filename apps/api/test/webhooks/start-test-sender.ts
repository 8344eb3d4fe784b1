import type { Store } from "../../src/store/store.ts";
import { type Sender, type SenderContext, startSender } from "../../src/webhooks/deliveries/send-deliveries.ts";
import { openEgress } from "../../src/webhooks/egress/post-outwards.ts";
import { testSealer } from "./make-endpoint.ts";

export type TestSender = Sender & { outcomes: string[]; errors: unknown[]; /** Lets time pass for the sender. */ passMs: (ms: number) => void; nowMs: () => number };

/** A sender as a node has it, with a clock that tests can set forward. */
export function startTestSender(store: Store, { deadlineMs = 30_000, ...more }: Partial<SenderContext> & { deadlineMs?: number } = {}): TestSender {
  const outcomes: string[] = [];
  const errors: unknown[] = [];
  let passedMs = 0;
  const nowMs = () => Date.now() + passedMs;
  const egress = openEgress({ loopbackFor: "first_developer", deadlineMs });
  // Receivers are on this machine, and endpoints belong to nobody.
  const post: SenderContext["post"] = (request) => egress.post({ ...request, owner: "first_developer" });
  const sender = startSender({ store, post, sealer: testSealer, key: undefined, nowMs, random: () => 0, onAttempt: (outcome) => void outcomes.push(outcome), onError: (error) => void errors.push(error), ...more });
  return {
    ...sender,
    outcomes,
    errors,
    nowMs,
    passMs(ms) {
      passedMs += ms;
      sender.wake();
    },
  };
}
