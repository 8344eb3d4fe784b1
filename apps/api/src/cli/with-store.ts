import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import { readConfig } from "../config.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { openStore } from "../store/open-store.ts";
import { openStoreClock } from "../store/store-clock.ts";
import type { Store } from "../store/store.ts";

type OpenedStore = { store: Store; migrated: string[]; nowMs: number };

/** Opens and migrates the configured store, runs `work`, and always closes the store. */
export async function withStore<Result>(work: (opened: OpenedStore) => Promise<Result>): Promise<Result> {
  const config = readConfig();
  const lock = config.databaseUrl === undefined ? prepareDataDir(config.dataDir) : undefined;
  // A broken connection fails the statement that needs it, and so the command.
  const context = { nowMs: Date.now(), onConnectionError: () => {} };
  const { store, migrated } = await openStore(config, context).catch((error: Error) => {
    throw explainOpenError(error, config);
  });
  try {
    return await work({ store, migrated, nowMs: await readStoreTime(store) });
  } finally {
    await store.close();
    lock?.release();
  }
}

/** The clock that running nodes use: what a command writes must have the same time for them. */
async function readStoreTime(store: Store): Promise<number> {
  const clock = await openStoreClock(store, { machineNowMs: Date.now, monotonicMs: () => performance.now(), onError: () => {} });
  clock.stop();
  return clock.nowMs();
}

/** Like `withStore`, with the channel that announces changes to running nodes when they share a Redis. */
export function withChannel<Result>(
  work: (opened: OpenedStore & { channel: KeyChangeChannel | undefined }) => Promise<Result>,
): Promise<Result> {
  return withStore(async (opened) => {
    const { redisUrl } = readConfig();
    // Loaded on demand: without Redis a command starts faster.
    const channel = redisUrl === undefined ? undefined : await (await import("../access/keys/open-key-change-channel.ts")).openKeyChangeChannel(redisUrl);
    try {
      return await work({ ...opened, channel });
    } finally {
      await channel?.close();
    }
  });
}
