/** The drill of docs/availability.md, with the scripts of deploy/ha: the server and its disk are lost, and the database goes back to a second. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { clockEnvironment } from "../../../../scripts/testing/shift-clock.ts";
import { createFileMemory } from "../../src/money/ledger/log/log-memory.ts";
import { openStore } from "../../src/store/open-store.ts";
import { assayOn } from "../cli/run-assay.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { predict, waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";
import { type CallBook, type CallRecord, createCallBook, isAnswered } from "./rig/call-book.ts";
import { startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const connectionCount = 8;
const accountCount = 3;
const callsBetween = 300;
const waitMsMax = 60_000;
/** Between the last look at the answers and the second that is gone back to, on either side. */
const marginMs = 100;
const scripts = new URL("../../../../deploy/ha/", import.meta.url);

type Verified = { ok: boolean; entries: number; breaks: unknown[] };
type LogStatus = { origin: string; size: number; previous: { origin: string; reason: string }[] };

/** Runs SQL as the server's superuser. */
async function ask<Row extends object>(postgres: TestPostgres, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Where the server's system user may read the scripts and write archive and backups. */
function layOut(postgres: TestPostgres) {
  const root = dirname(postgres.dataFolder);
  const [archive, backups] = [join(root, "archive"), join(root, "backups")];
  for (const folder of [archive, backups]) runAs(postgres, "mkdir", folder);
  for (const name of ["archive-wal.sh", "base-backup.sh", "recover-to.sh"]) {
    copyFileSync(new URL(name, scripts), join(root, name));
    chmodSync(join(root, name), 0o755);
  }
  return { archive, backups, script: (name: string) => join(root, name) };
}

/** Runs a program as the user that PostgreSQL runs as; returns what it printed. */
function runAs({ identity }: TestPostgres, program: string, ...words: string[]): string {
  const path = `${process.env.ASSAY_TEST_POSTGRES_BIN}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync(program, words, { ...identity, cwd: "/", encoding: "utf8", env: { PATH: path, ...clockEnvironment() } });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

const answeredIn = (book: CallBook) => book.records.filter((record) => isAnswered(record, 200));

async function untilAnswered(book: CallBook, more: number): Promise<void> {
  const from = answeredIn(book).length;
  await waitUntil(() => answeredIn(book).length >= from + more, `${more} more calls are answered`, waitMsMax);
}

const readLog = async (service: TestService) => ((await (await fetch(`${service.url}/api/status`)).json()) as { log: LogStatus }).log;

describe("a PostgreSQL that is lost with its disk", { skip: whyPostgresIsSkipped() }, () => {
  it("goes back to any second: what was answered before is there, nothing from later is, and ledger and log verify", async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const postgres = await startPostgres();
    try {
      const { archive, backups, script } = layOut(postgres);
      await ask(postgres, "ALTER SYSTEM SET archive_mode = on");
      await ask(postgres, `ALTER SYSTEM SET archive_command = '${script("archive-wal.sh")} "%p" "%f" ${archive}'`);
      await postgres.restart();

      const settings = { dataDir: makeTestFolder(), ...(await postgres.newMigratedDatabase()) };
      const service = await startService(settings);
      // The load ends with it, also when the test fails.
      t.after(() => service.kill9());
      const accounts = await Promise.all(Array.from({ length: accountCount }, () => makeAccount(settings, { tier: vastTier })));
      const book = createCallBook();
      const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [service.url], endsWhenCut: true });
      await untilAnswered(book, callsBetween);
      const backup = runAs(postgres, script("base-backup.sh"), `host=127.0.0.1 port=${postgres.port} user=assay dbname=postgres`, backups);
      await untilAnswered(book, callsBetween);

      // A database of before its first log would be told apart from what the node remembers by another reason.
      const memory = createFileMemory(settings.dataDir);
      await waitUntil(async () => (await memory.recall()) !== undefined, "the log has begun, and the node remembers it", waitMsMax);

      // The calls of round 0 that are answered before that second, and those of round 1, which begin after it.
      let target: number;
      let answeredBefore: Set<CallRecord>;
      do {
        target = Math.ceil((Date.now() + 2 * marginMs) / 1_000) * 1_000;
        await sleep(target - marginMs - Date.now());
        answeredBefore = new Set(answeredIn(book));
        // A busy machine may wake this process too late.
      } while (Date.now() >= target);
      await sleep(target + marginMs - Date.now());
      book.round = 1;
      await untilAnswered(book, callsBetween);
      await waitUntil(async () => ((await memory.recall())?.size ?? 0) > book.records.findIndex(({ round }) => round === 1), "the node remembers a log with entries from after that second", waitMsMax);
      const logged = await readLog(service);

      const [switched] = await ask<{ name: string }>(postgres, "SELECT pg_walfile_name(pg_switch_wal()) AS name");
      await waitUntil(() => existsSync(join(archive, switched!.name)), "the last segment is archived", waitMsMax);
      service.child.kill("SIGKILL");
      await load.ended;
      await service.kill9();
      postgres.kill9();
      await postgres.whenGone();
      renameSync(postgres.dataFolder, `${postgres.dataFolder}-lost`);

      runAs(postgres, script("recover-to.sh"), backup, archive, postgres.dataFolder, new Date(target).toISOString());
      await postgres.restart();
      const isRecovering = async () => (await ask<{ yes: boolean }>(postgres, "SELECT pg_is_in_recovery() AS yes"))[0]!.yes;
      await waitUntil(async () => !(await isRecovering()), "the server has recovered", waitMsMax);

      const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
      const entries = await store.db.selectFrom("ledger_entries").select(["account_id", "seq", "hash"]).where("kind", "=", "call").execute();
      const sessions = await store.db.selectFrom("session_records").select("interaction_count as serial").execute();
      await store.close();
      const kept = new Set(entries.map(({ account_id, seq, hash }) => `${account_id} ${seq}.${hash}`));
      for (const { account, attempts } of answeredBefore) {
        const receipts = attempts.flatMap((each) => (each.kind === "answered" && each.receipt !== undefined ? [each.receipt] : []));
        for (const receipt of receipts) assert.ok(kept.has(`${account.accountId} ${receipt}`), "a call that was answered before that second is there");
      }
      const serials = new Set(sessions.map(({ serial }) => serial));
      const later = book.records.filter(({ round }) => round === 1);
      assert.ok(later.length >= callsBetween);
      assert.deepEqual(later.flatMap(({ serial }) => (serials.has(serial) ? [serial] : [])), [], "no call that began after that second is there");

      const assay = assayOn(settings);
      const behind = await assay.run("ledger", "verify", "--json");
      assert.match(behind.stdout, /the database is behind the checkpoint of size \d+/, "with the node's folder, verifying says that the database is behind what was signed");

      const again = await startService(settings);
      for (const account of accounts) assert.equal((await predict(again, account.liveKey)).status, 200);
      const expected = entries.length + accountCount;
      await waitUntil(async () => (await readLog(again)).size === expected, "the log has the recovered entries and the new ones", waitMsMax);
      const now = await readLog(again);
      assert.deepEqual([now.origin, now.previous.map(({ origin }) => origin)], [`${logged.origin}/2`, [logged.origin]]);
      assert.match(now.previous[0]!.reason, /^the database is behind the checkpoint of size \d+$/);
      const verified = await assay.json<{ ok: boolean; size: number }>("log", "verify", again.url, "--key", accounts[0]!.liveKey);
      assert.deepEqual([verified.ok, verified.size], [true, expected]);
      assert.equal(await again.stop(), 0);
      const report = await assay.json<Verified>("ledger", "verify");
      assert.deepEqual([report.ok, report.breaks, report.entries], [true, [], expected]);
      t.diagnostic(`${answeredBefore.size} calls were answered before that second, ${later.length} began after it; ${entries.length} are left`);
    } finally {
      await postgres.stop();
    }
  });

  it("an archive never replaces a segment, and acknowledges one that it has", () => {
    const [folder, archive] = [makeTestFolder(), makeTestFolder()];
    const segment = join(folder, "segment");
    const archiveIt = () => spawnSync(new URL("archive-wal.sh", scripts).pathname, [segment, "000000010000000000000001", archive], { encoding: "utf8" });
    writeFileSync(segment, "one");
    assert.equal(archiveIt().status, 0);
    assert.equal(archiveIt().status, 0, "PostgreSQL asks again after a crash");
    writeFileSync(segment, "two");
    const refused = archiveIt();
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /two servers archive into one folder/);
    assert.deepEqual(readdirSync(archive), ["000000010000000000000001"], "nothing unfinished is left");
  });

  it("a wrong recovery is refused before anything is copied", () => {
    const folder = makeTestFolder();
    const [backup, archive, target] = [join(folder, "backup"), join(folder, "archive"), join(folder, "target")];
    for (const each of [backup, archive]) mkdirSync(each);
    const recover = (...words: string[]) => spawnSync(new URL("recover-to.sh", scripts).pathname, words, { encoding: "utf8" }).stderr;
    assert.match(recover(backup, archive, target, "2026-11-15 14:05:59+00"), /is not a base backup/);
    writeFileSync(join(backup, "backup_label"), "");
    assert.match(recover(backup, archive, target, "2026-11-15 14:05:59"), /no time with its zone/);
    assert.match(recover(backup, join(folder, "nowhere"), target, "2026-11-15 14:05:59+00"), /is not a folder/);
    assert.match(recover(backup, archive, folder, "2026-11-15 14:05:59+00"), /exists: name a new folder/);
    assert.deepEqual(readdirSync(folder).toSorted(), ["archive", "backup"]);
  });
});
