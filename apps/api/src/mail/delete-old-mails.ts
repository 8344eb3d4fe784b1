import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { msPerDay } from "../formats/time.ts";
import { timeOfId } from "../ids/time-ordered-id.ts";
import { type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { mailIdOfFile, outboxFileOf, outboxFolderOf } from "./deliver-mail.ts";
import { deleteMailsDoneBefore, selectKnownMails } from "./mails.table.ts";

/** Longer than any mail is useful. */
const retentionDays = 7;
const idsPerQuery = 500;

/** Deletes mails that were sent or failed. */
export function deleteOldMails(store: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<Deleted> {
  const atMs = nowMs - retentionDays * msPerDay;
  return deleteInSteps((limit) => deleteMailsDoneBefore(store.db, { atMs, limit }).executeTakeFirst(), isOver);
}

/** The ids of those files whose mail is still in the table. */
async function findKnown(store: Store, names: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let from = 0; from < names.length; from += idsPerQuery) {
    const ids = names.slice(from, from + idsPerQuery).map(mailIdOfFile);
    for (const { id } of await selectKnownMails(store.db, ids).execute()) known.add(id);
  }
  return known;
}

/** Deletes this node's old mail files, and those whose row is gone because another node erased the account. */
export async function deleteOldMailFiles(store: Store, settings: { dataDir: string; nowMs: number }): Promise<void> {
  const beforeMs = settings.nowMs - retentionDays * msPerDay;
  const folder = outboxFolderOf(settings.dataDir);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : Promise.reject(error)));
  const known = await findKnown(store, names);
  for (const name of names) {
    const id = mailIdOfFile(name);
    // By the mail's age: a backup that was restored gives all of its files a new time.
    if (timeOfId(id) < beforeMs || !known.has(id)) await rm(join(folder, name), { force: true });
  }
}

export async function removeMailFiles(dataDir: string, mailIds: readonly string[]): Promise<void> {
  for (const id of mailIds) await rm(outboxFileOf(dataDir, id), { force: true });
}
