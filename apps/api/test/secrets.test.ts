/** Plants canary values for every secret that the service receives or creates, and searches all output and storage for them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Browser, makeSignInAccount, openBrowser, signIn } from "./people/browser.ts";
import { readLink } from "./people/read-mails.ts";
import { codeOf } from "./people/totp.ts";
import { assayOn } from "./cli/run-assay.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { dumpDatabase } from "./dump-database.ts";
import { makeAccount, type TestAccount } from "./make-account.ts";
import { predict, send } from "./send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, serviceEnvironment, spawnService, startService, type TestService } from "./start-service.ts";

const auth = "/dashboard/api/auth";

/** Set by the operator. */
const settings = {
  secretKey: "canary-secret-key-of-this-installation-0001",
  databasePassword: "canary-database-password-0002",
  smtpPassword: "canary-smtp-password-0003",
  metricsToken: "canary-metrics-token-0004",
};
/** Sent by people and their servers. */
const sent = {
  password: "canary password of a person 0005",
  newPassword: "canary password they chose next 0006",
  wrongPassword: "canary password that is wrong 0007",
  idempotencyKey: "canary-idempotency-key-0008",
  wrongKey: "assay_live_canary0009",
  cookie: "canary-cookie-0010",
  value: "canary-personal-value-0011",
};

function withPassword(url: string, password: string): string {
  const address = new URL(url);
  address.password = password;
  return address.href;
}

