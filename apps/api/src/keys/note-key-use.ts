import type { Store } from "../store/store.ts";
import { touchKey } from "./keys.table.ts";

const flushMs = 10_000;
const keysPerFlushMax = 500;

export type KeyUseNotes = {
  note(keyId: string, atMs: number): void;
  stop(): Promise<void>;
};

/** Remembers when keys were last used and writes it now and then: never one write per call. */
export function createKeyUseNotes(store: Store, onError: (error: unknown) => void): KeyUseNotes {
  const uses = new Map<string, number>();

  async function flush(): Promise<void> {
    const some = [...uses].slice(0, keysPerFlushMax);
    if (some.length === 0) return;
    for (const [keyId] of some) uses.delete(keyId);
    // Sorted, so that nodes that flush together take their row locks in one order.
    const sorted = some.toSorted(([a], [b]) => (a < b ? -1 : 1));
    await store.write(sorted.map(([keyId, atMs]) => touchKey(store.db, { keyId, atMs })));
  }

  const timer = setInterval(() => {
    flush().catch(onError);
  }, flushMs);
  timer.unref();
  return {
    note(keyId, atMs) {
      uses.set(keyId, atMs);
    },
    async stop() {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}
