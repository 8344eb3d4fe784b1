import type { CallCharge } from "../../src/money/ledger/charge-batch.ts";
import { CommitUnknown } from "../../src/store/store-failure.ts";
import type { Store } from "../../src/store/store.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { waitUntil } from "../send.ts";

/** Callers that charge one call after the other, and remember what each of them was told. */
export type ChargeLoad = {
  /** The refs of calls by what their callers were told. */
  told: { charged: string[]; refused: string[]; unknown: string[] };
  /** Resolves when this many more calls were charged. */
  whenChargedMore(calls: number, msMax?: number): Promise<void>;
  /** May be called twice. A load that is not stopped goes on, and keeps the test process alive. */
  stop(): Promise<void>;
};

const pauseAfterRefusalMs = 50;

export function startChargeLoad(store: Store, accountId: string, { callers = 8 }: { callers?: number } = {}): ChargeLoad {
  const clock = { nowMs: Date.now() };
  const charger = makeCharger(store, clock);
  const told: ChargeLoad["told"] = { charged: [], refused: [], unknown: [] };
  const stopping = new AbortController();

  async function chargeOnce(call: CallCharge): Promise<void> {
    try {
      await charger.charge(call);
      told.charged.push(call.ref);
    } catch (error) {
      told[error instanceof CommitUnknown ? "unknown" : "refused"].push(call.ref);
      await new Promise((resolve) => setTimeout(resolve, pauseAfterRefusalMs));
    }
  }

  const running = Array.from({ length: callers }, async () => {
    while (!stopping.signal.aborted) {
      clock.nowMs = Date.now();
      await chargeOnce(makeCharge({ accountId, atMs: clock.nowMs }));
    }
  });
  return {
    told,
    async whenChargedMore(calls, msMax) {
      const until = told.charged.length + calls;
      await waitUntil(() => told.charged.length >= until, `${calls} more calls are charged`, msMax);
    },
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await Promise.all(running);
      await charger.drain();
    },
  };
}
