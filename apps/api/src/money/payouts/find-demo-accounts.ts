import { selectDemoIds } from "../../register/accounts.table.ts";
import type { Reader } from "../../store/store.ts";

/** Those of the accounts that are paid with demo money. */
export async function findDemoAccounts({ db, run }: Reader, accountIds: readonly string[]): Promise<Set<string>> {
  const wanted = [...new Set(accountIds)];
  return new Set(wanted.length === 0 ? [] : (await run(selectDemoIds(db, wanted))).map(({ id }) => id));
}
