// node bench/log.ts [--entries N --accounts N --proofs N]: what logging costs. Fills a SQLite store with entries, logs all of
// them as an upgrade does, and proves some of them. Processor time is that of all threads; a missed target is printed only.
import { formatReceiptProof } from "@assay/tlog/proof.ts";
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { extendLog } from "../apps/api/src/money/ledger/log/extend-log.ts";
import { proveInclusion } from "../apps/api/src/money/ledger/log/prove-entry.ts";
import { createSealer } from "../apps/api/src/secrets/sealer.ts";
import { openStore, sqliteFileName } from "../apps/api/src/store/open-store.ts";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "100" },
    proofs: { type: "string", default: "1000" },
  },
});
const [entries, accounts, proofs] = [Number(values.entries), Number(values.accounts), Number(values.proofs)];
const perMillionSecondsMax = 60;
const proofMsMax = 5;
const proofBytesMax = 1_500;
const sampleMs = 100;
const mebibyte = 1024 * 1024;

const accountIdOf = (account: number): string => `acct_${String(account).padStart(22, "0")}`;
const hashOf = (accountId: string, seq: number): string => hash("sha256", `${accountId} ${seq}`);
const seqMax = Math.ceil(entries / accounts);

/** The log reads nothing of an entry but its hash, so these need not be a chain. */
function fill(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("DROP TRIGGER ledger_entries_no_replace; BEGIN");
  const insertHead = database.prepare("INSERT INTO ledger_heads (account_id, seq, hash, at, balance_micro) VALUES (?, ?, 'h', 0, 0)");
  const insertEntry = database.prepare("INSERT INTO ledger_entries VALUES (?, ?, 0, 'call', 'r', 'predict', 'platform', 0, 0, 0, 0, 'p', ?)");
  for (let account = 0; account < accounts; account += 1) {
    const accountId = accountIdOf(account);
    insertHead.run(accountId, seqMax);
    for (let seq = 1; seq <= seqMax; seq += 1) insertEntry.run(accountId, seq, hashOf(accountId, seq));
  }
  database.exec("COMMIT");
  database.close();
}

const show = (name: string, value: string, target: string, isReached: boolean) => console.log(`${name.padEnd(44)} ${value.padStart(10)}   target ${target}: ${isReached ? "reached" : "missed"}`);

const folder = mkdtempSync(join(tmpdir(), "assay-bench-log-"));
try {
  const settings = { dataDir: folder, databaseUrl: undefined };
  const context = { nowMs: Date.now(), onConnectionError: () => {} };
  await (await openStore(settings, context)).store.close();
  fill(join(folder, sqliteFileName));
  const { store } = await openStore(settings, context);
  const logContext = {
    store,
    sealer: createSealer({ secretKey: "x".repeat(32), previous: [] }),
    nowMs: Date.now,
    host: () => "bench.example.com",
    memories: [],
    isOver: () => false,
  };
  const startBytes = process.memoryUsage.rss();
  let peakBytes = startBytes;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, sampleMs);
  const cpu = process.cpuUsage();
  const { size } = await extendLog(logContext);
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampler);
  const seconds = (user + system) / 1e6;
  const perMillion = (seconds * 1e6) / size;
  console.log(`${size} entries of ${accounts} accounts logged`);
  show("processor s per million entries", perMillion.toFixed(1), `≤ ${perMillionSecondsMax}`, perMillion <= perMillionSecondsMax);
  console.log(`${"resident MiB before, and at most".padEnd(44)} ${(startBytes / mebibyte).toFixed(0).padStart(4)} ${(peakBytes / mebibyte).toFixed(0).padStart(5)}`);

  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  let bytes = 0;
  for (let each = 0; each < proofs; each += 1) {
    const accountId = accountIdOf((each * 7_919) % accounts);
    const seq = 1 + ((each * 104_729) % seqMax);
    const startedMs = performance.now();
    const proof = (await proveInclusion(store, { accountId, seq }))!;
    const text = formatReceiptProof({ accountId, seq, hash: hashOf(accountId, seq) }, { index: proof.index, path: proof.path, checkpointNote: proof.checkpoint.note });
    times.push(performance.now() - startedMs);
    bytes = Math.max(bytes, text.length);
  }
  const spent = process.cpuUsage(cpuBefore);
  const cpuMs = (spent.user + spent.system) / 1e3 / proofs;
  times.sort((one, other) => one - other);
  const [middle, high] = [times[Math.floor(times.length / 2)]!, times[Math.floor(times.length * 0.99)]!];
  show("processor ms per proof", cpuMs.toFixed(2), `≤ ${proofMsMax}`, cpuMs <= proofMsMax);
  console.log(`${"proof, median ms".padEnd(44)} ${middle.toFixed(2).padStart(10)}`);
  console.log(`${"proof, 99th percentile ms".padEnd(44)} ${high.toFixed(2).padStart(10)}`);
  show("longest proof, bytes", String(bytes), `≤ ${proofBytesMax}`, bytes <= proofBytesMax);
  await store.close();
} finally {
  rmSync(folder, { recursive: true });
}
