import type { Store } from "../../store/store.ts";
import { selectOtherKeys, selectWorkingKeys } from "./keys.table.ts";

/** The command line makes as many as it is asked for; accounts have fewer: see key-bounds.ts. */
const workingMax = 1_000;
const othersMax = 200;

/** The keys that work, and the newest of those that do not, the oldest first. `leavesOut`: whether there are more. */
export async function listKeys({ db }: Store, { accountId, nowMs }: { accountId: string; nowMs: number }) {
  const working = await selectWorkingKeys(db, { accountId, nowMs, limit: workingMax + 1 }).execute();
  const others = await selectOtherKeys(db, { accountId, nowMs, limit: othersMax + 1 }).execute();
  const keys = [...working.slice(0, workingMax), ...others.slice(0, othersMax)];
  return {
    keys: keys.toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1)),
    leavesOut: working.length > workingMax || others.length > othersMax,
  };
}

export type ListedKey = Awaited<ReturnType<typeof listKeys>>["keys"][number];
