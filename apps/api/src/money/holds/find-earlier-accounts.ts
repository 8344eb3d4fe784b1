import { selectEarlierSharers } from "../../register/payees.table.ts";
import type { Reader } from "../../store/store.ts";

/** Links form chains: each round follows them one account further back. */
const linkRoundsMax = 20;

/** For each of these accounts, and each that is found on the way, those that it is linked to, directly or through others. */
export async function findEarlierAccounts({ db, run }: Reader, accountIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const earlierOf = new Map<string, string[]>();
  let asked: string[] = [...new Set(accountIds)];
  for (let round = 0; round < linkRoundsMax && asked.length > 0; round += 1) {
    const links = await run(selectEarlierSharers(db, asked));
    for (const id of asked) earlierOf.set(id, []);
    for (const link of links) earlierOf.get(link.account_id)!.push(link.earlier_id);
    asked = [...new Set(links.map((link) => link.earlier_id))].filter((id) => !earlierOf.has(id));
  }
  for (const id of asked) earlierOf.set(id, []);
  const reachedFrom = (accountId: string): Set<string> => {
    const reached = new Set<string>();
    const open = [accountId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const earlier of earlierOf.get(id) ?? []) {
        if (reached.has(earlier)) continue;
        reached.add(earlier);
        open.push(earlier);
      }
    }
    reached.delete(accountId);
    return reached;
  };
  return new Map([...earlierOf.keys()].map((id) => [id, reachedFrom(id)]));
}
