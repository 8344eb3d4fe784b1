import type { Store } from "../../store/store.ts";
import { selectEntryPlace } from "./movements.table.ts";

type Chain = { accountId: string; headSeq: number };

/**
 * The number of the account's first entry at or after a time; one more than the head's when there is none.
 * An account's entries never run back in time, so halving finds it in a few look-ups by key.
 */
async function findFirstSeqFrom(store: Store, chain: Chain, atMs: number): Promise<number> {
  let low = 1;
  let high = chain.headSeq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await selectEntryPlace(store.db, { accountId: chain.accountId, seq: middle }).executeTakeFirstOrThrow();
    if (entry.at < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of a span of time as numbers, both included; `toSeq` is below `fromSeq` when there are none. */
export async function findSeqRange(
  store: Store,
  chain: Chain,
  span: { fromMs: number; toMs: number },
): Promise<{ fromSeq: number; toSeq: number }> {
  const fromSeq = await findFirstSeqFrom(store, chain, span.fromMs);
  const toSeq = (await findFirstSeqFrom(store, chain, span.toMs)) - 1;
  return { fromSeq, toSeq };
}
