// Prints the SQL that every query function of the *.table.ts files makes, for both databases, into
// docs/sql/, so that a change of a query shows in its diff.
//   npm run sql              writes the files
//   npm run sql -- --check   fails when a file is stale, missing or left over
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type * as adHours from "../apps/api/src/ads/ad-hours.table.ts";
import type * as adClicks from "../apps/api/src/ads/clicks.table.ts";
import type * as liveOfferSums from "../apps/api/src/ads/live-offer-sums.table.ts";
import type * as offers from "../apps/api/src/ads/offers.table.ts";
import type * as trackingKeys from "../apps/api/src/ads/tracking-keys.table.ts";
import type * as accounts from "../apps/api/src/accounts/accounts.table.ts";
import type * as tiers from "../apps/api/src/accounts/tiers.table.ts";
import type * as ledger from "../apps/api/src/billing/ledger.table.ts";
import type * as movements from "../apps/api/src/billing/movements.table.ts";
import type * as ownAccount from "../apps/api/src/dashboard/own-account.table.ts";
import type * as requests from "../apps/api/src/dashboard/requests.table.ts";
import type * as dashboardSessions from "../apps/api/src/dashboard/sessions.table.ts";
import type * as tierRequests from "../apps/api/src/dashboard/tier-requests.table.ts";
import type * as keys from "../apps/api/src/keys/keys.table.ts";
import type * as keepStore from "../apps/api/src/operations/keep-store.table.ts";
import type * as sessions from "../apps/api/src/sessions/sessions.table.ts";
import type * as traffic from "../apps/api/src/traffic/traffic.table.ts";
import { compileOnly } from "../apps/api/src/store/compile-only.ts";
import { accountSamples } from "./sql-samples/accounts.ts";
import { campaignSamples } from "./sql-samples/campaigns.ts";
import { moneySamples } from "./sql-samples/money.ts";
import { accountId, type Db, nowMs, type Samples, type SamplesOf, span } from "./sql-samples/samples-of.ts";

type Statement = { compile(): { sql: string } };
type QueryFunction = (db: Db, ...rest: unknown[]) => Statement | Statement[];

const root = dirname(import.meta.dirname);
const sourceFolder = join(root, "apps", "api", "src");
const printedFolder = join(root, "docs", "sql");

