import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { mailIdOfFile, outboxFileOf, outboxFolderOf } from "./deliver-mail.ts";
import { deleteMailsDoneBefore, selectKnownMails } from "./mails.table.ts";
import { msPerDay } from "../formats/time.ts";

/** Longer than any mail is of use. */
const keptDays = 7;
const idsPerLook = 500;

/** Mails that were sent or given up go. */
export function clearOutbox(store: Store, order: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  const atMs = order.nowMs - keptDays * msPerDay;
  return deleteInSteps((limit) => deleteMailsDoneBefore(store.db, { atMs, limit }).executeTakeFirst(), order.isOver);
}

/** Which of the files belong to a mail that is still in the table. */
async function findKnown(store: Store, names: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let from = 0; from < names.length; from += idsPerLook) {
    const ids = names.slice(from, from + idsPerLook).map(mailIdOfFile);
    for (const { id } of await selectKnownMails(store.db, ids).execute()) known.add(id);
  }
  return known;
}

/**
 * Removes the files in this node's folder that are old, and those whose mail is gone: another node may have erased the
 * account that it was for.
 */
export async function keepMailFiles(store: Store, settings: { dataDir: string; nowMs: number }): Promise<void> {
  const beforeMs = settings.nowMs - keptDays * msPerDay;
  const folder = outboxFolderOf(settings.dataDir);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : Promise.reject(error)));
  const known = await findKnown(store, names);
  for (const name of names) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < beforeMs || !known.has(mailIdOfFile(name))) await rm(file, { force: true });
  }
}

export async function removeMailFiles(dataDir: string, mailIds: readonly string[]): Promise<void> {
  for (const id of mailIds) await rm(outboxFileOf(dataDir, id), { force: true });
}
