import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { findFreePort } from "../../test/find-free-port.ts";
import { goodPassword, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { confirmAddress, tokenIn } from "../../test/people/confirm-address.ts";
import { readLink, readMails } from "../../test/people/read-mails.ts";
import { send } from "../../test/send.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { startService, type TestService } from "../../test/start-service.ts";

const auth = "/dashboard/api/auth";
let addresses = 0;
const newAddress = () => `newcomer-${(addresses += 1)}@example.com`;

/** The shortest time of an answer about an address. A timer may fire a millisecond early. */
const answerMsMin = 299;

/** Only the lower bound is checked: no machine is too slow for it. */
async function takesAnswerTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const askedMs = performance.now();
  const answer = await ask();
  const tookMs = performance.now() - askedMs;
  assert(tookMs >= answerMsMin, `the answer came after ${tookMs} ms`);
  return answer;
}

describeBothStores("signing up and in", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve({ env: { SECRET_KEY: "s".repeat(40) } });
  });

  async function signUp(email: string) {
    const browser = openBrowser(service);
    const answer = await browser.post(`${auth}/sign-up/email`, { email, password: goodPassword });
    assert.equal(answer.status, 200, answer.text);
    return browser;
  }

  it("a password that is chosen with the mailed link verifies the address and signs in", async () => {
    const email = newAddress();
    const browser = await signUp(email);
    assert.equal((await browser.get("/dashboard/api/me")).status, 401, "not before the link");
    const link = await readLink(database.store, { to: email, kind: "verify" });
    assert.match(link, /^\/dashboard\/verify-email\?token=/);
    const weak = await confirmAddress(browser, link, "1234567890");
    assert.deepEqual([weak.status, weak.json()["error"]], [400, "invalid_request"]);
    const confirmed = await confirmAddress(browser, link, goodPassword);
    assert.deepEqual([confirmed.status, confirmed.json()], [200, { status: "signed_in" }], "a weak password does not use up the link");
    const me = (await browser.get("/dashboard/api/me")).json();
    assert.deepEqual(
      { ...me, account: { ...(me["account"] as object), id: "", created_at: "" } },
      {
        account: { id: "", email, created_at: "" },
        tier: "Starter",
        verified: true,
        operator: false,
        two_factor_enabled: false,
        second_factor_required: false,
        status: "active",
        demo: false,
      },
    );
  });

  it("the link works in any browser, once; the address of earlier versions leads to the page and does nothing", async () => {
    const email = newAddress();
    const browser = await signUp(email);
    const link = await readLink(database.store, { to: email, kind: "verify" });
    const other = openBrowser(service);
    const landing = await other.get(`${auth}/verify-email?token=${tokenIn(link)}`);
    assert.deepEqual([landing.status, landing.headers.location], [303, link]);
    assert.equal(other.cookies.size, 0);
    const elsewhere = await other.post(`${auth}/verify-email`, { token: tokenIn(link), newPassword: "of another site" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.equal(elsewhere.status, 403);
    assert.equal((await confirmAddress(other, link, "another good one, yes")).status, 200);
    assert.equal((await other.get("/dashboard/api/me")).status, 200);
    assert.equal((await confirmAddress(browser, link, goodPassword)).status, 400, "once");
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    await signIn(service, { email, password: "another good one, yes" });
    await assert.rejects(signIn(service, { email, password: goodPassword }), /401/, "what came with the sign-up is no password");
  });

  it("a sign-up needs no password, and says if one that it brings would be refused later", async () => {
    const email = newAddress();
    assert.equal((await openBrowser(service).post(`${auth}/sign-up/email`, { email })).status, 200);
    assert.equal((await confirmAddress(openBrowser(service), await readLink(database.store, { to: email, kind: "verify" }), goodPassword)).status, 200);
    await signIn(service, { email, password: goodPassword });
  });

  it("an unknown or expired link verifies nothing", async () => {
    const email = newAddress();
    const browser = await signUp(email);
    await database.store.db.updateTable("account_links").set({ expires_at: Date.now() - 1 }).where("email", "=", email).execute();
    await openBrowser(service).post(`${auth}/request-password-reset`, { email });
    const links = [await readLink(database.store, { to: email, kind: "verify" }), await readLink(database.store, { to: email, kind: "reset" }), "/dashboard/verify-email?token=nonsense"];
    for (const link of links) {
      const answer = await confirmAddress(browser, link, goodPassword);
      assert.deepEqual([answer.status, answer.json()["error"]], [400, "link_expired"], "nor does a link of another kind");
    }
    const row = await database.store.db.selectFrom("accounts").select("verified_at").where("email", "=", email).executeTakeFirstOrThrow();
    assert.equal(row.verified_at, null);
  });

  it("opens the account, its chain, the link and the mail in one write, at the first tier", async () => {
    const email = newAddress().toUpperCase();
    await signUp(email);
    const account = await database.store.db
      .selectFrom("accounts as a")
      .innerJoin("ledger_heads as h", "h.account_id", "a.id")
      .select(["a.id", "a.tier", "a.operator", "h.seq"])
      .where("a.email", "=", email.toLowerCase())
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...account, id: "" }, { id: "", tier: "Starter", operator: 0, seq: 0 });
  });

  it("answers a sign-up with a registered address byte for byte like any other, changes nothing and mails its owner [threat: account-enumeration]", async () => {
    const owner = await makeSignInAccount(database.store);
    const signUpWith = (email: string, password: string) => takesAnswerTime(() => openBrowser(service).post(`${auth}/sign-up/email`, { email, password }));
    const fresh = await signUpWith(newAddress(), goodPassword);
    const taken = await signUpWith(owner.email, "another good one, yes");
    assert.equal(taken.status, fresh.status);
    assert.equal(taken.text, fresh.text);
    const shapeOf = (answer: typeof fresh) => Object.keys(answer.headers).toSorted();
    assert.deepEqual(shapeOf(taken), shapeOf(fresh));
    const hideToken = (answer: typeof fresh) => answer.headers["set-cookie"]?.map((line) => line.replace(/=[\w-]+;/, "=…;"));
    assert.deepEqual(hideToken(taken), hideToken(fresh));
    assert.deepEqual((await readMails(database.store, owner.email)).map(({ kind }) => kind), ["already_registered"]);
    await signIn(service, owner);
    await assert.rejects(signIn(service, { email: owner.email, password: "another good one, yes" }));
  });

  it("mails a link again, and any of them works until one was used", async () => {
    const email = newAddress();
    await signUp(email);
    const first = await readLink(database.store, { to: email, kind: "verify" });
    await openBrowser(service).post(`${auth}/send-verification-email`, { email });
    const again = await readLink(database.store, { to: email, kind: "verify" });
    assert.notEqual(again, first);
    assert.equal((await confirmAddress(openBrowser(service), first, goodPassword)).status, 200);
    assert.equal((await confirmAddress(openBrowser(service), again, "another good one, yes")).status, 400);
    await signIn(service, { email, password: goodPassword });
  });

  it("refuses a wrong password, an unknown address and an unverified one with the same answer [threat: account-enumeration]", async () => {
    const verified = await makeSignInAccount(database.store);
    const unverified = await makeSignInAccount(database.store, { verified: false });
    const tries = [
      { email: verified.email, password: "not the right one" },
      { email: "nobody@example.com", password: goodPassword },
      { email: unverified.email, password: goodPassword },
    ];
    const answers = [];
    for (const body of tries) answers.push(await openBrowser(service).post(`${auth}/sign-in/email`, body));
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(answers[0]!.status, 401);
    assert.equal(answers[0]!.json()["error"], "sign_in_failed");
    assert(answers.every(({ headers }) => headers["set-cookie"] === undefined));
  });

  it("answers resends and reset requests alike for registered and unknown addresses [threat: account-enumeration]", async () => {
    const verified = await makeSignInAccount(database.store);
    const unverified = await makeSignInAccount(database.store, { verified: false });
    for (const path of ["send-verification-email", "request-password-reset"]) {
      const asked = [verified.email, unverified.email, "nobody-at-all@example.com"];
      const answers = await Promise.all(asked.map((email) => takesAnswerTime(() => openBrowser(service).post(`${auth}/${path}`, { email }))));
      assert.deepEqual(answers.map(({ status, text }) => `${status} ${text}`), Array.from({ length: 3 }, () => '200 {"status":true}'));
    }
    assert.deepEqual((await readMails(database.store, unverified.email)).map(({ kind }) => kind), ["verify", "reset"]);
    assert.deepEqual((await readMails(database.store, verified.email)).map(({ kind }) => kind), ["reset"]);
    assert.deepEqual(await readMails(database.store, "nobody-at-all@example.com"), []);
  });

  it("opens a new session with every sign-in, whatever cookie the browser sends (session fixation)", async () => {
    const account = await makeSignInAccount(database.store);
    const attacker = await signIn(service, account);
    const planted = attacker.cookies.get("assay_session")!;
    await attacker.post(`${auth}/sign-out`);
    const victim = openBrowser(service);
    victim.cookies.set("assay_session", planted);
    assert.equal((await victim.get("/dashboard/api/me")).status, 401, "a session that was signed out is gone");
    victim.cookies.set("assay_session", "chosen-by-somebody.else");
    await victim.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
    assert.notEqual(victim.cookies.get("assay_session"), "chosen-by-somebody.else");
    assert.notEqual(victim.cookies.get("assay_session"), planted);
    assert.equal((await victim.get("/dashboard/api/me")).status, 200);
  });

  it("stores a hash of the session's token, with which nobody signs in, and never sends the token in a body [threat: stolen-cookie]", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const { token } = await database.store.db
      .selectFrom("sign_ins")
      .select("token")
      .where("account_id", "=", account.accountId)
      .executeTakeFirstOrThrow();
    const cookie = browser.cookies.get("assay_session")!;
    assert.match(cookie, /^[\w-]{43}$/);
    assert.equal(token, `sha256.${hash("sha256", cookie, "hex")}`);
    const thief = openBrowser(service);
    for (const forged of [token, token.replace("sha256.", ""), encodeURIComponent(token), `${token}.${"A".repeat(43)}%3D`]) {
      for (const name of ["assay_session", "assay.session_token"]) {
        thief.cookies.clear();
        thief.cookies.set(name, forged);
        assert.equal((await thief.get("/dashboard/api/me")).status, 401);
      }
    }
    for (const path of ["/dashboard/api/me", `${auth}/list-sessions`]) {
      const { text } = await browser.get(path);
      assert(!text.includes(cookie) && !text.includes(token));
    }
  });

  it("refuses changes from another or an unknown origin (CSRF)", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const body = { currentPassword: account.password, newPassword: "a very different one" };
    const evil = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { origin: service.url, "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      { origin: service.url.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) },
      { origin: "", "sec-fetch-site": "same-site" },
    ];
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const headers of [...evil, {}]) {
      const answer = await send(service, `${auth}/change-password`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", ...headers },
        body,
      });
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.equal(answer.json()["error"], "forbidden");
    }
    const form = await send(service, `${auth}/change-password`, {
      method: "POST",
      headers: { cookie, origin: service.url, "content-type": "application/x-www-form-urlencoded" },
      body: "currentPassword=a&newPassword=b",
    });
    assert.equal(form.status, 415, "a form is not JSON");
    await signIn(service, account);
    const signedUp = await send(service, `${auth}/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://evil.example" },
      body: { email: "planted@example.com", password: goodPassword },
    });
    assert.equal(signedUp.status, 403);
    assert.deepEqual(await readMails(database.store, "planted@example.com"), []);
  });

  it("forbids caching of private answers", async () => {
    const browser = await signIn(service, await makeSignInAccount(database.store));
    for (const path of ["/dashboard/api/me", `${auth}/list-sessions`, `${auth}/options`]) {
      assert.equal((await browser.get(path)).headers["cache-control"], "no-store", path);
    }
    assert.equal((await openBrowser(service).get("/dashboard/api/me")).headers["cache-control"], "no-store");
  });

  it("refuses weak passwords and malformed addresses, and says what is required", async () => {
    const refusals: [object, RegExp][] = [
      [{ email: newAddress(), password: "short" }, /10 characters or more/],
      [{ email: newAddress(), password: "password123" }, /common password/],
      [{ email: "no address", password: goodPassword }, /must be an e-mail address/],
      [{ email: "two@example.com,three@example.com", password: goodPassword }, /must be an e-mail address/],
      [{ email: "bcc@example.com\r\nBcc: x@example.com", password: goodPassword }, /must be an e-mail address/],
      [{ password: goodPassword }, /Missing required field: email/],
    ];
    for (const [body, message] of refusals) {
      const answer = await openBrowser(service).post(`${auth}/sign-up/email`, body);
      assert.equal(answer.status, 400);
      assert.match(String(answer.json()["message"]), message);
    }
  });
});

describe("a first start", () => {
  const secureUrl = "https://assay.example.com";
  /** The three ways to be reached: by this machine alone, by others, and by others through a proxy with https. */
  let local: TestService;
  let reachable: TestService;
  let secure: TestService;
  before(async () => {
    local = await startService();
    const startReachable = async (env: Record<string, string>) => {
      const port = await findFreePort();
      const started = await startService({ env: { PORT: String(port), SECRET_KEY: "s".repeat(40), ...env } });
      // The service prints its public address; the test connects as a proxy would.
      return { ...started, url: `http://127.0.0.1:${port}` };
    };
    reachable = await startReachable({ HOST: "0.0.0.0" });
    secure = await startReachable({ PUBLIC_URL: secureUrl });
  });
  after(() => Promise.all([local, reachable, secure].map((service) => service?.stop())));

  const withStore = async <Result>({ dataDir }: TestService, work: (store: Store) => Promise<Result>): Promise<Result> => {
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const passwordOf = (role: "developer" | "operator") => new RegExp(`${role}@localhost\\s+password (\\S+)`).exec(local.logs())![1]!;

  it("that others can reach creates no account [threat: local-only-page]", async () => {
    for (const service of [reachable, secure]) {
      assert.doesNotMatch(service.logs(), /First start|Live key|password [a-z0-9]{16}|@localhost|Mailbox/);
      assert.match(service.logs(), /There is no account yet.*\n.* account create --email ADDRESS .*--operator\n/);
      assert.deepEqual(await withStore(service, (store) => store.db.selectFrom("accounts").select("email").execute()), []);
    }
  });

  it("prints sign-ins that work, and only the operator's has the operator role", async () => {
    for (const role of ["developer", "operator"] as const) {
      const me = (await (await signIn(local, { email: `${role}@localhost`, password: passwordOf(role) })).get("/dashboard/api/me")).json();
      assert.equal(me["operator"], role === "operator");
    }
  });

  it("gives cookies that are HttpOnly and SameSite=Lax; with https they are Secure and have the __Host- prefix", async () => {
    for (const service of [local, secure]) {
      const isSecure = service === secure;
      const account = await withStore(service, (store) => makeSignInAccount(store));
      const browser = await signIn(service, account, isSecure ? { origin: secureUrl } : {});
      await browser.post(`${auth}/sign-in/email`, { email: account.email, password: account.password, rememberMe: false });
      assert.equal(browser.setCookies.length, 2);
      for (const line of browser.setCookies) {
        const [pair = "", ...attributes] = line.split("; ");
        const flags = new Set(attributes.map((each) => each.toLowerCase()));
        for (const flag of ["httponly", "samesite=lax", "path=/"]) assert(flags.has(flag), line);
        assert.equal(flags.has("secure"), isSecure, line);
        assert.equal(pair.startsWith("__Host-"), isSecure, line);
        assert(!attributes.some((each) => /^domain=/i.test(each)), line);
      }
      assert.equal((await browser.get("/dashboard/api/me")).status, 200);
    }
  });

  it("rejects the cookies of another installation", async () => {
    const there = await signIn(reachable, await withStore(reachable, (store) => makeSignInAccount(store)));
    const browser = await signIn(local, { email: "developer@localhost", password: passwordOf("developer") });
    const elsewhere = openBrowser(reachable);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    assert.deepEqual([...elsewhere.cookies.keys()], [...there.cookies.keys()], "both call it the same");
    assert.equal((await elsewhere.get("/dashboard/api/me")).status, 401);
    assert.equal((await there.get("/dashboard/api/me")).status, 200);
  });
});
