import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { Client } from "pg";
import { waitUntil } from "./send.ts";
import { startPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe("a PostgreSQL server for tests", { skip: whyPostgresIsSkipped() }, () => {
  it("commits durably, creates separate databases and deletes its files when stopped", async () => {
    const postgres = await startPostgres();
    try {
      assert.deepEqual(await query(postgres.url, "show fsync"), [{ fsync: "on" }]);
      assert.deepEqual(await query(postgres.url, "show synchronous_commit"), [{ synchronous_commit: "on" }]);
      const [one, two] = await Promise.all([postgres.newDatabase(), postgres.newDatabase()]);
      assert.notEqual(one, two);
      await query(one, "create table kept (id integer)");
      await assert.rejects(query(two, "select id from kept"), /does not exist/);
    } finally {
      const [row] = await query(postgres.url, "show data_directory");
      await postgres.stop();
      await postgres.stop();
      assert.equal(existsSync(String(row?.data_directory)), false);
    }
    await assert.rejects(query(postgres.url, "select 1"));
  });

  it("keeps committed data when it is killed, and restarts on the same port", async () => {
    const postgres = await startPostgres();
    try {
      const url = await postgres.newDatabase();
      await query(url, "create table kept (id integer)");
      for (let round = 1; round <= 3; round += 1) {
        await query(url, `insert into kept values (${round})`);
        postgres.kill9();
        await assert.rejects(query(url, "select 1"));
        await postgres.restart();
        assert.deepEqual(await query(url, "select count(*)::integer as rows from kept"), [{ rows: round }]);
      }
      await postgres.restart();
      assert.deepEqual(await query(url, "select count(*)::integer as rows from kept"), [{ rows: 3 }]);
    } finally {
      await postgres.stop();
    }
  });

  it("exits with the process that started it, even if that one is killed", async () => {
    const module = new URL("./start-postgres.ts", import.meta.url).href;
    for (const ending of ["process.exit(0)", "process.kill(process.pid, 'SIGKILL')"]) {
      const program = `
        const { startPostgres } = await import(${JSON.stringify(module)});
        const { readFileSync } = await import("node:fs");
        const { Client } = await import("pg");
        const postgres = await startPostgres();
        const client = new Client({ connectionString: postgres.url });
        await client.connect();
        const folder = (await client.query("show data_directory")).rows[0].data_directory;
        await client.end();
        const pid = Number(readFileSync(folder + "/postmaster.pid", "utf8").split("\\n")[0]);
        process.stdout.write(JSON.stringify({ folder, pid }) + "\\n", () => ${ending});
      `;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
        cwd: import.meta.dirname,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      await new Promise((resolve) => child.once("close", resolve));
      const { folder, pid } = JSON.parse(output) as { folder: string; pid: number };
      await waitUntil(() => isGone(pid), `the server of a process that ended by ${ending} is gone`);
      await waitUntil(() => !existsSync(folder), `the files of a process that ended by ${ending} are gone`);
    }
  });
});
