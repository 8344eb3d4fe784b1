import type { FindingsReply } from "@assay/contract/dashboard/integrity.ts";
import { selectEmails } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { describeFinding } from "./describe-finding.ts";
import { overdueMs } from "./finding-codes.ts";
import { selectFindings } from "./findings.table.ts";

const findingsShown = 500;

/** For operators: open findings first, the oldest first; then closed ones, the newest first. */
export async function listFindings(store: Store, options: { accountId: string | undefined; nowMs: number }): Promise<FindingsReply> {
  const rows = await selectFindings(store.db, { accountId: options.accountId, limit: findingsShown }).execute();
  const ids = [...new Set(rows.flatMap((row) => [row.account_id, row.opened_by ?? [], row.decided_by ?? []].flat()))];
  const emails = new Map(ids.length === 0 ? [] : (await selectEmails(store.db, ids).execute()).map(({ id, email }) => [id, email]));
  return {
    findings: rows.map((row) => ({
      ...describeFinding(row),
      account_id: row.account_id,
      email: emails.get(row.account_id) ?? null,
      opened_by: emails.get(row.opened_by ?? "") ?? null,
      decided_by: emails.get(row.decided_by ?? "") ?? null,
      overdue: row.closed_at === null && row.opened_at + overdueMs < options.nowMs,
    })),
  };
}
