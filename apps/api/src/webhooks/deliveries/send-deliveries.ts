/** Sends events to endpoints. Every node does; the one that leases a delivery makes its next attempt. */
import { setTimeout as sleep } from "node:timers/promises";
import { msPerSecond } from "../../formats/time.ts";
import { randomBase62 } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { readOwners } from "../endpoints/read-owners.ts";
import { type AttemptContext, attemptDelivery, type AttemptOutcome, type Claimed } from "./attempt-delivery.ts";
import { claimDeliveries, selectClaimed, selectDueDeliveries, selectDueEndpoints, selectNextDue } from "./deliveries.table.ts";
import type { EndedAttempt } from "./mark-attempts.work.ts";
import { nextAttemptMs } from "./schedule-retry.ts";
import { type Place, placesMax, sharePlaces, takenOf } from "./share-places.ts";

const markWork = new URL("./mark-attempts.work.ts", import.meta.url);

/** Poll interval when nothing wakes the sender. */
const pollMs = msPerSecond;
/** If the node that leased a delivery dies, another one makes the attempt after this long. */
export const usualLeaseMs = 30 * msPerSecond;
/** At least this long from one round to the next, so that many attempts share a write: the embedded store has one writer. */
const roundMsMin = 50;
/** Claims in one round, each for the places that the one before it left. */
const claimsMax = 8;
const candidatesMax = 64;
/** A node that stops waits this long for what it is sending. Whatever takes longer is sent again, by another node. */
const stopMsMax = 15 * msPerSecond;

export type Sender = {
  /** Sends what is due now instead of at the next poll. */
  wake(): void;
  /** Starts no more attempts, and writes down those that end in time. */
  stop(): Promise<void>;
};

export type SenderContext = AttemptContext & {
  store: Store;
  onAttempt: (outcome: AttemptOutcome) => void;
  onError: (error: unknown) => void;
  /** Shorter in tests. */
  leaseMs?: number;
};

/** `beginByMs`: an attempt that begins later might not end before its lease does. */
type Seat = Place & { claimed: Claimed; lease: string; beginByMs: number };

/** The rest is for the attempt, and for writing it down. */
const beginShare = 0.25;

/** Leases deliveries for the free places, at most for one claim. */
async function claim({ store, nowMs, leaseMs = usualLeaseMs }: SenderContext, places: readonly Place[]): Promise<Seat[]> {
  const { db } = store;
  const taken = takenOf(places);
  const select = async (isFailing: boolean): Promise<Place[]> => {
    const rows = await selectDueEndpoints(db, { isFailing, taken, nowMs: nowMs(), limit: candidatesMax }).execute();
    return rows.map(({ id, audience }) => ({ endpointId: id, audience, isFailing }));
  };
  const candidates = [...(await select(false)), ...(taken.freeForFailing > 0 ? await select(true) : [])];
  const shares = sharePlaces(places, candidates);
  if (shares.length === 0) return [];
  const due = await selectDueDeliveries(db, { shares, nowMs: nowMs() }).execute();
  if (due.length === 0) return [];
  const lease = randomBase62(16);
  const atMs = nowMs();
  const keys = due.map(({ endpoint_id: endpointId, event_id: eventId }) => ({ endpointId, eventId }));
  await claimDeliveries(db, { keys, lease, nowMs: atMs, untilMs: atMs + leaseMs }).execute();
  const rows = await selectClaimed(db, { keys, lease }).execute();
  if (rows.length === 0) return [];
  const toOwner = await readOwners({ db }, rows.map(({ audience }) => audience));
  return rows.map((claimed) => ({ claimed: { ...claimed, owner: toOwner(claimed.audience) }, lease, beginByMs: atMs + leaseMs * beginShare, endpointId: claimed.endpoint_id, audience: claimed.audience, isFailing: claimed.failing_since !== null }));
}

/** A bug of ours must not repeat forever: it uses up attempts like a failure. */
const brokenAttempt = ({ claimed, lease }: Seat, { nowMs, random }: SenderContext): EndedAttempt => ({
  endpointId: claimed.endpoint_id,
  eventId: claimed.event_id,
  lease,
  url: claimed.url,
  verdict: "unsendable",
  status: null,
  error: "internal_error",
  nextMs: nextAttemptMs(claimed.round_attempts, { nowMs: nowMs(), random: random() }),
  row: undefined,
});

export function startSender(context: SenderContext): Sender {
  const { store, nowMs, onAttempt, onError } = context;
  /** A place is free again when its attempt is written down. */
  const seats = new Set<Seat>();
  const ended = new Map<Seat, EndedAttempt>();
  const state = { isStopping: false, isOver: false, isAwake: false };
  let endWait = () => {};
  const wake = () => {
    state.isAwake = true;
    endWait();
  };

  async function attempt(seat: Seat): Promise<void> {
    // Another node might send it at the same time: it is sent when the lease is over.
    if (nowMs() > seat.beginByMs) {
      seats.delete(seat);
      return;
    }
    try {
      const { ended: attempted, outcome } = await attemptDelivery(seat.claimed, seat.lease, context);
      ended.set(seat, attempted);
      onAttempt(outcome);
    } catch (error) {
      ended.set(seat, brokenAttempt(seat, context));
      onError(error);
    }
    wake();
  }

  /** Repeated after an error: what was written already is fenced by its lease. */
  async function mark(): Promise<void> {
    const batch = [...ended];
    if (batch.length === 0) return;
    await store.transact<{ ended: EndedAttempt[]; nowMs: number }, void>(markWork, { ended: batch.map(([, each]) => each), nowMs: nowMs() });
    for (const [seat] of batch) {
      ended.delete(seat);
      seats.delete(seat);
    }
  }

  async function isAnyDue(): Promise<boolean> {
    const { next_at: nextAt } = await selectNextDue(store.db).executeTakeFirstOrThrow();
    return nextAt !== null && nextAt <= nowMs();
  }

  async function fill(): Promise<void> {
    for (let claims = 0; claims < claimsMax && !state.isStopping && seats.size < placesMax; claims += 1) {
      if (!(await isAnyDue())) return;
      const claimed = await claim(context, [...seats]);
      if (claimed.length === 0) return;
      for (const seat of claimed) {
        seats.add(seat);
        void attempt(seat);
      }
    }
  }

  async function wait(): Promise<void> {
    if (state.isAwake) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    endWait = resolve;
    const timer = setTimeout(resolve, pollMs);
    await promise;
    clearTimeout(timer);
  }

  async function run(): Promise<void> {
    while (!state.isOver && (!state.isStopping || seats.size > 0)) {
      state.isAwake = false;
      try {
        await mark();
        await fill();
        await sleep(roundMsMin);
      } catch (error) {
        onError(error);
        await sleep(pollMs);
      }
      await wait();
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      state.isStopping = true;
      wake();
      const late = setTimeout(() => {
        state.isOver = true;
        wake();
      }, stopMsMax);
      await running;
      clearTimeout(late);
    },
  };
}
