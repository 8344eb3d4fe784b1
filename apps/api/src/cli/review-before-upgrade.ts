import { join } from "node:path";
import { readConfig } from "../config.ts";
import { usdOf, usdText } from "../formats/money.ts";
import { selectBalance } from "../money/ledger/ledger.table.ts";
import { selectEmails } from "../register/accounts.table.ts";
import { checkBeforeUpgrade } from "../scoring/traffic/check-before-upgrade.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { openPostgres } from "../store/open-postgres.ts";
import { openSqlite } from "../store/open-sqlite.ts";
import { readOnly, serviceSettings } from "../store/primary/session-settings.ts";
import { sqliteFileName } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { JsonOption } from "./define-command.ts";
import { printJson, printLines, tableLines } from "./print.ts";

/** Without migrating it, and beside a running service of an earlier version. Only its reads are used. */
function openUnmigrated(config: ReturnType<typeof readConfig>): Store {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) return openSqlite(join(dataDir, sqliteFileName));
  return openPostgres(databaseUrl, () => {}, { settings: { ...serviceSettings, ...readOnly } });
}

/** Whom to hold before an upgrade confirms what was earned: what the checks would have found in the sessions that are stored. */
export async function listBeforeUpgrade(options: JsonOption): Promise<void> {
  const config = readConfig();
  const store = openUnmigrated(config);
  try {
    const { checked, suspects } = await checkBeforeUpgrade(store, { nowMs: Date.now(), retentionDays: config.sessionRetentionDays, random: Math.random }).catch((error: Error) => {
      throw explainOpenError(error, config);
    });
    const accounts = [];
    for (const { accountId, evidence, code, days } of suspects) {
      const [account] = await selectEmails(store.db, [accountId]).execute();
      const head = await selectBalance(store.db, accountId).executeTakeFirstOrThrow();
      accounts.push({ account_id: accountId, email: account!.email, evidence, code, days, unpaid_usd: usdOf(head.balance_micro) });
    }
    if (options.json) return await printJson({ checked, accounts });
    return await printLines([
      `Accounts checked: ${checked}. To hold before the upgrade: ${accounts.length}.`,
      ...(accounts.length === 0
        ? []
        : ["", ...tableLines(["Account", "Evidence", "Found by", "Days", "Unpaid, USD"], accounts.map((each) => [each.email, each.evidence.toExponential(1), each.code, String(each.days.length), usdText(each.unpaid_usd)]))]),
    ]);
  } finally {
    await store.close();
  }
}
