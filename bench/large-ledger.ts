// node bench/large-ledger.ts [--entries N --accounts N --store sqlite|postgres --rounds N --seconds N]
// Fills a store with that many ledger entries through the charging code, compares the service's throughput on it with that
// on an empty store in alternating rounds, and times `assay ledger verify`.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { joinPostgres, type TestPostgres } from "../apps/api/test/start-postgres.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { makeCharge, makeCharger } from "../apps/api/test/make-charge.ts";
import { makePartitions } from "../apps/api/src/operations/make-partitions.ts";
import { openStore, type StoreSettings } from "../apps/api/src/store/open-store.ts";
import { measureLoad } from "./measure-load.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { provideServers } from "./provide-servers.ts";
import { startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "10000000" },
    accounts: { type: "string", default: "100" },
    store: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
  },
});
const entries = Number(values.entries);
const accounts = Number(values.accounts);
const rounds = Number(values.rounds);
const secondsPerRound = Number(values.seconds);
const warmUpSecondsMax = 3;
const root = dirname(import.meta.dirname);
const chargesAtOnce = 4_000;
const pollMs = 100;
const jobsPollMs = 2_000;

/** Writes entries evenly over the day so far, round-robin over the accounts, as the service would. */
async function fill(storeSettings: StoreSettings): Promise<void> {
  const endMs = Date.now();
  const clock = { nowMs: endMs - (endMs % 86_400_000) };
  const stepMs = (endMs - clock.nowMs) / entries;
  const { store } = await openStore(storeSettings, { nowMs: clock.nowMs, onConnectionError: () => {} });
  const made = await Promise.all(Array.from({ length: accounts }, () => makeAccount(store, { nowMs: clock.nowMs })));
  // Every node does this at start; without it all sessions would go to the default partition.
  if (store.dialect === "postgres") await makePartitions(store, { nowMs: endMs, retentionDays: 30 });
  const charger = makeCharger(store, clock);
  const startedMs = performance.now();
  const dayStartMs = clock.nowMs;
  for (let from = 0; from < entries; from += chargesAtOnce) {
    const count = Math.min(chargesAtOnce, entries - from);
    clock.nowMs = Math.floor(dayStartMs + from * stepMs);
    const charges = Array.from({ length: count }, (_, index) =>
      charger.charge(makeCharge({ accountId: made[(from + index) % accounts]!.accountId, atMs: clock.nowMs })),
    );
    await Promise.all(charges);
    if (from % 500_000 < chargesAtOnce) process.stderr.write(`${from + count} entries\n`);
  }
  await charger.drain();
  await store.close();
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(`${entries} entries of ${accounts} accounts written in ${seconds.toFixed(0)} s`);
}

const databaseEnvironment = ({ databaseUrl }: StoreSettings) => (databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, SECRET_KEY: "x".repeat(32) });

async function serveOn(storeSettings: StoreSettings) {
  const apiKey = await prepareAccount(storeSettings);
  const child = await startChild(["apps/api/src/main.ts"], { DATA_DIR: storeSettings.dataDir, PORT: "0", ...databaseEnvironment(storeSettings) });
  return { child, call: { apiKey, uniqueKeys: false, connections: 64 } };
}

/** Waits until the jobs have rolled up the hours written without a service: a one-time cost that is not part of a call. */
async function catchUp(storeSettings: StoreSettings): Promise<void> {
  const { store } = await openStore(storeSettings, { nowMs: Date.now(), onConnectionError: () => {} });
  const startedMs = performance.now();
  while (true) {
    const jobs = await store.db.selectFrom("jobs").select(["last_success_at", "next_run_at"]).execute();
    if (jobs.length > 0 && jobs.every((job) => job.last_success_at !== null && job.next_run_at > Date.now())) break;
    await sleep(jobsPollMs);
  }
  await store.close();
  console.log(`the service caught up with what had not been summed up in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
}

async function compareThroughput(large: StoreSettings, empty: StoreSettings): Promise<void> {
  const both = [await serveOn(empty), await serveOn(large)];
  await catchUp(large);
  for (const { child, call } of both) await measureLoad(child.url, { ...call, seconds: Math.min(warmUpSecondsMax, secondsPerRound) });
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const [ofEmpty = 0, ofLarge = 0] = await inTurns(both);
    ratios.push(ofLarge / ofEmpty);
    console.log(`round ${round}: empty ${ofEmpty.toFixed(0)} calls/s, large ${ofLarge.toFixed(0)} calls/s, ratio ${(ofLarge / ofEmpty).toFixed(2)}`);
  }
  console.log(`throughput with ${entries} entries ÷ empty: ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`);
  for (const { child } of both) await child.stop();
}

async function inTurns(both: Awaited<ReturnType<typeof serveOn>>[]): Promise<number[]> {
  const rates: number[] = [];
  for (const { child, call } of both) rates.push((await measureLoad(child.url, { ...call, seconds: secondsPerRound })).perSecond);
  return rates;
}

/** Runs the real command and records its peak memory. */
async function verify(storeSettings: StoreSettings): Promise<void> {
  const child = spawn(process.execPath, [join(root, "apps/api/src/cli/main.ts"), "ledger", "verify", "--json"], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: storeSettings.dataDir, ...databaseEnvironment(storeSettings) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  let peakKiB = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const watch = setInterval(() => {
    try {
      peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0));
    } catch {
      // The process exited since the last sample.
    }
  }, pollMs);
  const startedMs = performance.now();
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(watch);
  const seconds = (performance.now() - startedMs) / 1_000;
  const report = JSON.parse(printed) as { entries: number; accounts: number; ok: boolean };
  console.log(
    `ledger verify: ${report.entries} entries, ok ${report.ok}, exit ${code}, ${seconds.toFixed(0)} s ` +
      `(${(report.entries / seconds / 1_000).toFixed(0)} thousand a second), at most ${(peakKiB / 1_024).toFixed(0)} MiB`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "assay-large-"));
let postgres: Pick<TestPostgres, "newDatabase" | "stop"> | undefined;
async function makeStoreSettings(name: string): Promise<StoreSettings> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  return { dataDir, databaseUrl: await postgres?.newDatabase() };
}
try {
  if (values.store === "postgres") {
    provideServers();
    postgres = await joinPostgres();
  }
  const [large, empty] = [await makeStoreSettings("large"), await makeStoreSettings("empty")];
  await fill(large);
  await compareThroughput(large, empty);
  await verify(large);
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
