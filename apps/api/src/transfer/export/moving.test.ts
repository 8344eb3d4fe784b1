import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { Client } from "pg";
import { readBlocks, readDocument } from "../../../../../scripts/testing/read-document.ts";
import { follow } from "../../../test/ads/serving/send-tracking.ts";
import { assayOn } from "../../../test/cli/run-assay.ts";
import { predict, send } from "../../../test/send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../../../test/start-postgres.ts";
import { extend } from "../../../test/log/log-context.ts";
import { createSealer } from "../../secrets/sealer.ts";
import { makeTestFolder, serviceEnvironment, startService } from "../../../test/start-service.ts";
import { fillInstallation, type FilledInstallation } from "../../../test/transfer/fill-installation.ts";
import { migratePostgres, migrateSqlite } from "../../store/migrate.ts";
import { openStore, sqliteFileName } from "../../store/open-store.ts";
import { exportStore } from "./export-store.ts";
import { openPostgresTarget } from "./fill-postgres.ts";
import { openSqliteTarget } from "./fill-sqlite.ts";
import { importStore } from "./import-store.ts";
import { movedTables, stayingTables } from "./moved-tables.ts";
import { openPostgresSource, openSqliteSource, type TableSource } from "./read-tables.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const cli = new URL("../../cli/main.ts", import.meta.url).pathname;
/** Only on PostgreSQL: SQLite's writer is in the same process and knows the outcome of its commits. */
const onPostgresOnly = "commit_batches";

async function query<Row extends Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The export without its first line, which has the time, and its last, whose hash depends on it. */
async function bodyOf(source: TableSource): Promise<string[]> {
  const parts: string[] = [];
  await exportStore(source, { version: "0", exported_at: "", fingerprint: null }, async (text) => void parts.push(text));
  await source.close();
  return parts.join("").split("\n").slice(1, -2);
}

describe("a new table", { skip: whyPostgresIsSkipped() }, () => {
  const known = [...movedTables.map(({ name }) => name), ...stayingTables];

  it("must be listed for export, with its primary key", () => {
    const path = join(makeTestFolder(), sqliteFileName);
    migrateSqlite(path, nowMs);
    const database = new DatabaseSync(path);
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
    assert.deepEqual(new Set(names.map(({ name }) => name)), new Set(known.filter((name) => name !== onPostgresOnly)));
    for (const { name, key } of movedTables) {
      const columns = database.prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk").all(name);
      assert.deepEqual(columns.map((column) => column.name), key, name);
    }
    database.close();
  });

  it("must be listed on PostgreSQL too, where no table uses a sequence, which would have to move as well", async () => {
    const postgres = await joinPostgres();
    const url = await postgres.newDatabase();
    await migratePostgres(url, nowMs);
    const found = await query<{ name: string; kind: string }>(
      url,
      `SELECT relname AS name, relkind::text AS kind FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S') AND NOT relispartition`,
    );
    assert.deepEqual(new Set(found.map(({ name }) => name)), new Set(known));
    assert.ok(found.every(({ kind }) => kind !== "S"));
    await postgres.stop();
  });
});