const samples: Samples = {
  ...accountSamples,
  ...campaignSamples,
  ...moneySamples,
  "ads/ad-hours.table.ts": {
    addToNoFillHours: [[{ account_id: accountId, hour: nowMs, reason: "no_campaign", requests: 1 }]],
    addToAdHours: [
      [
        {
          account_id: accountId,
          hour: nowMs,
          campaign_id: "camp_sample",
          creative_id: "crea_sample",
          placement: "feed",
          trust_band: "high",
          offers: 0,
          impressions: 1,
          valid_clicks: 1,
          spend_micro: 250_000,
          developer_micro: 170_000,
        },
      ],
    ],
    addToIgnoredClickHours: [[{ account_id: accountId, hour: nowMs, campaign_id: "camp_sample", reason: "duplicate", clicks: 1 }]],
    addToClickRates: [[{ creative_id: "crea_sample", placement: "feed", category: "gaming", impressions: 1, clicks: 1 }]],
  } satisfies SamplesOf<typeof adHours>,
  "ads/clicks.table.ts": {
    lockCampaigns: [["camp_sample"]],
    selectSpentOnDays: [{ campaignIds: ["camp_sample"], days: [nowMs] }],
    spendOfCampaign: [{ campaignId: "camp_sample", microUsd: 250_000 }],
    spendOnDay: [{ campaignId: "camp_sample", day: nowMs, microUsd: 250_000 }],
    insertClicks: [
      [
        {
          offer_id: "ad_sample",
          account_id: accountId,
          campaign_id: "camp_sample",
          creative_id: "crea_sample",
          placement: "feed",
          trust_band: "high",
          at: nowMs,
          price_micro: 250_000,
          developer_micro: 170_000,
          share_bps: 6_800,
          ledger_seq: 1,
          status: "pending",
          settled_at: null,
          reversal_seq: null,
          reason: null,
        },
      ],
    ],
    noteFirstClicks: [{ offerIds: ["ad_sample"], clickedMs: nowMs, verdict: "paid" }],
    settleAwaiting: [{ offerIds: ["ad_sample"], verdict: "paid" }],
    noteImpressions: [{ offerIds: ["ad_sample"], impressedMs: nowMs }],
  } satisfies SamplesOf<typeof adClicks>,
  "ads/live-offer-sums.table.ts": {
    upsertSums: [{ node_id: "node_sample", at: nowMs, sums: "{}" }],
    selectSumsOfOthers: [{ nodeId: "node_sample", sinceMs: nowMs, limit: 1_000 }],
    deleteSumsBefore: [nowMs],
  } satisfies SamplesOf<typeof liveOfferSums>,
  "ads/offers.table.ts": {
    selectSessionScore: [{ accountId, sessionId: "sess_sample" }],
    selectLanding: ["ad_sample"],
    selectOffers: [["ad_sample"]],
    lockOffers: [["ad_sample"]],
    selectAwaiting: [{ clickedBeforeMs: nowMs, limit: 250 }],
  } satisfies SamplesOf<typeof offers>,
  "ads/tracking-keys.table.ts": {
    selectTrackingKeys: [1_000],
    insertTrackingKey: [{ id: "0123456789", salt: "salt", created_at: nowMs, retired_at: null }],
    retireTrackingKeys: [nowMs],
    deleteTrackingKeysRetiredBefore: [nowMs],
  } satisfies SamplesOf<typeof trackingKeys>,
  "accounts/accounts.table.ts": {
    insertAccount: [
      {
        id: accountId,
        email: "sample@example.com",
        password_hash: null,
        tier: "Starter",
        status: "active",
        verified_at: null,
        operator: 0,
        demo: 0,
        created_at: nowMs,
      },
    ],
    selectAccountByEmail: ["sample@example.com"],
    selectAccounts: [{ afterId: "", limit: 500 }],
    countAccounts: [],
    setAccountTier: [{ accountId, tier: "Growth" }],
    moveAccountStatus: [{ accountId, from: "active", to: "suspended" }],
    setPasswordHash: [{ accountId, passwordHash: "salt:key" }],
    markDemo: [accountId],
    setVerified: [{ accountId, email: "sample@example.com", nowMs }],
    setEmail: [{ accountId, from: "sample@example.com", to: "other@example.com", nowMs }],
  } satisfies SamplesOf<typeof accounts>,
  "accounts/tiers.table.ts": {
    selectTiers: [],
    selectTierByName: ["Starter"],
    upsertTier: [{ name: "Starter", per_hour: 1_000, per_minute: 50, share_bps: 6_800 }],
  } satisfies SamplesOf<typeof tiers>,
  "billing/ledger.table.ts": {
    openChain: [{ accountId, nowMs }],
    selectHead: [accountId],
    selectHeads: [{ afterId: "", limit: 500 }],
    selectEntries: [{ accountId, afterSeq: 0, limit: 2_000 }],
    selectNextAccountWithEntries: ["acct_1"],
    selectRollupsOfAccount: [accountId],
    sumCallsByRate: [span],
    sumCallsByTime: [{ ...span, bucketMs: 3_600_000 }],
    lockHeads: [[accountId]],
    insertEntries: [
      [
        {
          account_id: accountId,
          seq: 1,
          at: nowMs,
          kind: "click",
          ref: "ad_sample",
          endpoint: "click",
          payer: "advertiser",
          share_bps: 6_800,
          gross_micro: 250_000,
          developer_micro: 170_000,
          platform_micro: 80_000,
          prev_hash: "hash",
          hash: "hash",
        },
      ],
    ],
    moveHead: [{ account_id: accountId, seq: 1, hash: "hash", at: nowMs, balance_micro: 170_000 }],
  } satisfies SamplesOf<typeof ledger>,
  "billing/movements.table.ts": {
    addToMovementHours: [
      { account_id: accountId, hour: nowMs, kind: "click", payer: "advertiser", entries: 1, gross_micro: 250_000, developer_micro: 170_000, platform_micro: 80_000 },
    ],
    selectMovementsOfAccount: [accountId],
    sumMovements: [span],
    sumMovementsByTime: [{ ...span, bucketMs: 86_400_000 }],
    sumCallsByTimeAndPayer: [{ ...span, bucketMs: 86_400_000 }],
    sumCallBalanceBefore: [{ accountId, beforeMs: nowMs }],
    sumMovementBalanceBefore: [{ accountId, beforeMs: nowMs }],
    selectPlaceOf: [{ accountId, seq: 1 }],
    sumClicksOf: [{ accountId, fromSeq: 1, toSeq: 100, status: "pending" }],
    selectEntriesBefore: [{ accountId, beforeSeq: 100, limit: 50 }],
  } satisfies SamplesOf<typeof movements>,
  "dashboard/own-account.table.ts": {
    selectOwnAccount: [accountId],
    setHouseAds: [{ accountId, houseAds: false }],
    setSessionRetention: [{ accountId, days: 30 }],
    selectPayee: [accountId],
    upsertPayee: [
      {
        account_id: accountId,
        legal_name: "Sample Ltd",
        address: "1 High Street",
        country: "GB",
        tax_id: null,
        method: "paypal",
        account: "sample@example.com",
        bank_code: null,
        updated_at: nowMs,
      },
    ],
    selectLatestSession: [accountId],
    selectAnyOutcome: [accountId],
    selectKeysSeenInBrowser: [{ accountId, nowMs }],
    selectShorterRetentions: [{ afterId: "", limit: 500 }],
    deleteSessionsOfAccount: [{ accountId, beforeId: "sess_sample", limit: 1_000 }],
    deleteOutcomesOfAccount: [{ accountId, beforeId: "sess_sample", limit: 1_000 }],
  } satisfies SamplesOf<typeof ownAccount>,
  "dashboard/requests.table.ts": {
    addToRequestHours: [[{ account_id: accountId, hour: nowMs, endpoint: "predict", key_id: "key_sample", status: 200, requests: 1 }]],
    insertLogs: [
      [
        {
          account_id: accountId,
          id: "log_sample",
          at: nowMs,
          request_id: "req_sample",
          method: "POST",
          endpoint: "/api/ml/predict",
          key_id: "key_sample",
          status: 200,
          error: null,
          message: null,
          duration_ms: 0.4,
          requests: 1,
        },
      ],
    ],
    sumRequestsByTime: [{ ...span, bucketMs: 3_600_000, group: "status" }],
    selectLogs: [{ accountId, fromId: "log_1", toId: "log_2", scan: 5_000, limit: 50, filter: { statuses: { from: 400, to: 500 }, keyId: "key_sample" } }],
    selectLogScanEnd: [{ accountId, fromId: "log_1", toId: "log_2", scan: 5_000 }],
    selectLogsOfRequest: [{ accountId, requestId: "req_sample" }],
    deleteLogsBefore: [{ atMs: nowMs, limit: 1_000 }],
    deleteRequestHoursBefore: [{ hourMs: nowMs, limit: 1_000 }],
  } satisfies SamplesOf<typeof requests>,
  "dashboard/sessions.table.ts": {
    selectSessions: [
      { accountId, fromId: "sess_1", toId: "sess_2", scan: 5_000, limit: 50, filter: { mode: "live", scores: { from: 70, to: 1_000 }, outcome: "bot" } },
    ],
    selectScanEnd: [{ accountId, fromId: "sess_1", toId: "sess_2", scan: 5_000 }],
    selectOutcomes: [{ accountId, sessionId: "sess_sample", limit: 20 }],
    selectReceipt: [{ accountId, sessionId: "sess_sample" }],
  } satisfies SamplesOf<typeof dashboardSessions>,
  "dashboard/tier-requests.table.ts": {
    selectPendingTierRequest: [accountId],
    withdrawTierRequest: [{ accountId, nowMs }],
    insertTierRequest: [{ id: "tierreq_sample", account_id: accountId, tier: "Growth", state: "pending", requested_at: nowMs, decided_at: null }],
  } satisfies SamplesOf<typeof tierRequests>,
  "keys/keys.table.ts": {
    selectCallerByHash: ["hash"],
    insertKey: [
      {
        id: "key_sample",
        account_id: accountId,
        mode: "live",
        name: "sample",
        key_hash: "hash",
        last_four: "abcd",
        created_at: nowMs,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      },
    ],
    selectKeysOfAccount: [accountId],
    selectKeyOfAccount: [{ accountId, keyId: "key_sample" }],
    countWorkingKeys: [{ accountId, nowMs }],
    renameKey: [{ accountId, keyId: "key_sample", name: "renamed" }],
    replaceKey: [{ accountId, keyId: "key_sample", replacedBy: "key_new", untilMs: nowMs, nowMs }],
    insertReplacement: [{ id: "key_new", oldKeyId: "key_sample", keyHash: "hash", lastFour: "abcd", nowMs }],
    noteBrowserUse: [{ keyId: "key_sample", atMs: nowMs }],
    selectKeyById: ["key_sample"],
    revokeKeyById: [{ keyId: "key_sample", nowMs }],
    touchKey: [{ keyId: "key_sample", atMs: nowMs }],
    announceChange: [{ subject: "key:hash", nowMs }],
    selectEpoch: [],
    selectChangesAfter: [{ seq: 0, limit: 1_000 }],
    deleteChangesBefore: [nowMs],
  } satisfies SamplesOf<typeof keys>,
  "operations/keep-store.table.ts": {
    deleteRecordsBefore: [{ id: "sess_sample", limit: 1_000 }],
    deleteOutcomesBefore: [{ id: "sess_sample", limit: 1_000 }],
    deleteHoursBefore: [{ hourMs: nowMs, limit: 1_000 }],
    deleteAnswersBefore: [{ atMs: nowMs, limit: 1_000 }],
    deleteBatchesBefore: [{ atMs: nowMs, limit: 2_000 }],
    deleteOffersBefore: [{ id: "ad_sample", limit: 1_000 }],
    deleteSessionOffersBefore: [{ id: "sess_sample", limit: 1_000 }],
  } satisfies SamplesOf<typeof keepStore>,
  "sessions/sessions.table.ts": {
    selectSession: [{ accountId, sessionId: "sess_sample" }],
    insertOutcome: [{ accountId, sessionId: "sess_sample", outcome: "genuine", nowMs }],
    selectLatestOutcomes: [{ accountId, mode: "live", limit: 2_000, before: { at: nowMs, session_id: "sess_sample", seq: 1 } }],
  } satisfies SamplesOf<typeof sessions>,
  "traffic/traffic.table.ts": {
    selectLatestSessions: [{ accountId, fromId: "sess_1", toId: "sess_2", limit: 2_000 }],
    selectHours: [{ ...span, limit: 48 }],
    insertHours: [[{ account_id: accountId, hour: nowMs, summary: "{}" }]],
    selectActiveAccounts: [{ sinceMs: nowMs, afterId: "acct_1", limit: 500 }],
    selectHoursToSum: [span],
  } satisfies SamplesOf<typeof traffic>,
};

const databaseNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

const clauseStart =
  /(?<!^delete) (?=(?:from|(?:inner|left) join|where|group by|order by|limit|values|on conflict|returning|union(?: all)?) )/g;

/** Kysely writes one line; a clause a line is easier to compare. */
const layOut = (statement: Statement): string => `${statement.compile().sql.replaceAll(clauseStart, "\n  ")};`;

function printFunction(name: string, query: QueryFunction, rest: unknown[]): string {
  const parts = (["sqlite", "postgres"] as const).map((dialect) => {
    const result = query(compileOnly[dialect], ...rest);
    const statements = Array.isArray(result) ? result : [result];
    return `-- ${databaseNames[dialect]}\n${statements.map(layOut).join("\n")}\n`;
  });
  return `-- ${name}\n\n${parts.join("\n")}`;
}

async function printTableFile(file: string): Promise<string> {
  const module = (await import(pathToFileURL(join(sourceFolder, file)).href)) as Record<string, unknown>;
  const known = samples[file] ?? {};
  const functions = Object.entries(module).filter(([, value]) => typeof value === "function");
  const gone = Object.keys(known).filter((name) => typeof module[name] !== "function");
  const missing = functions.map(([name]) => name).filter((name) => !known[name]);
  if (missing.length > 0) throw new Error(`scripts/print-sql.ts has no sample arguments for ${missing.join(", ")} of ${file}`);
  if (gone.length > 0) throw new Error(`scripts/print-sql.ts has sample arguments for ${gone.join(", ")}, which ${file} does not export`);
  // In the order of the source: a module lists its exports by name.
  const source = readFileSync(join(sourceFolder, file), "utf8");
  const placeOf = (name: string): number => source.search(new RegExp(`export (async )?(function|const) ${name}\\b`));
  const sorted = functions.toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  const head = `-- Made by "npm run sql" from apps/api/src/${file}; do not edit.\n`;
  return [head, ...sorted.map(([name, query]) => printFunction(name, query as QueryFunction, known[name]!))].join("\n");
}

