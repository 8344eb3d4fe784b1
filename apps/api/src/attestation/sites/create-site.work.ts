import { sitesMax } from "@assay/contract/dashboard/site-limits.ts";
import { lockAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { countSites, insertSite } from "./sites.table.ts";

export type NewSite = { siteId: string; accountId: string; actorAccountId: string | null; name: string; origins: readonly string[]; nowMs: number };
export type CreateOutcome = "created" | "not_verified" | "not_active" | "too_many_sites";

/** The lock on the account makes creations wait for each other, and for a closure: of two at once, the second one counts the first. */
export const work: TransactionWork<NewSite, CreateOutcome> = async (tx, { siteId, accountId, actorAccountId, name, origins, nowMs }) => {
  const [account] = await tx.run(lockAccount(tx.db, accountId));
  if (account?.status !== "active") return "not_active";
  if (account.verified_at === null) return "not_verified";
  const [existing] = await tx.run(countSites(tx.db, accountId));
  if (existing!.count >= sitesMax) return "too_many_sites";
  await tx.change(
    insertSite(tx.db, { id: siteId, account_id: accountId, name, origins: JSON.stringify(origins), created_at: nowMs, changed_at: nowMs, deleted_at: null, last_seen_at: null }),
  );
  // Without name and origins: they may name a person, and the audit log is never erased.
  await tx.change(noteAction(tx.db, { actorAccountId, action: "site.created", subject: siteId, accountId, detail: { origins: origins.length }, nowMs }));
  return "created";
};
