import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Deps } from "../../src/deps.ts";
import { listeningAddress } from "../../src/http/listening-address.ts";
import { verifyLedger } from "../../src/money/ledger/verify-ledger.ts";
import { sqliteFileName } from "../../src/store/open-store.ts";
import { patientWaits } from "../access/start-redis.ts";
import { createSeededRandom } from "../faults/rig/seeded-random.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { makeTestFolder } from "../start-service.ts";
import { splitAnswers } from "./converse.ts";

/** Time that stands still unless a test moves it, for everything in this process. */
export type StoppedClock = { nowMs(): number; advance(ms: number): void; restore(): void };

/** Also stops `performance.now`, by which limits and durations are counted. */
export function stopClock(): StoppedClock {
  const startedMs = Date.now();
  const startedMonotonicMs = Math.ceil(performance.now());
  let passedMs = 0;
  performance.now = () => startedMonotonicMs + passedMs;
  return {
    nowMs: () => startedMs + passedMs,
    advance(ms) {
      passedMs += ms;
    },
    restore() {
      // The method of the prototype shows again.
      delete (performance as Partial<typeof performance>).now;
    },
  };
}

/** Replaces what chance decides by what it stands for: the first id seen is number 1. What is not an id must be equal. */
function createEraser(hasOrder: boolean) {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id)!;
  };
  const id = /\b(sess|ad|an)_[0-9A-Za-z]{22}\b/g;
  const eraseRest = (text: string) =>
    text
      // Ids of requests differ by process, not by their count, unless requests wait for each other.
      .replaceAll(/\breq_[0-9A-Za-z]{10}([0-9a-z]+)/g, hasOrder ? "req_…$1" : "req_…")
      .replaceAll(/\b(log|act)_[0-9A-Za-z]{22}\b/g, "$1_…")
      // Sealed with a nonce. Tests of beats look inside.
      .replaceAll(/\bat1\.(\d+)\.([\w-]+)/g, (_, day: string, sealed: string) => `at1.${day}.…${sealed.length}`)
      .replaceAll(/\/t\/([ci])\/([\w-]+)/g, (_, kind: string, token: string) => `/t/${kind}/…${token.length}`)
      // What one process counted.
      .replaceAll(/"part":"\w+"/g, '"part":"…"')
      .replaceAll(/\b[0-9a-f]{64}\b/g, "hash…")
      .replaceAll(/^date: .*\r$/gim, "Date: …\r");
  return {
    eraseAnswer: (received: string) => eraseRest(received.replaceAll(id, (each, kind: string) => `${kind}_…${numberOf(each)}`)),
    eraseRow: (row: string) => eraseRest(row.replaceAll(id, (each, kind: string) => `${kind}_…${numbers.get(each) ?? "unseen"}`)),
  };
}

/** Sums of ads, what sites were used for and counts of networks are written now and then, the rest when the installation is closed. */
const lateTables = new Set(["sites", "site_days", "ad_hours", "ad_category_days", "no_fill_hours", "no_fill_days", "network_days"]);

export type Twin = OpenedApp & { url: string; erase: ReturnType<typeof createEraser>; receipts: { receipt: string; sessionId: string }[] };

/** Two installations that differ in nothing but the lane. */
export type Twins = {
  withLane: Twin;
  without: Twin;
  clock: StoppedClock;
  /** Does the same to both, and compares what came back byte for byte. Returns what came back with the lane. */
  same(what: string, exchange: (twin: Twin) => Promise<string>): Promise<string>;
  /** Compares the rows of the account in all tables, what is left of its quotas, and all counters. */
  compareAccount(account: { accountId: string }): Promise<void>;
  /** How many calls the lane has taken so far. */
  countTaken(): Promise<number>;
  /** Whether a comparison has failed: from then on they are not comparable. */
  haveDiffered(): boolean;
  /** Every receipt must be an entry of the ledger; rows that are written at the end are compared too. */
  close(): Promise<void>;
};

async function openTwin(env: Record<string, string>, options: { dataDir: string; lane: boolean; seed: number; clock: StoppedClock; adapt: (deps: Deps) => Deps; hasOrder: boolean }): Promise<Twin> {
  const { dataDir, lane, seed, clock, adapt, hasOrder } = options;
  const { random } = Math;
  // The service takes the generator when it is opened: each twin has its own, with the same numbers.
  Math.random = createSeededRandom(seed).next;
  const opened = await openApp({ ...env, METRICS_TOKEN: "twin-monitor" }, { dataDir, lane, nowMs: clock.nowMs, adapt, redisWaits: patientWaits }).finally(() => {
    Math.random = random;
  });
  await opened.deps.requestRecorder.stop();
  await opened.app.listen({ host: "127.0.0.1", port: 0 });
  return { ...opened, url: listeningAddress(opened.app, "127.0.0.1"), erase: createEraser(hasOrder), receipts: [] };
}

/** Counters of answers and failures; the rest of the metrics is about time and memory. */
async function readCounters({ deps }: Twin): Promise<string[]> {
  const lines = (await deps.metrics.text()).split("\n");
  return lines.filter((line) => /^assay_(calls_total|failures_total|call_duration_seconds_(count|bucket))\b/.test(line)).toSorted();
}

