// node bench/watch-sessions.ts [ACCOUNTS] [SESSIONS]
// What the hourly job takes to check one day: accounts with that many sessions each, on the embedded store.
import { currentPeople } from "@assay/scoring/current-model.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { idAt } from "../apps/api/test/id-at.ts";
import { msPerDay, msPerHour, startOfDay } from "../apps/api/src/formats/time.ts";
import { watchSessions } from "../apps/api/src/scoring/traffic/watch-sessions.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";

const [accounts = 1_000, sessions = 1_000] = process.argv.slice(2).map(Number);
const rowsPerWrite = 1_000;
const dataDir = mkdtempSync(join(tmpdir(), "assay-watch-"));
const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
const day = startOfDay(Date.now()) - msPerDay;
const money = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };
const fixed = { mode: "live" as const, endpoint: "predict" as const, confidence: 0.5, recommendation: "allow", model_version: "bench", processing_time_ms: 1 };
try {
  for (let made = 0; made < accounts; made += 1) {
    const { accountId } = await makeAccount(store, { nowMs: day - msPerDay });
    await store.db.updateTable("ledger_heads").set({ at: day, seq: sessions }).where("account_id", "=", accountId).execute();
    const rollups = Array.from({ length: 24 }, (_, hour) => ({ account_id: accountId, hour: day + hour * msPerHour, endpoint: "predict", payer: "platform" as const, share_bps: 6_800, calls: Math.ceil(sessions / 24), ...money }));
    await store.db.insertInto("usage_rollups").values(rollups).execute();
    const rows = Array.from({ length: sessions }, (_, index) => {
      const at = day + Math.floor(((index + Math.random()) * msPerDay) / sessions);
      const signals = { user_engagement: Math.random(), session_duration: Math.round(-120_000 * Math.log(1 - Math.random())) / 1_000, scroll_depth: Math.random(), interaction_count: Math.floor(30 * Math.random()), page_views: 1 + Math.floor(8 * Math.random()), return_visitor: index % 2 };
      return { account_id: accountId, id: idAt(at), at, ...fixed, ...signals, service_score: 50, ledger_seq: index + 1 };
    });
    for (let from = 0; from < rows.length; from += rowsPerWrite) await store.db.insertInto("session_records").values(rows.slice(from, from + rowsPerWrite)).execute();
  }
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const watched = await watchSessions(store, { nowMs: Date.now(), people: currentPeople, random: Math.random, isOver: () => false });
  const { user, system } = process.cpuUsage(before);
  console.log(`accounts ${accounts}, sessions ${accounts * sessions}, passes ${watched.days}, findings ${watched.opened}`);
  console.log(`processor time ${((user + system) / 1_000_000).toFixed(1)} s, elapsed ${((performance.now() - startedMs) / 1_000).toFixed(1)} s (it rests half of the time)`);
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
