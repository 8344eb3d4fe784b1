import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { createHmac, hkdfSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { type Assay, assayOn } from "./cli/run-assay.ts";
import { openBrowser } from "./people/browser.ts";
import { codeOf, nextCodeOf } from "./people/totp.ts";
import { idAt } from "./id-at.ts";
import { makeAccount } from "./make-account.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
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

/** The sessions that people had when 0.1.0 stopped must not expire with the fixture's age. */
const keepSessions = `UPDATE sign_ins SET expires_at = ${Date.now() + 2 * 86_400_000}`;

async function fillPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(unpack("store.sql.gz").toString("utf8"));
  // pg_dump empties the search path.
  await client.query(keepSessions.replace("sign_ins", "public.sign_ins"));
  await client.end();
}

function fillSqlite(path: string): void {
  writeFileSync(path, unpack("assay.sqlite.gz"));
  const database = new DatabaseSync(path);
  database.exec(keepSessions);
  database.close();
}

/** The cookie that 0.1.0 gave a browser for the token that it stored. */
function oldCookieOf(token: string, secretKey: string): string {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "assay", "sign-in cookies", 32)).toString("hex");
  return `${token}.${encodeURIComponent(createHmac("sha256", key).update(token).digest("base64"))}`;
}

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`a store that version 0.1.0 made (${dialect})`, { skip: dialect === "postgres" ? whyPostgresIsSkipped() : false }, () => {
    const expected = JSON.parse(readFileSync(join(folder, `${dialect}.json`), "utf8")) as Expected;
    const dataDir = makeTestFolder();
    let service: TestService;
    let assay: Assay;
    let store: Store;
    let stopPostgres = async () => {};

    before(async () => {
      let databaseUrl: string | undefined;
      if (dialect === "sqlite") fillSqlite(join(dataDir, "assay.sqlite"));
      else {
        const postgres = await joinPostgres();
        stopPostgres = () => postgres.stop();
        databaseUrl = await postgres.newDatabase();
        await fillPostgres(databaseUrl);
      }
      const settings = { dataDir, databaseUrl, env: { SECRET_KEY: expected.secretKey } };
      service = await startService(settings);
      assay = assayOn(settings);
      ({ store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} }));
    });
    after(async () => {
      await store.close();
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
      const { pending_usd: pendingClicksUsd } = statement["ads"] as { pending_usd: number };
      assert.equal((statement["balance"] as { pending_usd: number }).pending_usd, pendingClicksUsd, "what calls earned before is confirmed");
    });

    it("bills a call of an old key as the next entry of its chain", async () => {
      const answer = await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": expected.liveKey, "content-type": "application/json" }, body: session });
      assert.equal(answer.status, 200, answer.text);
      assert.match(String(answer.headers["assay-receipt"]), new RegExp(`^${expected.entries.length + 1}\\.`));
      assert.equal((await verify()).ok, true);
    });

    it("keeps the first model for its accounts: the newest one began with this start", async () => {
      const versionFor = async (key: string) =>
        (await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": key, "content-type": "application/json" }, body: session })).json().model_version;
      const [first, newest] = [releasedModels[0]!.model.version, releasedModels.at(-1)!.model.version];
      assert.equal(await versionFor(expected.liveKey), first);
      assert.equal(await versionFor((await makeAccount(store)).liveKey), newest);
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

    it("keeps the people signed in that were, before and after their tokens are hashed and their second factors re-encrypted", async () => {
      const auth = "/dashboard/api/auth";
      const oldSignIns = () => store.db.selectFrom("sign_ins").select(["account_id", "token"]).where("token", "not like", "sha256.%").execute();
      const old = await oldSignIns();
      assert.equal(old.length, 2);
      const secretOf = () => store.db.selectFrom("second_factors").select(["secret", "recovery_codes"]).executeTakeFirstOrThrow();
      const sealedBefore = await secretOf();
      const browsers = old.map(({ token }) => {
        const browser = openBrowser(service);
        browser.cookies.set("assay.session_token", oldCookieOf(token, expected.secretKey));
        return browser;
      });
      for (const browser of browsers) assert.equal((await browser.get("/dashboard/api/me")).status, 200, "beside nodes of 0.1.0");
      for (const name of ["assay_session", "assay.session_token"]) {
        const thief = openBrowser(service);
        thief.cookies.set(name, old[0]!.token);
        assert.equal((await thief.get("/dashboard/api/me")).status, 401, "the stored token without its signature");
      }
      assert.deepEqual(await secretOf(), sealedBefore, "0.1.0 can still read them");

      const outcome = await assay.json<{ resealed: number; left: number; unreadable: number }>("secret-key", "reseal");
      assert.deepEqual([outcome.left, outcome.unreadable], [0, 0]);
      assert.deepEqual(await oldSignIns(), []);
      const sealedAfter = await secretOf();
      assert.match(`${sealedAfter.secret} ${sealedAfter.recovery_codes}`, /^v1\.\S+ v1\.\S+$/);
      for (const [index, browser] of browsers.entries()) {
        const answers = await Promise.all([browser.get("/dashboard/api/me"), browser.get("/dashboard/api/me")]);
        assert.deepEqual(answers.map(({ status }) => status), [200, 200]);
        assert.equal((answers[0].json()["account"] as { id: string }).id, old[index]!.account_id);
        browser.cookies.delete("assay.session_token");
        assert.equal((await browser.get("/dashboard/api/me")).status, 200, "the new cookie alone");
        assert.notEqual(browser.cookies.get("assay_session"), old[index]!.token);
      }
      const operator = openBrowser(service);
      await operator.post(`${auth}/sign-in/email`, { email: "operator@example.com", password: expected.password });
      assert.equal((await operator.post(`${auth}/two-factor/verify-totp`, { code: nextCodeOf(expected.totpUri, Date.now()) })).status, 200);
      await operator.post(`${auth}/sign-out`);
      assert.equal((await operator.get("/dashboard/api/me")).status, 401);
      await browsers[0]!.post(`${auth}/sign-out`);
      assert.equal(browsers[0]!.cookies.size, 0);
    });
  });
}

