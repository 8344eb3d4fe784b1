import type { Store } from "../../store/store.ts";
import { noteBrowserUse, touchKey } from "./keys.table.ts";
import { tellBrowserUse } from "./tell-keys.ts";

const flushMs = 10_000;
const keysPerFlushMax = 500;

export type KeyUseRecorder = {
  record(keyId: string, atMs: number): void;
  /** For a live key that came with a browser's Origin; the console warns its owner. */
  recordBrowser(keyId: string, atMs: number): void;
  stop(): Promise<void>;
};

/** Collects the times of last use in memory and writes them in batches, never one write per call. */
export function createKeyUseRecorder(store: Store, onError: (error: unknown) => void): KeyUseRecorder {
  const uses = new Map<string, number>();
  const browserUses = new Map<string, number>();

  /** Sorted, so that nodes that flush at the same time lock rows in the same order. */
  function takeSome(times: Map<string, number>): { keyId: string; atMs: number }[] {
    const some = [...times].slice(0, keysPerFlushMax);
    for (const [keyId] of some) times.delete(keyId);
    return some.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([keyId, atMs]) => ({ keyId, atMs }));
  }

  async function flush(): Promise<void> {
    const used = takeSome(uses);
    if (used.length > 0) await store.write(used.map((use) => touchKey(store.db, use)));
    const seen = takeSome(browserUses);
    if (seen.length > 0) await store.write(seen.map((use) => noteBrowserUse(store.db, use)));
    for (const use of seen) await tellBrowserUse(store, use);
  }

  const timer = setInterval(() => {
    flush().catch(onError);
  }, flushMs);
  timer.unref();
  return {
    record(keyId, atMs) {
      uses.set(keyId, atMs);
    },
    recordBrowser(keyId, atMs) {
      browserUses.set(keyId, atMs);
    },
    async stop() {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}
