import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../store/store.ts";
import { outboxFileOf, outboxFolderOf } from "./deliver-mail.ts";
import { deleteMailsDoneBefore } from "./mails.table.ts";

const msPerDay = 86_400_000;
/** Longer than any mail is of use. */
const keptDays = 7;

async function removeOldFiles(dataDir: string, beforeMs: number): Promise<void> {
  const folder = outboxFolderOf(dataDir);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? [] : Promise.reject(error)));
  for (const name of names) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

/** Mails that were sent or given up go, and so do their files. */
export async function keepMails(store: Store, settings: { dataDir: string; nowMs: number }): Promise<void> {
  const beforeMs = settings.nowMs - keptDays * msPerDay;
  await store.write([deleteMailsDoneBefore(store.db, beforeMs)]);
  await removeOldFiles(settings.dataDir, beforeMs);
}

export async function removeMailFiles(dataDir: string, mailIds: readonly string[]): Promise<void> {
  for (const id of mailIds) await rm(outboxFileOf(dataDir, id), { force: true });
}
