// node bench/dashboard-queries.ts [--entries N] [--runs N]: query time of each dashboard page when one
// account has that many ledger entries, on SQLite. The rows are realistic except for their hashes, which are random.
import { growthLimits } from "../apps/api/test/money/growth-limits.ts";
import { parseSpan } from "../apps/api/src/formats/time.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createBalances } from "../apps/api/src/money/payouts/read-balance.ts";
import { selectEntries } from "../apps/api/src/money/ledger/ledger.table.ts";
import { makeStatement, monthOf } from "../apps/api/src/money/statements/make-statement.ts";
import { selectEntriesBefore } from "../apps/api/src/money/ledger/movements.table.ts";
import type { DeveloperContext } from "../apps/api/src/console/developer/developer-context.ts";
import { listLogs } from "../apps/api/src/console/developer/list-logs.ts";
import { listSessions, readSession } from "../apps/api/src/console/developer/list-sessions.ts";
import { createPlaygroundTickets } from "../apps/api/src/console/developer/playground-tickets.ts";
import { createModels } from "../apps/api/src/scoring/models/choose-model.ts";
import { readLive, readOverview } from "../apps/api/src/console/developer/read-overview.ts";
import { parseUsageOptions, reportRequests } from "../apps/api/src/console/developer/report-requests.ts";
import { reportRevenue, revenueSpan } from "../apps/api/src/console/developer/report-revenue.ts";
import { createAuthenticator } from "../apps/api/src/access/keys/authenticate-key.ts";
import { listKeys } from "../apps/api/src/access/keys/list-keys.ts";
import { createMemoryLimiter } from "../apps/api/src/access/limits/memory-limiter.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { reportsFrom } from "../apps/api/src/store/reports/report-source.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { summariseWindow } from "../apps/api/src/scoring/traffic/summarise-window.ts";
import { seedDashboard } from "./seed-dashboard.ts";

const { values } = parseArgs({ options: { entries: { type: "string", default: "10000000" }, runs: { type: "string", default: "15" } } });
const entries = Number(values.entries);
const runs = Number(values.runs);
const msPerDay = 24 * 3_600_000;
const targetMs = 50;

const dataDir = mkdtempSync(join(tmpdir(), "assay-dashboard-"));
const nowMs = Date.now();
const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs, onConnectionError: () => {} });
const { accountId, liveKeyId } = await makeAccount(store, { nowMs: nowMs - 365 * msPerDay });

console.log(`${entries} ledger entries of one account, over a year, on SQLite`);
const startedMs = performance.now();
seedDashboard(dataDir, { accountId, keyId: liveKeyId, entries, nowMs });
// The hourly upkeep job does the same.
const window = { accountId, fromMs: nowMs - 8 * msPerDay, toMs: nowMs };
await summariseWindow(store, window, { nowMs, retainedFromMs: 0, budget: { rowsLeft: Number.MAX_SAFE_INTEGER } });
console.log(`seeded in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s\n`);

const deps: DeveloperContext = {
  store,
  reports: reportsFrom(store),
  nowMs: () => nowMs,
  limiter: createMemoryLimiter({ nowMs: () => performance.now() }),
  authenticator: createAuthenticator(store, { nowMs: () => nowMs, monotonicMs: () => performance.now() }),
  channel: undefined,
  models: createModels(releasedModels, []),
  tickets: createPlaygroundTickets(),
  payer: "platform",
  payerExplained: "",
  retentionDays: 90,
  isLocal: true,
  tierUpgrades: "instant",
  payoutMinimumMicroUsd: 50_000_000,
  callHoldDays: 14,
  balances: createBalances(store, { nowMs: () => nowMs, monotonicMs: () => performance.now(), minimumMicroUsd: 50_000_000, ...growthLimits }),
  operator: { legalName: undefined, address: undefined, taxId: undefined },
  log: undefined,
};

const usage = (query: object) => () => reportRequests(store, parseUsageOptions(query, accountId, nowMs));
const revenue = (query: object) => () => reportRevenue(deps, { accountId, ...parseSpan(query, { ...revenueSpan, nowMs }), nowMs });
const { sessions } = await listSessions({ ...deps, db: store.db }, accountId, {});
const iso = (atMs: number) => new Date(atMs).toISOString();

const queries: Record<string, () => Promise<unknown>> = {
  overview: () => readOverview(deps, accountId),
  "live (every second)": () => readLive(deps, accountId),
  keys: () => listKeys(store, { accountId, nowMs }),
  "usage, 30 days by endpoint": usage({}),
  "usage, 92 days by key": usage({ group: "key", from: iso(nowMs - 91 * msPerDay) }),
  "usage, 14 days by hour and status": usage({ group: "status", by: "hour", from: iso(nowMs - 13 * msPerDay) }),
  "revenue, 30 days": revenue({}),
  "revenue, a year": revenue({ from: iso(nowMs - 364 * msPerDay) }),
  "statement, this month": () => makeStatement(store, { accountId, month: monthOf(nowMs), nowMs }),
  "statement, half a year ago": () => makeStatement(store, { accountId, month: monthOf(nowMs - 180 * msPerDay), nowMs }),
  "ledger, first page of 200": () => selectEntries(store.db, { accountId, afterSeq: 0, limit: 200 }).execute(),
  "ledger, newest 200": () => selectEntriesBefore(store.db, { accountId, beforeSeq: entries + 1, limit: 200 }).execute(),
  "sessions, newest 50": () => listSessions({ ...deps, db: store.db }, accountId, {}),
  "sessions, filter without matches": () => listSessions({ ...deps, db: store.db }, accountId, { mode: "test", outcome: "fraud" }),
  "session, one with its explanation": () => readSession(deps, { accountId, sessionId: sessions[0]!.session_id }),
  "logs, newest 50": () => listLogs({ ...deps, db: store.db }, accountId, {}),
  "logs, filter without matches": () => listLogs({ ...deps, db: store.db }, accountId, { status: "503" }),
};

console.log("                                          median ms   slowest ms   first ms");
for (const [name, query] of Object.entries(queries)) {
  const times: number[] = [];
  // The first run compiles code and fills caches, so it is shown separately.
  const firstMs = performance.now();
  await query();
  const first = performance.now() - firstMs;
  for (let run = 0; run < runs; run += 1) {
    const beganMs = performance.now();
    await query();
    times.push(performance.now() - beganMs);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  console.log(`${name.padEnd(40)} ${median.toFixed(1).padStart(10)} ${sorted.at(-1)!.toFixed(1).padStart(12)} ${first.toFixed(1).padStart(10)}${median > targetMs ? `   over ${targetMs} ms` : ""}`);
}
await store.close();
rmSync(dataDir, { recursive: true, force: true });
