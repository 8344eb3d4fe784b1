import { selectCheckpointFrom, selectLogs, selectRunOf } from "./log.table.ts";
import type { LogStore } from "./read-log.ts";

/** As the log signed it. Lines of witnesses come later and are left out, so that it never changes. */
export type CoveringCheckpoint = { origin: string; size: number; root: Uint8Array; note: string; atMs: number };

/** When the first log was opened; undefined if there is none. */
export async function readFirstLogTime({ db }: LogStore): Promise<number | undefined> {
  return (await selectLogs(db).execute()).at(-1)?.opened_at;
}

/** The first checkpoint of the first log that covers the entry: the same one whenever it is asked for. */
export async function findFirstCheckpoint({ db }: LogStore, { accountId, seq }: { accountId: string; seq: number }): Promise<CoveringCheckpoint | undefined> {
  for (const { number: log, origin } of (await selectLogs(db).execute()).toReversed()) {
    const run = await selectRunOf(db, { log, accountId, seq }).executeTakeFirst();
    if (!run || seq >= run.first_seq + run.count) continue;
    const row = await selectCheckpointFrom(db, { log, size: run.first_index + seq - run.first_seq + 1 }).executeTakeFirst();
    if (row) return { origin, size: row.size, root: row.root, note: row.note, atMs: row.at };
  }
  return undefined;
}

/** The account's newest entry in the open log; undefined if it has none there. */
export async function findNewestLoggedSeq({ db }: LogStore, accountId: string): Promise<number | undefined> {
  const open = await selectLogs(db).limit(1).executeTakeFirst();
  const run = open && (await selectRunOf(db, { log: open.number, accountId, seq: Number.MAX_SAFE_INTEGER }).executeTakeFirst());
  return run && run.first_seq + run.count - 1;
}
