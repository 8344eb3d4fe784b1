/** Sessions, and what becomes one, from before a change of what an account signs in with. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { confirmNewAddress, tokenIn } from "../../test/people/confirm-address.ts";
import { readLink } from "../../test/people/read-mails.ts";
import { codeOf, nextCodeOf } from "../../test/people/totp.ts";
import type { TestService } from "../../test/start-service.ts";
import { storedToken } from "./sessions.ts";

const auth = "/dashboard/api/auth";
const nextPassword = "eleven loud sparrows";

type Person = { accountId: string; email: string; password: string };
type Enrolled = { uri: string; recoveryCodes: string[] };

describeBothStores("a session from before", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let node: TestService;
  before(async () => {
    database = await open();
    [service, node] = await Promise.all([database.serve(), database.serve()]);
  });

  const makeLiveKey = async (browser: Browser) => (await browser.post("/dashboard/api/keys", { name: "from before", mode: "live" })).status;
  /** Sends the head of a request, and the body when it is told to: the session works in between. Resolves with the raw answer. */
  async function begin(browser: Browser, path: string, content: object): Promise<{ finish(): Promise<string> }> {
    const body = JSON.stringify(content);
    const { hostname, port, host, origin } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    await once(socket, "connect");
    const head = [`POST /dashboard/api${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, `Cookie: assay_session=${browser.cookies.get("assay_session")!}`, "Content-Type: application/json", `Content-Length: ${body.length}`, "Expect: 100-continue", "Connection: close"];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    // The service has the head of the request once it asks for the body; the session was looked at then.
    while (!answer.includes("100 Continue")) await once(socket, "data");
    return {
      async finish() {
        socket.write(body);
        await once(socket, "close");
        return answer;
      },
    };
  }
  const post = async (browser: Browser, path: string, body: object) => {
    const answer = await browser.post(auth + path, body);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.json();
  };
  async function beginFactor(here: Browser, { password }: Person): Promise<Enrolled> {
    const setUp = await post(here, "/two-factor/enable", { password });
    return { uri: String(setUp["totp_uri"]), recoveryCodes: setUp["recovery_codes"] as string[] };
  }
  async function switchOn(here: Browser, person: Person): Promise<Enrolled> {
    const enrolled = await beginFactor(here, person);
    await post(here, "/two-factor/verify-totp", { code: codeOf(enrolled.uri, Date.now()) });
    return enrolled;
  }

  /** What is changed, after what has to be there before it. */
  const changes: Record<string, (here: Browser, person: Person) => Promise<() => Promise<unknown>>> = {
    "the second factor is switched on": async (here, person) => {
      const { uri } = await beginFactor(here, person);
      return () => post(here, "/two-factor/verify-totp", { code: codeOf(uri, Date.now()) });
    },
    "the second factor is switched off": async (here, person) => {
      const { recoveryCodes } = await switchOn(here, person);
      return () => post(here, "/two-factor/disable", { password: person.password, code: recoveryCodes[0] });
    },
    "recovery codes are made anew": async (here, person) => {
      const { recoveryCodes } = await switchOn(here, person);
      return () => post(here, "/two-factor/generate-backup-codes", { password: person.password, code: recoveryCodes[0] });
    },
    "the password is changed": async (here, person) => () => post(here, "/change-password", { currentPassword: person.password, newPassword: nextPassword }),
    "the address is changed": async (here, person) => {
      const newEmail = `moved-${person.email}`;
      await post(here, "/change-email", { newEmail, password: person.password });
      return async () => assert.equal((await confirmNewAddress(here, await readLink(database.store, { to: newEmail, kind: "change_email" }))).status, 200);
    },
    "the other sessions are ended": async (here) => () => post(here, "/revoke-other-sessions", {}),
  };

  for (const [what, prepare] of Object.entries(changes)) {
    it(`makes no live key once ${what}; this session goes on with another token [threat: outlived-credential]`, async () => {
      const person = await makeSignInAccount(database.store);
      const here = await signIn(service, person);
      const change = await prepare(here, person);
      // Written directly, because a session without a code is opened no more where there is a second factor.
      const at = Date.now();
      const row = { account_id: person.accountId, ip_address: "", user_agent: "", created_at: at, updated_at: at, expires_at: at + 3_600_000 };
      const others = ["stolen-here", "stolen-there"].map((name) => ({ name: `${name}-${person.accountId}`, browser: openBrowser(name === "stolen-here" ? service : node) }));
      for (const { name, browser } of others) {
        await database.store.db.insertInto("sign_ins").values({ ...row, id: name, token: storedToken(name) }).execute();
        browser.cookies.set("assay_session", name);
        assert.equal(await makeLiveKey(browser), 201, "before");
      }
      await database.store.db.insertInto("sign_in_challenges").values({ id: `c-${person.accountId}`, identifier: `c-${person.accountId}`, value: person.accountId, failures: 0, remember: 1, created_at: at, updated_at: at, expires_at: at + 600_000 }).execute();
      await openBrowser(service).post(`${auth}/request-password-reset`, { email: person.email });
      const copied = openBrowser(service);
      for (const [name, value] of here.cookies) copied.cookies.set(name, value);
      const begun = await begin(copied, "/keys", { name: "held back", mode: "live" });

      await change();

      assert.match(await begun.finish(), /HTTP\/1\.1 401 /, "what a copy of the cookie had begun to send");

      for (const { browser } of others) assert.equal(await makeLiveKey(browser), 401);
      assert.equal(await makeLiveKey(copied), 401, "a copy of the cookie from before");
      assert.deepEqual(copied.setCookies, []);
      assert.equal(await makeLiveKey(here), 201, "this browser");
      assert.deepEqual(await database.store.db.selectFrom("sign_in_challenges").select("id").where("value", "=", person.accountId).execute(), []);
      const token = tokenIn(await readLink(database.store, { to: person.email, kind: "reset" }));
      assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: "of an old link" })).status, 400);
    });
  }

  it("makes no live key with a request that it had begun to send [threat: outlived-credential]", async () => {
    const person = await makeSignInAccount(database.store);
    const [here, stolen] = [await signIn(service, person), await signIn(service, person)];
    const { uri } = await beginFactor(here, person);
    const begun = [await begin(stolen, "/keys", { name: "held back", mode: "live" }), await begin(stolen, "/sites", { name: "held back", origins: ["https://shop.example"] })];
    assert.equal((await stolen.get("/dashboard/api/me")).status, 200);
    await post(here, "/two-factor/verify-totp", { code: codeOf(uri, Date.now()) });
    for (const each of begun) assert.match(await each.finish(), /HTTP\/1\.1 401 /);
    for (const table of ["api_keys", "sites"] as const) assert.deepEqual(await database.store.db.selectFrom(table).select("id").where("account_id", "=", person.accountId).execute(), []);
  });

  for (const change of ["password", "second factor", "password behind a second factor"] as const) {
    it(`is not opened by a sign-in that began before the change of the ${change} and ends after it [threat: outlived-credential]`, async () => {
      const person = await makeSignInAccount(database.store);
      const here = await signIn(service, person);
      const { uri, recoveryCodes } = change === "password" ? { uri: "", recoveryCodes: [] } : change === "second factor" ? await beginFactor(here, person) : await switchOn(here, person);
      const began = Array.from({ length: 9 }, () => openBrowser(service));
      const signIns = began.map((browser) => browser.post(`${auth}/sign-in/email`, { email: person.email, password: person.password }));
      await (change === "second factor" ? post(here, "/two-factor/verify-totp", { code: codeOf(uri, Date.now()) }) : post(here, "/change-password", { currentPassword: person.password, newPassword: nextPassword }));
      await Promise.all(signIns);
      if (change === "password behind a second factor") {
        // One by one: the throttle may refuse tries that race.
        for (const [index, browser] of began.entries()) assert.equal((await browser.post(`${auth}/two-factor/verify-backup-code`, { code: recoveryCodes[index] })).status, 401);
      }
      assert.deepEqual([...new Set(await Promise.all(began.map(makeLiveKey)))], [401]);
      assert.equal(await makeLiveKey(here), 201);
      if (change === "second factor") {
        const late = openBrowser(service);
        await post(late, "/sign-in/email", { email: person.email, password: person.password });
        await post(late, "/two-factor/verify-totp", { code: nextCodeOf(uri, Date.now()) });
        assert.equal(await makeLiveKey(late), 201, "a sign-in with both works");
      }
    });
  }
});
