import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { type AnsweredRequest, createRequestGatherer, type RequestGatherer } from "./gather-requests.ts";
import { addToRequestHours, insertLogs } from "./requests.table.ts";

const flushMs = 1_000;
/** Few enough that no billed call waits long behind one write. */
const rowsPerStatement = 50;

export type RequestRecorder = {
  /** Adds an answered request to the next flush. */
  record(request: AnsweredRequest): void;
  /** Writes the remaining rows. */
  stop(): Promise<void>;
};

function* chunksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}

export async function writeRequests(store: Store, { hours, logs }: ReturnType<RequestGatherer["take"]>): Promise<void> {
  for (const some of chunksOf(logs)) await store.write([insertLogs(store.db, some)]);
  for (const some of chunksOf(hours)) await store.write([addToRequestHours(store.db, some)]);
}

/**
 * Counts and logs requests after their answers, in separate batches, never in the SQL transaction that bills. A crash or
 * a failing store loses the unwritten rows and nothing else: the ledger does not depend on them.
 */
export function createRequestRecorder(store: Store, context: { nowMs: () => number; onError: (error: unknown) => void }): RequestRecorder {
  const gatherer = createRequestGatherer((atMs) => timeOrderedId("log", atMs));
  let flushing: Promise<void> | undefined;

  const write = (isLast: boolean): Promise<void> => writeRequests(store, gatherer.take(context.nowMs(), isLast));

  /** One flush at a time, so that flushes do not pile up on a slow store. */
  const timer = setInterval(() => {
    flushing ??= write(false)
      .catch(context.onError)
      .finally(() => {
        flushing = undefined;
      });
  }, flushMs);
  timer.unref();

  return {
    record: gatherer.add,
    async stop() {
      clearInterval(timer);
      await flushing;
      await write(true).catch(context.onError);
    },
  };
}
