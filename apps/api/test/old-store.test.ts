import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { type Assay, assayOn } from "./cli/run-assay.ts";
import { openBrowser } from "./people/browser.ts";
import { codeOf } from "./people/totp.ts";
import { send } from "./send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "./start-service.ts";

type Entry = { seq: number; hash: string };
type Expected = {
  password: string;
  liveKey: string;
  month: string;
  secretKey: string;
  totpUri: string;
  entries: Entry[];
  statement: Record<string, unknown>;
};

const folder = join(import.meta.dirname, "fixtures", "store-0.1.0");
const unpack = (name: string): Buffer => gunzipSync(readFileSync(join(folder, name)));
const session = { session_data: { user_engagement: 0.6, session_duration: 120, page_views: 3 } };

async function fillPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(unpack("store.sql.gz").toString("utf8"));
  await client.end();
}

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`a store that version 0.1.0 made (${dialect})`, { skip: dialect === "postgres" ? whyPostgresIsSkipped() : false }, () => {
    const expected = JSON.parse(readFileSync(join(folder, `${dialect}.json`), "utf8")) as Expected;
    const dataDir = makeTestFolder();
    let service: TestService;
    let assay: Assay;
    let stopPostgres = async () => {};

    before(async () => {
      let databaseUrl: string | undefined;
      if (dialect === "sqlite") writeFileSync(join(dataDir, "assay.sqlite"), unpack("assay.sqlite.gz"));
      else {
        const postgres = await joinPostgres();
        stopPostgres = () => postgres.stop();
        databaseUrl = await postgres.newDatabase();
        await fillPostgres(databaseUrl);
      }
      const settings = { dataDir, databaseUrl, env: { SECRET_KEY: expected.secretKey } };
      service = await startService(settings);
      assay = assayOn(settings);
    });
    after(async () => {
      await service.stop();
      await stopPostgres();
    });

    const verify = () => assay.json<{ ok: boolean }>("ledger", "verify");

    it("has every entry as it was, and verifies", async () => {
      const { code, stdout, stderr } = await assay.run("ledger", "export", "--email", "developer@example.com");
      assert.equal(code, 0, stderr);
      assert.deepEqual(stdout.trim().split("\n").map((line) => JSON.parse(line) as Entry), expected.entries);
      assert.equal((await verify()).ok, true);
    });

    it("gives the statement that 0.1.0 gave", async () => {
      const statement = await assay.json<Record<string, unknown>>("statement", "--email", "developer@example.com", "--month", expected.month);
      for (const name of ["calls", "gross_usd", "developer_usd", "platform_usd", "lines"]) {
        assert.deepEqual(statement[name], expected.statement[name], name);
      }
    });

    it("bills a call of an old key as the next entry of its chain", async () => {
      const answer = await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": expected.liveKey, "content-type": "application/json" }, body: session });
      assert.equal(answer.status, 200, answer.text);
      assert.match(String(answer.headers["assay-receipt"]), new RegExp(`^${expected.entries.length + 1}\\.`));
      assert.equal((await verify()).ok, true);
    });

    it("signs its people in, with the second factor that was enrolled", async () => {
      const auth = "/dashboard/api/auth";
      const developer = openBrowser(service);
      const { password, totpUri } = expected;
      assert.equal((await developer.post(`${auth}/sign-in/email`, { email: "developer@example.com", password })).status, 200);
      const operator = openBrowser(service);
      await operator.post(`${auth}/sign-in/email`, { email: "operator@example.com", password });
      assert.equal((await operator.get("/dashboard/api/me")).status, 401, "the password alone is not enough");
      assert.equal((await operator.post(`${auth}/two-factor/verify-totp`, { code: codeOf(totpUri, Date.now()) })).status, 200);
      assert.equal((await operator.get("/dashboard/api/me")).status, 200);
    });
  });
}
