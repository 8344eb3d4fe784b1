import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, it } from "node:test";
import { Client } from "pg";
import { sqliteFileName } from "../../src/store/open-store.ts";
import { predict, send } from "../send.ts";
import { startPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, serviceEnvironment, startService, type TestService } from "../start-service.ts";

const nodeCount = 4;
const roundCount = 2;

const started: TestService[] = [];
afterEach(async () => {
  for (const service of started.splice(0)) await service.kill9();
});

/** Waits for all starts, and throws the reason of the first failed one. */
async function startTogether(starts: Promise<TestService>[]): Promise<TestService[]> {
  const outcomes = await Promise.allSettled(starts);
  const services = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  started.push(...services);
  const failed = outcomes.find((each) => each.status === "rejected");
  if (failed) throw failed.reason as Error;
  return services;
}

/** Warnings are about retries, which are normal when all processes start at once on a busy machine. */
async function assertReadyWithoutError(services: readonly TestService[]): Promise<void> {
  for (const service of services) {
    assert.equal((await send(service, "/health/ready")).status, 200);
    assert.doesNotMatch(service.logs(), /"level":[56]0/, "no error was logged");
  }
}

/** Runs a CLI command, which opens the store as the servers do. */
async function migrateByCommand(dataDir: string): Promise<void> {
  const program = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, "migrate"], {
    env: serviceEnvironment({ dataDir }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr]) output.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, printed);
}

describe("processes that start together on an empty database", () => {
  it("PostgreSQL: every node starts, and the database is migrated once", { skip: whyPostgresIsSkipped() }, async (t) => {
    const postgres = await startPostgres();
    const dataDir = makeTestFolder();
    try {
      for (let round = 1; round <= roundCount; round += 1) {
        const databaseUrl = await postgres.newDatabase();
        const services = await startTogether(Array.from({ length: nodeCount }, () => startService({ databaseUrl, dataDir })));
        await assertReadyWithoutError(services);
        const client = new Client({ connectionString: databaseUrl });
        await client.connect();
        const { rows } = await client.query("SELECT name, count(*)::int AS times FROM migrations GROUP BY name");
        const tiers = await client.query("SELECT name FROM tiers");
        await client.end();
        assert.ok(rows.length > 0 && rows.every(({ times }) => times === 1), JSON.stringify(rows));
        assert.equal(tiers.rowCount, 3);
        assert.deepEqual(await Promise.all(services.map((service) => service.stop())), Array<number>(nodeCount).fill(0));
      }
      t.diagnostic(`${roundCount} rounds of ${nodeCount} nodes`);
    } finally {
      await postgres.stop();
    }
  });

  it("SQLite: two servers and a command start, migrate once and create the first accounts once", async (t) => {
    for (let round = 1; round <= roundCount; round += 1) {
      const dataDir = makeTestFolder();
      const command = migrateByCommand(dataDir);
      command.catch(() => {});
      const services = await startTogether([startService({ dataDir }), startService({ dataDir })]);
      await command;
      await assertReadyWithoutError(services);
      const database = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
      assert.equal(database.prepare("SELECT count(*) AS count FROM tiers").get()?.["count"], 3);
      const emails = database.prepare("SELECT email FROM accounts ORDER BY email").all().map((row) => row["email"]);
      assert.deepEqual(emails, ["developer@localhost", "operator@localhost"]);
      database.close();

      const keys = services.flatMap((service) => /Live key\s+(\S+)/.exec(service.logs())?.[1] ?? []);
      assert.equal(keys.length, 1, "only the process that created the first accounts shows them");
      for (const service of services) assert.equal((await predict(service, keys[0])).status, 200);
      assert.deepEqual(await Promise.all(services.map((service) => service.stop())), [0, 0]);
    }
    t.diagnostic(`${roundCount} rounds of two servers and a command`);
  });
});
