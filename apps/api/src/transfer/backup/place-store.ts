/**
 * Replaces a store atomically. A complete store is staged in a folder beside the old one; renaming that folder is the
 * commit point. After it, this process or the next start only rolls forward. So the data folder holds the old store or
 * the new one, wherever the power fails.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteFileName } from "../../store/open-store.ts";
import { databaseFileNames, databasePathOf, secretFileName, syncToDisk } from "./store-files.ts";

const stagedName = "restore.part";
const readyPrefix = "restore.ready-";
const asidePrefix = "replaced-";
/** Local copies of mails belong to the store that sent them, and move aside with it. */
const outboxName = "outbox";

export const hasStore = (dataDir: string): boolean => existsSync(databasePathOf(dataDir));

/** Creates an empty staging folder; what an interrupted attempt left there is deleted. */
export function stageStore(dataDir: string): string {
  const staged = join(dataDir, stagedName);
  deleteStagedStore(dataDir);
  mkdirSync(staged, { mode: 0o700 });
  return staged;
}

export const deleteStagedStore = (dataDir: string): void => rmSync(join(dataDir, stagedName), { recursive: true, force: true });

/** The committed replacement, if any, and the folder that keeps the store it replaces. */
function findReady(dataDir: string): { ready: string; aside: string } | undefined {
  const name = readdirSync(dataDir).find((each) => each.startsWith(readyPrefix));
  if (name === undefined) return undefined;
  return { ready: join(dataDir, name), aside: join(dataDir, asidePrefix + name.slice(readyPrefix.length)) };
}

export const isPlacementPending = (dataDir: string): boolean => findReady(dataDir) !== undefined;

/**
 * Completes a committed replacement from wherever it stopped. A file still in the ready folder is not placed yet, so
 * the file of that name outside belongs to the old store. Returns the folder that keeps the old store, if there was one.
 */
export function finishPlacement(dataDir: string): string | undefined {
  const found = findReady(dataDir);
  if (!found) return undefined;
  const { ready, aside } = found;
  const moveAside = (names: readonly string[]) => {
    for (const name of names.filter((each) => existsSync(join(dataDir, each)))) {
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      renameSync(join(dataDir, name), join(aside, name));
    }
  };
  const place = (name: string, replaces: readonly string[]) => {
    if (!existsSync(join(ready, name))) return;
    moveAside(replaces);
    renameSync(join(ready, name), join(dataDir, name));
  };
  // The secret first: once the database is in place, everything is.
  place(secretFileName, [secretFileName]);
  place(sqliteFileName, [...databaseFileNames, outboxName]);
  for (const folder of [aside, dataDir].filter(existsSync)) syncToDisk(folder);
  rmdirSync(ready);
  syncToDisk(dataDir);
  return existsSync(aside) ? aside : undefined;
}

/** Commits the staged store and puts it in place. The caller has locked the folder exclusively. */
export function placeStagedStore(dataDir: string, nowMs: number): string | undefined {
  const staged = join(dataDir, stagedName);
  const names = readdirSync(staged);
  const isWhole = names.includes(sqliteFileName) && names.every((name) => name === sqliteFileName || name === secretFileName);
  if (!isWhole) throw new Error(`a staged store must be closed and complete, and this one is ${names.join(", ")}`);
  for (const name of names) syncToDisk(join(staged, name));
  syncToDisk(staged);
  const stamp = new Date(nowMs).toISOString().replaceAll(":", "-");
  renameSync(staged, join(dataDir, readyPrefix + stamp));
  syncToDisk(dataDir);
  return finishPlacement(dataDir);
}
