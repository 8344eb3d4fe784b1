import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import pg from "pg";
import { waitUntil } from "../../test/send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { openCommitLine } from "./commit-line.ts";
import type { CommitLine } from "./store.ts";

describe("a commit line", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  let watcher: pg.Client;
  before(async () => {
    postgres = await startPostgres();
    watcher = new pg.Client({ connectionString: postgres.url });
    watcher.on("error", () => {});
    await watcher.connect();
    await watcher.query("CREATE TABLE written (name TEXT PRIMARY KEY)");
  });
  after(async () => {
    await watcher.end();
    await postgres.stop();
  });

  function openLine(t: TestContext, settings: pg.ClientConfig = {}, idleMsMax = 60_000) {
    const unknown: string[] = [];
    const line = openCommitLine({
      settings: { connectionString: postgres.url, ...settings },
      idleMsMax,
      onConnectionError: () => {},
      onUnknownOutcome: (error) => unknown.push((error as Error).message),
    });
    t.after(() => line.end());
    return { line, unknown };
  }

  /** Sends all of them at once. Returns each one's rows, or its error. */
  const sendAll = async (line: CommitLine, statements: pg.QueryConfig[]) =>
    (await Promise.allSettled(statements.map(async (each) => (await line.connect()).query(each)))).map((each) =>
      each.status === "fulfilled" ? each.value : ((each.reason as { code?: string }).code ?? (each.reason as Error).message),
    );
  const write = (name: string) => ({ name: "write", text: "INSERT INTO written VALUES ($1) RETURNING name", values: [name] });
  const readWritten = async (like: string) =>
    (await watcher.query<{ name: string }>("SELECT name FROM written WHERE name LIKE $1 ORDER BY name", [like])).rows.map(({ name }) => name);
  const pidOf = async (line: CommitLine) => (await (await line.connect()).query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" }))[0]!.pid;

  it("fails only the statement that failed, and keeps its connection", async (t) => {
    const { line, unknown } = openLine(t);
    const pid = await pidOf(line);
    assert.deepEqual(await sendAll(line, [write("one-a"), write("one-a"), write("one-b")]), [[{ name: "one-a" }], "23505", [{ name: "one-b" }]]);
    assert.deepEqual(await readWritten("one-%"), ["one-a", "one-b"]);
    assert.equal(await pidOf(line), pid);
    assert.deepEqual(unknown, []);
  });

  it("goes on after a statement that took too long", async (t) => {
    const { line, unknown } = openLine(t, { options: "-c statement_timeout=200" });
    const pid = await pidOf(line);
    const slow = { text: "INSERT INTO written SELECT 'two-slow' FROM pg_sleep(30)" };
    assert.deepEqual(await sendAll(line, [write("two-a"), slow, write("two-b")]), [[{ name: "two-a" }], "57014", [{ name: "two-b" }]]);
    assert.deepEqual(await readWritten("two-%"), ["two-a", "two-b"]);
    assert.equal(await pidOf(line), pid);
    assert.deepEqual(unknown, []);
  });

  it("gives up its connection when the server does not answer in time: every outcome on it is unknown, and the next statement gets a new one", async (t) => {
    const { line, unknown } = openLine(t, { query_timeout: 300 });
    const pid = await pidOf(line);
    const answers = await sendAll(line, [{ text: "SELECT pg_sleep(1)" }, write("three-a")]);
    assert.equal(answers[0], "Query read timeout");
    assert.deepEqual(unknown, answers);
    assert.notEqual(await pidOf(line), pid);
  });

  it("is replaced when the server ends it", async (t) => {
    const { line, unknown } = openLine(t);
    const pid = await pidOf(line);
    const answers = sendAll(line, [{ text: "SELECT pg_sleep(30)" }, write("four-a")]);
    await waitUntil(async () => (await watcher.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", [pid])).rowCount === 1, "it sleeps");
    await watcher.query("SELECT pg_terminate_backend($1)", [pid]);
    assert.equal((await answers)[0], "57P01");
    assert.equal(unknown.length, 2, "whether the other one was begun is not known either");
    assert.deepEqual(await readWritten("four-%"), []);
    assert.notEqual(await pidOf(line), pid);
  });

  it("opens one connection however many ask for it, and closes it when nobody does", async (t) => {
    const { line } = openLine(t, { application_name: "idle line" }, 200);
    const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(line)));
    assert.equal(new Set(pids).size, 1);
    const isGone = async () => (await watcher.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'idle line'")).rowCount === 0;
    await waitUntil(isGone, "it is closed");
    assert.notEqual(await pidOf(line), pids[0]);
  });

  it("throws before anything is sent while the server is down, and works again once it is up", async (t) => {
    const { line, unknown } = openLine(t);
    await pidOf(line);
    postgres.kill9();
    await waitUntil(() => line.connect().then(() => false, () => true), "there is no connection");
    await assert.rejects(line.connect());
    assert.deepEqual(unknown, []);
    await postgres.restart();
    assert.ok(await pidOf(line));
  });
});
