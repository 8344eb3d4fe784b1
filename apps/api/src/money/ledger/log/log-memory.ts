/** What this installation remembers of its log outside of the database, which may be put back to an earlier state. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogStore } from "./read-log.ts";
import { selectCheckpointFrom, selectLogs } from "./log.table.ts";

/** `root`: base64. */
export type Remembered = { log: number; origin: string; size: number; root: string };

export type LogMemory = {
  /** Undefined if it remembers nothing, or cannot be read. */
  recall(): Promise<Remembered | undefined>;
  remember(newest: Remembered): Promise<void>;
};

const redisKey = "log:checkpoint";
export const memoryFileName = "log-checkpoint.json";

export function parseRemembered(text: string): Remembered | undefined {
  try {
    const { log, origin, size, root } = JSON.parse(text) as Record<string, unknown>;
    const isWhole = Number.isSafeInteger(log) && typeof origin === "string" && Number.isSafeInteger(size) && typeof root === "string";
    return isWhole ? ({ log, origin, size, root } as Remembered) : undefined;
  } catch {
    return undefined;
  }
}

/** A file in DATA_DIR, replaced as a whole. Workers that share the folder write drafts of their own. */
export function createFileMemory(dataDir: string, worker?: number): LogMemory {
  const path = join(dataDir, memoryFileName);
  const draft = worker === undefined ? `${path}.new` : `${path}.new-${worker}`;
  return {
    async recall() {
      try {
        return parseRemembered(readFileSync(path, "utf8"));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async remember(newest) {
      const file = openSync(draft, "w", 0o600);
      writeSync(file, `${JSON.stringify(newest)}\n`);
      fsyncSync(file);
      closeSync(file);
      renameSync(draft, path);
    },
  };
}

type KeyValues = { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<unknown> };

/** Redis, where there is one: all nodes share it. While it is away, the file alone remembers. `redisOf`: the server that has the key. */
export function createRedisMemory(redisOf: (key: string) => KeyValues): LogMemory {
  const at = async <Reply>(ask: (redis: KeyValues) => Promise<Reply>): Promise<Reply> => ask(redisOf(redisKey));
  return {
    async recall() {
      const text = await at((redis) => redis.get(redisKey)).catch(() => null);
      return text === null ? undefined : parseRemembered(text);
    },
    async remember(newest) {
      await at((redis) => redis.set(redisKey, JSON.stringify(newest))).catch(() => undefined);
    },
  };
}

/** `host/assay/Ab3dEf9h/2` is the second log of `host/assay/Ab3dEf9h`. */
export const firstOriginOf = ({ log, origin }: Pick<Remembered, "log" | "origin">): string => (log === 1 ? origin : origin.slice(0, origin.lastIndexOf("/")));

/** Why the open log must not be continued: it would contradict what was signed before. Undefined if it may. */
export async function findContradiction(store: LogStore, { log, origin, size, root }: Remembered): Promise<string | undefined> {
  const open = await selectLogs(store.db).limit(1).executeTakeFirst();
  if (!open) return `the database has no log, but entries up to ${size} were logged in ${origin}`;
  // The data folder was that of another installation.
  if (firstOriginOf({ log: open.number, origin: open.origin }) !== firstOriginOf({ log, origin })) return undefined;
  // What was signed in a log that is closed is not continued anyway.
  if (open.number > log) return undefined;
  if (open.origin !== origin) return `the database does not know the log ${origin}`;
  const checkpoint = await selectCheckpointFrom(store.db, { log, size }).executeTakeFirst();
  if (!checkpoint) return `the database is behind the checkpoint of size ${size}`;
  const isSame = checkpoint.size === size && Buffer.from(checkpoint.root).toString("base64") === root;
  return isSame ? undefined : `the database contradicts the checkpoint of size ${size}`;
}