describe("a secret", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  let store: Store;
  let service: TestService;
  let account: TestAccount;
  let databaseUrl: string;
  const dataDir = makeTestFolder();
  /** Created and handed out by the service. */
  const made: Record<string, string> = {};

  before(async () => {
    postgres = await startPostgres();
    databaseUrl = withPassword(await postgres.newDatabase(), settings.databasePassword);
    ({ store } = await openStore({ dataDir, databaseUrl }, { nowMs: Date.now(), onConnectionError: () => {} }));
    account = await makeAccount(store);
    service = await startService({
      dataDir,
      databaseUrl,
      env: {
        LOG_LEVEL: "trace",
        SECRET_KEY: settings.secretKey,
        METRICS_TOKEN: settings.metricsToken,
        // Nothing listens there, so that every mail fails and is logged.
        SMTP_URL: `smtp://mailer:${settings.smtpPassword}@127.0.0.1:9`,
        MAIL_FROM: "Assay <no-reply@example.com>",
      },
    });
  });
  after(async () => {
    await service.stop();
    await store.close();
    await postgres.stop();
  });

  /** Every use of secrets in the dashboard; each step also once in a way that fails. */
  async function useDashboard(): Promise<Browser> {
    const person = await makeSignInAccount(store, { password: sent.password });
    const stranger = openBrowser(service);
    await stranger.post(`${auth}/sign-in/email`, { email: person.email, password: sent.wrongPassword }, { cookie: `assay_session=${sent.cookie}` });
    await stranger.post(`${auth}/sign-up/email`, { email: "someone@example.com", password: sent.password });
    await stranger.post(`${auth}/sign-up/email`, `{"email":"x@example.com","password":"${sent.password}"`);
    await stranger.post(`${auth}/request-password-reset`, { email: person.email });
    made["reset link"] = new URL(await readLink(store, { to: person.email, kind: "reset" }), service.url).searchParams.get("token")!;
    await stranger.get(`/dashboard/reset-password?token=${made["reset link"]}`);
    await stranger.post(`${auth}/reset-password`, { token: `${made["reset link"]}x`, newPassword: sent.newPassword });
    await stranger.post(`${auth}/reset-password`, { token: made["reset link"], newPassword: sent.newPassword });
    const browser = await signIn(service, { email: person.email, password: sent.newPassword });
    made["session cookie"] = browser.cookies.get("assay_session")!;
    const setUp = (await browser.post(`${auth}/two-factor/enable`, { password: sent.newPassword })).json();
    const uri = String(setUp["totp_uri"]);
    made["authenticator's secret"] = new URL(uri).searchParams.get("secret")!;
    made["recovery code"] = (setUp["recovery_codes"] as string[])[0]!;
    await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) });
    // Enabling the second factor renews the session.
    made["session cookie"] = browser.cookies.get("assay_session")!;
    const created = await browser.post("/dashboard/api/keys", { name: "a key", mode: "live" });
    made["key"] = String(created.json()["api_key"] ?? created.json()["key"]);
    assert.match(made["key"], /^assay_live_/, created.text);
    return browser;
  }

  async function callApi(): Promise<number[]> {
    const call = (key: string, headers: Record<string, string> = {}, body?: unknown) => predict(service, key, { headers, ...(body !== undefined && { body }) });
    const answers = [
      await call(account.liveKey, { "idempotency-key": sent.idempotencyKey }),
      await call(made["key"]!, { "idempotency-key": sent.idempotencyKey }),
      await call(sent.wrongKey),
      await call(account.liveKey, {}, { email: sent.value, session_data: { user_engagement: sent.value } }),
      await call(account.liveKey, {}, `{"email":"${sent.value}`),
      await call(account.testKey, { "assay-test-scenario": "server_error" }, { session_data: { note: sent.value } }),
      await send(service, "/metrics", { headers: { authorization: `Bearer ${settings.metricsToken}x` } }),
      await send(service, "/metrics", { headers: { authorization: `Bearer ${settings.metricsToken}` } }),
    ];
    for (const { text } of answers) for (const secret of Object.values({ ...settings, ...sent })) assert(!text.includes(secret), "an answer contains the secret");
    return answers.map(({ status }) => status);
  }

  function assertAbsent(text: string, where: string): void {
    const keys = { "live key": account.liveKey, "test key": account.testKey };
    for (const [name, secret] of Object.entries({ ...settings, ...sent, ...made, ...keys })) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) assert(!text.includes(form), `${name} is in ${where}`);
    }
  }

  it("is neither logged nor stored, at any log level, in successful and in failing requests [threat: leaked-secret]", async () => {
    const browser = await useDashboard();
    assert.deepEqual(await callApi(), [200, 200, 401, 400, 400, 500, 403, 200]);
    assert.equal((await browser.get("/dashboard/api/me")).status, 200, "the cookie searched for is valid");
    assert.match(service.logs(), /"answered"/, "requests are logged");
    const { text, tables } = await dumpDatabase({ store, dataDir });
    assert(tables.includes("second_factors") && text.includes(account.accountId));
    // A mail contains its link until it is sent.
    const mails = await store.db.selectFrom("mails").select(["body_text", "body_html"]).execute();
    const timesIn = (where: string) => where.split(made["reset link"]!).length - 1;
    assert.equal(timesIn(text), timesIn(JSON.stringify(mails)), "the link is in its mail and nowhere else");
    assertAbsent(text.replaceAll(made["reset link"]!, ""), "the database");
    assertAbsent(service.logs(), "the log");
  });

  it("is not logged when the database becomes unavailable [threat: leaked-secret]", async () => {
    const fresh = await makeAccount(store);
    // Not as a browser of these tests, which asks again for a minute while it gets 503.
    const post = (path: string, body: unknown) => send(service, `${auth}/${path}`, { method: "POST", headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" }, body });
    await postgres.stop();
    const answers = await Promise.all([
      predict(service, account.liveKey, { headers: { "idempotency-key": sent.idempotencyKey } }).catch(() => undefined),
      predict(service, fresh.liveKey).catch(() => undefined),
      post("request-password-reset", { email: "x@example.com" }),
      post("sign-in/email", { email: "x@example.com", password: sent.password }),
      send(service, `${auth}/verify-email?token=${made["reset link"]}`),
      post("verify-email", { token: made["reset link"], newPassword: sent.newPassword }),
      send(service, "/dashboard/api/me", { headers: { cookie: `assay_session=${made["session cookie"]}` } }),
    ]);
    assert(answers.some((answer) => (answer?.status ?? 0) >= 500), "some requests failed with 5xx");
    assert.match(service.logs(), /"call failed"/);
    assertAbsent(service.logs(), "the log");
    assert(!service.logs().includes(fresh.liveKey));
  });

  it("is not printed by a service that cannot start or by a command that fails [threat: leaked-secret]", async () => {
    const wrong: Record<string, string>[] = [
      { DATABASE_URL: databaseUrl, SECRET_KEY: settings.secretKey },
      { DATABASE_URL: `postgres//x:${settings.databasePassword}@nowhere`, SECRET_KEY: settings.secretKey },
      { SMTP_URL: `http://x:${settings.smtpPassword}@nowhere`, MAIL_FROM: "a@example.com" },
      { REDIS_URL: `redi://:${settings.databasePassword}@127.0.0.1`, METRICS_TOKEN: settings.metricsToken },
      { SECRET_KEY: settings.secretKey.slice(0, 20) },
    ];
    const outputs = await Promise.all(
      wrong.map(async (env) => {
        const { logs, whenEnded } = spawnService(serviceEnvironment({ dataDir: makeTestFolder(), env: { LOG_LEVEL: "trace", ...env } }));
        assert.equal(await whenEnded, 1, JSON.stringify(Object.keys(env)));
        assert.match(logs(), /Assay cannot start: /);
        return logs();
      }),
    );
    assertAbsent(outputs.join(""), "the output of a failing start");
    assert(!outputs.join("").includes(settings.secretKey.slice(0, 20)));
    const here = assayOn({ dataDir: makeTestFolder() });
    const elsewhere = assayOn({ dataDir, databaseUrl, env: { SECRET_KEY: settings.secretKey } });
    const results = await Promise.all([
      here.spawn("account", "create", "--email", "x@example.com", "--tier", "None", "--verified", "--password", sent.password),
      here.spawn("account", "create", "--email", "x", "--tier", "Starter", "--password", sent.password, "--nonsense"),
      elsewhere.spawn("account", "create", "--email", "x@example.com", "--tier", "Starter", "--password", sent.password),
    ]);
    for (const { code, stdout, stderr } of results) {
      assert.notEqual(code, 0);
      assertAbsent(stdout + stderr, "the output of a failing command");
    }
  });
});
