import { readConfig } from "../config.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { openStore } from "../store/open-store.ts";
import { openStoreClock } from "../store/store-clock.ts";
import type { Store } from "../store/store.ts";

export type OpenedStore = { store: Store; migrated: string[]; nowMs: number };

/** Opens and migrates the store that the settings name, and closes it again, whatever the work does. */
export async function withStore<Result>(work: (opened: OpenedStore) => Promise<Result>): Promise<Result> {
  const config = readConfig();
  const hold = config.databaseUrl === undefined ? prepareDataDir(config.dataDir) : undefined;
  // A connection that breaks fails the statement that needs it, and so the command.
  const context = { nowMs: Date.now(), onConnectionError: () => {} };
  const { store, migrated } = await openStore(config, context).catch((error: Error) => {
    throw explainOpenError(error, config);
  });
  try {
    return await work({ store, migrated, nowMs: await readStoreTime(store) });
  } finally {
    await store.close();
    hold?.release();
  }
}

/** What running servers go by: what a command does must be as old to them as to it. */
async function readStoreTime(store: Store): Promise<number> {
  const clock = await openStoreClock(store, { machineNowMs: Date.now, monotonicMs: () => performance.now(), onError: () => {} });
  clock.stop();
  return clock.nowMs();
}

async function openChannel() {
  const { redisUrl } = readConfig();
  if (redisUrl === undefined) return undefined;
  // Loaded only where it is used: without Redis a command starts sooner.
  const { openKeyChangeChannel } = await import("../access/keys/open-key-change-channel.ts");
  return openKeyChangeChannel(redisUrl);
}

/** The same for changes that running servers must hear of: at once through Redis where there is one. */
export function withAnnouncements<Result>(
  work: (opened: OpenedStore & { channel: KeyChangeChannel | undefined }) => Promise<Result>,
): Promise<Result> {
  return withStore(async (opened) => {
    const channel = await openChannel();
    try {
      return await work({ ...opened, channel });
    } finally {
      await channel?.close();
    }
  });
}