/** `billing/ledger.table.ts` is printed into `billing-ledger.sql`. */
const printedNameOf = (file: string): string => `${file.replace(/\.table\.ts$/, "").replaceAll(/[/\\]/g, "-")}.sql`;

async function printAll(): Promise<Map<string, string>> {
  const files = globSync("**/*.table.ts", { cwd: sourceFolder }).toSorted();
  if (files.length === 0) throw new Error("no *.table.ts file was found");
  const gone = Object.keys(samples).filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`scripts/print-sql.ts has samples for files that are gone: ${gone.join(", ")}`);
  const printed = new Map<string, string>();
  for (const file of files) printed.set(printedNameOf(file), await printTableFile(file));
  return printed;
}

function readPrinted(): Map<string, string> {
  mkdirSync(printedFolder, { recursive: true });
  const names = readdirSync(printedFolder).filter((name) => name.endsWith(".sql"));
  return new Map(names.map((name) => [name, readFileSync(join(printedFolder, name), "utf8")]));
}

const shown = (name: string): string => relative(root, join(printedFolder, name));

async function main(): Promise<void> {
  const wanted = await printAll();
  const present = readPrinted();
  const stale = [...wanted].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
  const leftOver = [...present.keys()].filter((name) => !wanted.has(name));
  if (process.argv.includes("--check")) {
    if (stale.length + leftOver.length === 0) return;
    for (const name of stale) console.log(`${shown(name)} is not what its queries make`);
    for (const name of leftOver) console.log(`${shown(name)} belongs to no *.table.ts file`);
    console.log("Run: npm run sql");
    process.exitCode = 1;
    return;
  }
  for (const name of stale) {
    writeFileSync(join(printedFolder, name), wanted.get(name)!);
    console.log(`${shown(name)} written`);
  }
  for (const name of leftOver) {
    rmSync(join(printedFolder, name));
    console.log(`${shown(name)} removed`);
  }
  if (stale.length + leftOver.length === 0) console.log("docs/sql is up to date.");
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
