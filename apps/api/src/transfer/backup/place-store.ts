/**
 * Puts a complete store in the place of another one. A folder with all of it is prepared beside the old store and then
 * renamed; that one rename decides. Whoever comes after it, this process or the next start, only ever carries on:
 * so the folder holds the old store or the new one, wherever the power went.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteFileName } from "../../store/open-store.ts";
import { databaseFileNames, databasePathOf, secretFileName } from "./store-files.ts";
import { syncToDisk } from "./sync-files.ts";

const stagedName = "restore.part";
const readyPrefix = "restore.ready-";
const asidePrefix = "replaced-";
/** Local copies of mails belong to the rows of the store that sent them. */
const outboxName = "outbox";

export const hasStore = (dataDir: string): boolean => existsSync(databasePathOf(dataDir));

/** An empty folder to prepare a store in; what a cut attempt left there is gone. */
export function stageStore(dataDir: string): string {
  const staged = join(dataDir, stagedName);
  dropStaged(dataDir);
  mkdirSync(staged, { mode: 0o700 });
  return staged;
}

export const dropStaged = (dataDir: string): void => rmSync(join(dataDir, stagedName), { recursive: true, force: true });

/** Where exchanging has been decided, and by which name what it replaces is kept. */
function findReady(dataDir: string): { ready: string; aside: string } | undefined {
  const name = readdirSync(dataDir).find((each) => each.startsWith(readyPrefix));
  if (name === undefined) return undefined;
  return { ready: join(dataDir, name), aside: join(dataDir, asidePrefix + name.slice(readyPrefix.length)) };
}

export const isPlacingDue = (dataDir: string): boolean => findReady(dataDir) !== undefined;

/**
 * Carries out what was decided, from wherever it stopped. What is still in the ready folder has not been placed, so what
 * has its name outside is of the old store. Gives the folder that keeps the old store, if there was one.
 */
export function finishPlacing(dataDir: string): string | undefined {
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
  // The secret first: the store is there when all is there.
  place(secretFileName, [secretFileName]);
  place(sqliteFileName, [...databaseFileNames, outboxName]);
  for (const folder of [aside, dataDir].filter(existsSync)) syncToDisk(folder);
  rmdirSync(ready);
  syncToDisk(dataDir);
  return existsSync(aside) ? aside : undefined;
}

/** Decides for the staged store and puts it in place. Whoever calls this holds the folder alone. */
export function placeStaged(dataDir: string, nowMs: number): string | undefined {
  const staged = join(dataDir, stagedName);
  const names = readdirSync(staged);
  const isWhole = names.includes(sqliteFileName) && names.every((name) => name === sqliteFileName || name === secretFileName);
  if (!isWhole) throw new Error(`a staged store must be closed and complete, and this one is ${names.join(", ")}`);
  for (const name of names) syncToDisk(join(staged, name));
  syncToDisk(staged);
  const stamp = new Date(nowMs).toISOString().replaceAll(":", "-");
  renameSync(staged, join(dataDir, readyPrefix + stamp));
  syncToDisk(dataDir);
  return finishPlacing(dataDir);
}
