import type { Store } from "../../store/store.ts";
import { type ChargeOutcome, replayableFrom, toReplay } from "./charge-batch.ts";
import { refuse } from "./charge-call.ts";
import { selectAnswer } from "./ledger.table.ts";

/** The answer of an earlier call. */
export type StoredAnswer = ChargeOutcome & { kind: "replayed" };

/** Reads the answer that is stored under the hash of an Idempotency-Key, unless it has expired. */
export type ReadAnswer = (keyHash: string) => Promise<StoredAnswer | undefined>;

export function createAnswerReader(store: Store, { nowMs }: { nowMs: () => number }): ReadAnswer {
  return async (keyHash) => {
    const query = selectAnswer(store.db, { keyHash, fromMs: replayableFrom(nowMs()) });
    const row = await query.executeTakeFirst().catch(refuse);
    return row && toReplay(row);
  };
}