async function readTaken({ deps }: Twin): Promise<number> {
  const taken = /^assay_lane_calls_total (\d+)$/m.exec(await deps.metrics.text())?.[1];
  assert.ok(taken !== undefined);
  return Number(taken);
}

/** The rows of an account in each table that has any, but for what a job adds every few seconds. */
function readRows({ dataDir, erase }: Twin, accountId: string): [table: string, rows: string[]][] {
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
  try {
    const tables = file.prepare("SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'account_id' AND m.name <> 'log_runs'").all();
    return tables.map(({ name }) => {
      const rows = file.prepare(`SELECT * FROM "${String(name)}" WHERE account_id = ?`).all(accountId);
      // How far a job has confirmed the developer's shares of prepaid calls.
      return [String(name), rows.map(({ share_confirmed_seq: _confirmed, ...row }) => erase.eraseRow(JSON.stringify(row))).toSorted()];
    });
  } finally {
    file.close();
  }
}

async function flush({ deps }: Twin): Promise<void> {
  // Both write what is left each time they are called.
  await deps.requestRecorder.stop();
  await deps.keyUse.stop();
}

async function checkReceipts({ deps: { store }, receipts }: Twin): Promise<void> {
  const entries = await store.db.selectFrom("ledger_entries").select(["seq", "hash", "ref"]).where("kind", "=", "call").execute();
  const refs = new Map(entries.map(({ seq, hash, ref }) => [`${seq}.${hash}`, ref]));
  for (const { receipt, sessionId } of receipts) assert.equal(refs.get(receipt), sessionId, "a receipt names the entry of its call");
  assert.ok((await verifyLedger(store)).ok);
}

function noteReceipts(twin: Twin, received: string): void {
  for (const { head, body } of splitAnswers(received).answers) {
    const receipt = /^assay-receipt: (\S+)\r$/im.exec(head)?.[1];
    const sessionId = /"(?:session|analysis)_id":"(\w+)"/.exec(body)?.[1];
    if (receipt !== undefined) twin.receipts.push({ receipt, sessionId: sessionId ?? "" });
  }
}

/** Opens two copies of a closed installation. `clock` must be stopped already. */
export async function openTwins(
  template: { dataDir: string },
  options: { clock: StoppedClock; seed: number; env?: Record<string, string>; adapt?: (deps: Deps) => Deps; /** Whether requests are numbered in the order of their arrival, with the lane too. Default: yes. */ hasOrder?: boolean },
): Promise<Twins> {
  const { clock, seed, env = {}, adapt = (deps) => deps, hasOrder = true } = options;
  const twins: Twin[] = [];
  for (const lane of [true, false]) {
    const dataDir = makeTestFolder();
    cpSync(template.dataDir, dataDir, { recursive: true });
    twins.push(await openTwin(env, { dataDir, lane, seed, clock, adapt, hasOrder }));
  }
  const [withLane, without] = twins as [Twin, Twin];
  const compared = new Set<string>();
  let haveDiffered = false;
  const compareRows = (accountId: string, isCompared: (table: string) => boolean) => {
    // Notices by mail and sums of hours are jobs', which run when they are due.
    const [rows, expected] = twins.map((twin) => readRows(twin, accountId).filter(([table]) => table !== "mails" && table !== "session_hours" && isCompared(table)));
    assert.deepEqual(rows, expected);
  };
  /** Until it has succeeded, it has failed. */
  async function compare(comparison: () => Promise<void>): Promise<void> {
    const had = haveDiffered;
    haveDiffered = true;
    await comparison();
    haveDiffered = had;
  }
  return {
    withLane,
    without,
    clock,
    haveDiffered: () => haveDiffered,
    async countTaken() {
      const [taken, expected] = await Promise.all(twins.map(readTaken));
      assert.equal(expected, 0, "the other twin has no lane");
      return taken!;
    },
    async same(what, exchange) {
      const [received, expected] = await Promise.all([exchange(withLane), exchange(without)]);
      await compare(async () => assert.equal(withLane.erase.eraseAnswer(received), without.erase.eraseAnswer(expected), what));
      noteReceipts(withLane, received);
      noteReceipts(without, expected);
      return received;
    },
    compareAccount: ({ accountId }) =>
      compare(async () => {
        compared.add(accountId);
        for (const twin of twins) await flush(twin);
        compareRows(accountId, (table) => !lateTables.has(table));
        for (const subject of [accountId, `${accountId}:test`]) {
          const [left, right] = twins.map(({ deps }) => deps.limiter.peek(subject, { perHour: 1_000, perMinute: 50 }));
          assert.deepEqual(await left, await right);
        }
        assert.deepEqual(await readCounters(withLane), await readCounters(without));
      }),
    async close() {
      try {
        if (!haveDiffered) for (const twin of twins) await checkReceipts(twin);
      } finally {
        for (const twin of twins) await twin.close();
      }
      if (!haveDiffered) for (const accountId of compared) compareRows(accountId, (table) => lateTables.has(table));
    },
  };
}
