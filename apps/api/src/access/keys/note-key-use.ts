import type { Store } from "../../store/store.ts";
import { noteBrowserUse, touchKey } from "./keys.table.ts";

const flushMs = 10_000;
const keysPerFlushMax = 500;

export type KeyUseNotes = {
  note(keyId: string, atMs: number): void;
  /** A live key that came with a browser's Origin: its owner is warned. */
  noteBrowser(keyId: string, atMs: number): void;
  stop(): Promise<void>;
};

/** Remembers when keys were last used and writes it now and then: never one write per call. */
export function createKeyUseNotes(store: Store, onError: (error: unknown) => void): KeyUseNotes {
  const uses = new Map<string, number>();
  const browserUses = new Map<string, number>();

  /** Sorted, so that nodes that flush together take their row locks in one order. */
  function takeSome(notes: Map<string, number>): { keyId: string; atMs: number }[] {
    const some = [...notes].slice(0, keysPerFlushMax);
    for (const [keyId] of some) notes.delete(keyId);
    return some.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([keyId, atMs]) => ({ keyId, atMs }));
  }

  async function flush(): Promise<void> {
    const used = takeSome(uses);
    if (used.length > 0) await store.write(used.map((use) => touchKey(store.db, use)));
    const seen = takeSome(browserUses);
    if (seen.length > 0) await store.write(seen.map((use) => noteBrowserUse(store.db, use)));
  }

  const timer = setInterval(() => {
    flush().catch(onError);
  }, flushMs);
  timer.unref();
  return {
    note(keyId, atMs) {
      uses.set(keyId, atMs);
    },
    noteBrowser(keyId, atMs) {
      browserUses.set(keyId, atMs);
    },
    async stop() {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}
