import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { canonicalText, type ChainPlace, chainStart, findChainProblems, stepAfter } from "@assay/contract/ledger-chain.ts";
import { createHash, hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

type Head = { account_id: string; seq: number; hash: string; balance_micro: number };

/**
 * Recomputes every chain of an embedded store, up to its head, in bounded memory. Throws at the first break. Returns a
 * digest of all entries: the same before and after a migration that copies them. It reads columns of the first version
 * only.
 */
export function verifyChains(database: DatabaseSync): string {
  const heads = new Map((database.prepare("SELECT account_id, seq, hash, balance_micro FROM ledger_heads").all() as Head[]).map((head) => [head.account_id, head]));
  const entries = database.prepare(
    `SELECT account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash
     FROM ledger_entries ORDER BY account_id, seq`,
  );
  const digest = createHash("sha256");
  const fail = (accountId: string, problem: string): never => {
    throw new Error(`the chain of ${accountId} is broken (${problem}): the migration stopped and changed nothing. Restore a backup, or find out who changed it`);
  };
  function finish(accountId: string, place: ChainPlace): void {
    const head = heads.get(accountId);
    if (!head || head.seq !== place.seq || head.hash !== place.hash) return fail(accountId, "it does not end at its head");
    if (head.balance_micro !== place.balance_micro) fail(accountId, "its entries do not add up to its balance");
    heads.delete(accountId);
  }
  let accountId: string | undefined;
  let place = chainStart;
  for (const row of entries.iterate() as Iterable<LedgerEntry>) {
    if (row.account_id !== accountId) {
      if (accountId !== undefined) finish(accountId, place);
      accountId = row.account_id;
      place = chainStart;
    }
    const [problem] = findChainProblems(place, row, hash("sha256", canonicalText(row), "hex"));
    if (problem) fail(row.account_id, `entry ${row.seq}: ${problem}`);
    place = stepAfter(place, row);
    digest.update(row.hash);
  }
  if (accountId !== undefined) finish(accountId, place);
  for (const head of heads.values()) if (head.seq > 0) fail(head.account_id, "its entries are missing");
  return digest.digest("hex");
}
