import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../keys/caller.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { createRequestGatherer } from "./gather-requests.ts";
import { addToRequestHours, insertLogs } from "./requests.table.ts";
import { roundMs } from "../../formats/time.ts";

const flushMs = 1_000;
/** Few enough that no billed call waits long behind one write. */
const rowsPerStatement = 50;

export type RequestNotes = {
  /** Takes note of an answered request; `atMs` is now. Writes nothing itself. */
  note(request: FastifyRequest, reply: FastifyReply, atMs: number): void;
  /** Writes what is left. */
  stop(): Promise<void>;
};

function* chunksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}

/**
 * Counts and logs requests behind their answers, in batches of their own: never in the transaction that
 * bills. What a crash or a failing store keeps from being written is lost, and nothing else is: the ledger
 * does not depend on it.
 */
export function createRequestNotes(store: Store, context: { nowMs: () => number; onError: (error: unknown) => void }): RequestNotes {
  const gatherer = createRequestGatherer((atMs) => timeOrderedId("log", atMs));
  let flushing = Promise.resolve();

  async function write(isLast: boolean): Promise<void> {
    const { hours, logs } = gatherer.take(context.nowMs(), isLast);
    for (const some of chunksOf(logs)) await store.write([insertLogs(store.db, some)]);
    for (const some of chunksOf(hours)) await store.write([addToRequestHours(store.db, some)]);
  }

  /** One flush at a time, so that a slow store is not asked for more and more. */
  function flush(isLast: boolean): Promise<void> {
    flushing = flushing.then(() => write(isLast)).catch(context.onError);
    return flushing;
  }

  let isFlushing = false;
  const timer = setInterval(() => {
    if (isFlushing) return;
    isFlushing = true;
    void flush(false).finally(() => {
      isFlushing = false;
    });
  }, flushMs);
  timer.unref();

  return {
    note(request, reply, atMs) {
      // Refused before it was known whose it is: there is no account to tell.
      const caller = request.caller as Caller | undefined;
      // Without headers nothing was answered: the connection was cut on purpose.
      if (!caller || !reply.raw.headersSent) return;
      gatherer.add({
        accountId: caller.accountId,
        keyId: caller.keyId,
        atMs,
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? "",
        status: reply.statusCode,
        durationMs: roundMs(performance.now() - request.arrivedMs),
        failure: request.failure,
      });
    },
    stop() {
      clearInterval(timer);
      return flush(true);
    },
  };
}
