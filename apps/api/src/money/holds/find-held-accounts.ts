import type { Reader } from "../../store/store.ts";
import { findEarlierAccounts } from "./find-earlier-accounts.ts";
import { selectAccountsWithFindings, selectOpenHolds } from "./holds.table.ts";

/** Those of the accounts that have an open hold or finding, or are linked to one that has. Nothing of them is confirmed. */
export async function findHeldAccounts(reader: Reader, accountIds: readonly string[]): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set();
  const { db, run } = reader;
  const earlierOf = await findEarlierAccounts(reader, accountIds);
  const withLinked = [...new Set([...accountIds, ...[...earlierOf.values()].flatMap((earlier) => [...earlier])])];
  const held = new Set((await run(selectOpenHolds(db, withLinked))).map((hold) => hold.account_id));
  for (const { account_id: accountId } of await run(selectAccountsWithFindings(db, withLinked))) held.add(accountId);
  return new Set(accountIds.filter((id) => held.has(id) || [...earlierOf.get(id)!].some((earlier) => held.has(earlier))));
}
