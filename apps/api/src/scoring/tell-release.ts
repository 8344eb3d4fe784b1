import { insertDate, selectDate, selectModelDates } from "../money/corrections/corrections.table.ts";
import { selectAccounts } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { writeOnce } from "../webhooks/events/write-once.ts";

const accountsPerPage = 200;
const prefix = "model:";

/** The version that this one replaced here; undefined if it is the first, or was itself replaced. */
async function findReplaced(store: Store, version: string): Promise<string | undefined> {
  const [latest, before] = await selectModelDates(store.db).execute();
  return latest?.name === `${prefix}${version}` ? before?.name.slice(prefix.length) : undefined;
}

/** Remembers which model scores here, and tells every active account once that a new one does. */
export async function tellRelease(store: Store, { version, nowMs, isOver }: { version: string; nowMs: number; isOver: () => boolean }): Promise<number> {
  await store.write([insertDate(store.db, { name: `model:${version}`, at: nowMs })]);
  const replaced = await findReplaced(store, version);
  if (replaced === undefined || (await selectDate(store.db, `model_told:${version}`).executeTakeFirst())) return 0;
  let told = 0;
  for (let afterId = ""; ; ) {
    const accounts = await selectAccounts(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, status, demo } of accounts) {
      if (isOver()) return told;
      afterId = accountId;
      if (status !== "active" || demo === 1) continue;
      const data = { account_id: accountId, model_version: version, previous_version: replaced };
      if ((await writeOnce(store, { audience: accountId, type: "model.released", data }, { onceKey: `model.released:${version}`, nowMs })) === "written") told += 1;
    }
    if (accounts.length < accountsPerPage) break;
  }
  await store.write([insertDate(store.db, { name: `model_told:${version}`, at: nowMs })]);
  return told;
}