describe("moving from SQLite to PostgreSQL", { skip: whyPostgresIsSkipped() }, () => {
  const dataDir = makeTestFolder();
  const folder = makeTestFolder();
  const file = join(folder, "assay.export");
  const path = join(dataDir, sqliteFileName);
  let postgres: Awaited<ReturnType<typeof joinPostgres>>;
  let databaseUrl: string;
  let databaseOwnerUrl: string;
  let secretKey: string;
  let filled: FilledInstallation;
  let sent: string[];
  let statement: Record<string, unknown>;
  let entriesBefore: string;

  /** An import fills the database as the owner of its tables. */
  const onPostgres = () => ({ dataDir: makeTestFolder(), databaseUrl, env: { SECRET_KEY: secretKey, DATABASE_OWNER_URL: databaseOwnerUrl } });
  const proofOf = async (assay: ReturnType<typeof assayOn>) => (await assay.run("ledger", "export", "--email", filled.account.email)).stdout;
  const isEmpty = async (url: string) => {
    const counts = movedTables.filter(({ isSeeded }) => !isSeeded).map(({ name }) => `SELECT count(*)::int AS rows FROM ${name}`);
    const rows = await query<{ rows: number }>(url, counts.join(" UNION ALL "));
    return rows.every((each) => each.rows === 0);
  };

  before(async () => {
    postgres = await joinPostgres();
    ({ databaseUrl, databaseOwnerUrl } = await postgres.newMigratedDatabase());
    const service = await startService({ dataDir });
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    try {
      filled = await fillInstallation(service, store);
      await extend(store, { sealer: createSealer({ secretKey: readFileSync(join(dataDir, "secret.key"), "utf8"), previous: [] }) });
    } finally {
      await store.close();
      await service.stop();
    }
    secretKey = readFileSync(join(dataDir, "secret.key"), "utf8");
    sent = await bodyOf(openSqliteSource(path));
    const assay = assayOn({ dataDir });
    statement = await assay.json("statement", "--email", filled.account.email);
    entriesBefore = await proofOf(assay);
  });
  after(() => postgres.stop());

  it("moves every row of every table through a pipe, byte for byte, into the right daily partitions", async (t) => {
    const exporting = spawn(process.execPath, [cli, "export"], { env: serviceEnvironment({ dataDir }), stdio: ["ignore", "pipe", "ignore"] });
    const importing = spawn(process.execPath, [cli, "import", "--json"], { env: serviceEnvironment(onPostgres()), stdio: ["pipe", "pipe", "inherit"] });
    exporting.stdout.pipe(importing.stdin);
    let printed = "";
    importing.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    assert.deepEqual(await Promise.all([once(exporting, "close"), once(importing, "close")]), [[0, null], [0, null]]);
    const report = JSON.parse(printed) as { tables: number; rows: number; entries: number };
    assert.equal(report.tables, movedTables.length);
    assert.equal(report.rows, sent.filter((line) => line.startsWith("[")).length);

    assert.deepEqual(await bodyOf(await openPostgresSource(databaseUrl)), sent);
    for (const table of ["session_records_default", "offers_default"]) {
      assert.deepEqual(await query(databaseUrl, `SELECT count(*)::int AS rows FROM ${table}`), [{ rows: 0 }], table);
    }
    const filledTables = sent.filter((line, index) => line.startsWith("{") && sent[index + 1]?.startsWith("["));
    t.diagnostic(`${report.rows} rows, ${report.entries} entries, ${filledTables.length} of ${report.tables} tables have rows`);
    assert.ok(filledTables.length >= 28, "most tables have rows to move");
    for (const name of ["notice_choices", "attested_sessions"]) assert.ok(filledTables.some((line) => line.includes(`"${name}"`)), name);
  });

  it("works as docs/backup.md says, through a file that only its owner can read", async () => {
    const block = readBlocks(readDocument("docs/backup.md")).find(({ text }) => text.includes("import assay.export"))!;
    const url = await postgres.newDatabase();
    const script = block.text.replace("postgres://assay:…@db/assay", url);
    assert.ok(script.includes(url));
    const shell = spawn("/bin/sh", ["-euc", `npm() { shift 4; '${process.execPath}' '${cli}' "$@"; }\n${script}`], {
      env: serviceEnvironment({ dataDir }),
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    shell.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    assert.deepEqual(await once(shell, "close"), [0, null]);
    assert.match(printed, /^Exported \d+ rows[^]*\nImported \d+ rows[^]*\nThe ledger is whole/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(await assayOn({ dataDir }).refusal("export", "--out", file), /already exists/);
  });

  it("is all or nothing: a stream that is truncated, altered or from another secret imports nothing", async () => {
    const bytes = readFileSync(file);
    const url = await postgres.newDatabase();
    const importBytes = async (content: Buffer, secret = secretKey) => {
      const target = await openPostgresTarget(url, nowMs);
      assert.ok(target !== "in_use");
      const { kind } = await importStore((async function* chunks() { yield content; })(), target, [secret]);
      assert.ok(await isEmpty(url), kind);
      return kind;
    };
    const cuts = [0, 100, Math.floor(bytes.length / 2), bytes.lastIndexOf("\n", bytes.length - 2) + 1, bytes.length - 1];
    for (const at of cuts) assert.equal(await importBytes(bytes.subarray(0, at)), "cut_short", `cut at ${at}`);
    const swap = (from: string, to: string) => Buffer.from(bytes.toString("utf8").replace(from, to));
    // A changed value; a missing row; a row after the end; another secret; not an export; another version.
    assert.equal(await importBytes(swap("müller@", "miller@")), "altered");
    assert.equal(await importBytes(swap('["Growth",10000,200,6900]\n', "")), "unfit");
    assert.equal(await importBytes(Buffer.concat([bytes, Buffer.from("[1]\n")])), "altered");
    assert.equal(await importBytes(bytes, "quite another secret of forty letters ok"), "secret_differs");
    assert.equal(await importBytes(Buffer.from("id,email\n1,a@example.com\n")), "not_an_export");
    assert.equal(await importBytes(swap("0001-foundation", "0001-other")), "other_version");
  });

  it("refuses a ledger that does not verify, although the stream is intact", async () => {
    const copy = join(makeTestFolder(), sqliteFileName);
    const source = new DatabaseSync(path);
    source.exec(`VACUUM INTO '${copy}'`);
    source.close();
    const tampered = new DatabaseSync(copy);
    tampered.exec("DROP TRIGGER ledger_entries_no_update");
    tampered.exec("UPDATE ledger_entries SET ref = ref || 'x' WHERE seq = 2");
    tampered.close();
    const parts: Buffer[] = [];
    const tamperedSource = openSqliteSource(copy);
    await exportStore(tamperedSource, { version: "0", exported_at: "", fingerprint: null }, async (text) => void parts.push(Buffer.from(text)));
    await tamperedSource.close();
    const url = await postgres.newDatabase();
    const target = await openPostgresTarget(url, nowMs);
    assert.ok(target !== "in_use");
    const outcome = await importStore((async function* chunks() { yield* parts; })(), target, []);
    assert.ok(outcome.kind === "broken");
    assert.match(outcome.problems.join(), /has been changed/);
    assert.ok(await isEmpty(url));
  });

  it("preserves keys, sign-ins, stored answers, tracking addresses, chains and the statement", async () => {
    const settings = onPostgres();
    const assay = assayOn(settings);
    assert.deepEqual(await assay.json("statement", "--email", filled.account.email), statement);
    assert.equal(await proofOf(assay), entriesBefore);
    const service = await startService(settings);
    const { account, replayable, clickUrl, cookies } = filled;
    const replayed = await predict(service, account.liveKey, { headers: { "idempotency-key": replayable.idempotencyKey } });
    assert.equal(replayed.text, replayable.answer.text);
    assert.equal(replayed.headers["assay-receipt"], replayable.answer.headers["assay-receipt"]);
    const entries = entriesBefore.trimEnd().split("\n").length;
    const next = await predict(service, account.liveKey);
    assert.match(String(next.headers["assay-receipt"]), new RegExp(`^${entries + 1}\\.`));
    assert.equal((await follow(service, clickUrl)).status, 302);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    assert.equal((await send(service, "/dashboard/api/me", { headers: { cookie } })).status, 200);
    const image = await query<{ hash: string }>(databaseUrl, "SELECT hash FROM images WHERE content_type = 'image/webp' LIMIT 1");
    assert.equal((await send(service, `/cdn/${image[0]!.hash}.webp`)).status, 200);
    assert.match(await assay.refusal("import", file), /a service is connected|is not empty/);
    await service.stop();
    const proof = (await proofOf(assay)).trimEnd().split("\n").map((line) => JSON.parse(line) as { kind: string; prev_hash: string; hash: string });
    assert.equal(proof.length, entries + 2, "the call and the click");
    assert.equal(proof[entries]!.prev_hash, proof[entries - 1]!.hash);
    assert.equal(proof.at(-1)!.kind, "click");
    assert.equal((await assay.json<{ ok: boolean }>("ledger", "verify")).ok, true);
    assert.match(await assay.refusal("import", file), /is not empty \(accounts has rows\): import into a new one/);
  });

  it("works in the other direction: into an empty folder only, and never under another secret", async () => {
    const there = makeTestFolder();
    const target = openSqliteTarget(there, nowMs);
    assert.ok(typeof target === "object");
    assert.equal(openSqliteTarget(there, nowMs), "in_use");
    assert.equal((await importStore(createReadStream(file), target, [secretKey])).kind, "imported");
    assert.deepEqual(await bodyOf(openSqliteSource(join(there, sqliteFileName))), sent);
    assert.equal(openSqliteTarget(there, nowMs), "store_exists");
    const other = makeTestFolder();
    const refused = openSqliteTarget(other, nowMs);
    assert.ok(typeof refused === "object");
    assert.equal((await importStore(createReadStream(file), refused, [])).kind, "secret_differs");
    assert.deepEqual(readdirSync(other), ["in-use.lock"]);
  });
});