/** A script's traffic as 0.1.0 stored it: one body, on the last four days. The chain of its account ends with it. */
function listForgedRows(accountId: string): string[] {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const moveHead = `UPDATE ledger_heads SET at = ${today - 1} WHERE account_id = '${accountId}'`;
  const rows = [4, 3, 2, 1].flatMap((days) => {
    const day = today - days * 86_400_000;
    const sessions = Array.from({ length: 150 }, (_, index) => {
      const at = day + index * 60_000;
      return `('${accountId}', '${idAt(at)}', 'live', 'predict', ${at}, 0.5, 120, 0.5, 10, 4, 1, 60, 0.9, 'standard_user', 'm', 1, ${days * 1_000 + index})`;
    });
    return [`INSERT INTO session_records VALUES ${sessions.join(", ")}`, `INSERT INTO usage_rollups VALUES ('${accountId}', ${day}, 'predict', 'platform', 6800, 150, 7500000, 5100000, 2400000)`];
  });
  return [...rows, moveHead];
}

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`before an upgrade of a store that version 0.1.0 made (${dialect})`, { skip: dialect === "postgres" ? whyPostgresIsSkipped() : false }, () => {
    it("the accounts to hold first are listed, and the store stays as it is", async () => {
      const dataDir = makeTestFolder();
      const { secretKey } = JSON.parse(readFileSync(join(folder, `${dialect}.json`), "utf8")) as Expected;
      const selectId = "SELECT id FROM accounts WHERE email = 'developer@example.com'";
      const countMigrations = "SELECT count(*) AS count FROM migrations";
      const postgres = dialect === "postgres" ? await joinPostgres() : undefined;
      const databaseUrl = await postgres?.newDatabase();
      const path = join(dataDir, "assay.sqlite");
      const query = async (text: string): Promise<Record<string, unknown>[]> => {
        if (databaseUrl === undefined) {
          const database = new DatabaseSync(path);
          const rows = database.prepare(text).all();
          database.close();
          return rows;
        }
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        const { rows } = await client.query<Record<string, unknown>>(text);
        await client.end();
        return rows;
      };
      if (databaseUrl === undefined) fillSqlite(path);
      else await fillPostgres(databaseUrl);
      const accountId = String((await query(selectId))[0]!["id"]);
      for (const statement of listForgedRows(accountId)) await query(statement);
      const migrationsBefore = await query(countMigrations);

      const assay = assayOn({ dataDir, databaseUrl, env: { SECRET_KEY: secretKey } });
      const listed = await assay.json<{ checked: number; accounts: { email: string; evidence: number; code: string; days: string[]; unpaid_usd: number }[] }>("review", "list", "--before-upgrade");
      assert.deepEqual(listed.accounts.map(({ email, code }) => [email, code]), [["developer@example.com", "exact_duplicates"]]);
      assert.ok(listed.accounts[0]!.evidence >= 1_000 && listed.accounts[0]!.days.length >= 3 && listed.accounts[0]!.unpaid_usd > 0);
      assert.deepEqual(await query(countMigrations), migrationsBefore);
      await postgres?.stop();
    });
  });
}
