/** Requests that were let in, and wait for a turn to hash a password, or for the store, while what they were let in with ends. */
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { openApp, type OpenedApp } from "../../test/open-app.ts";
import { makeSignInAccount } from "../../test/people/browser.ts";
import { injectBrowser, type InjectedBrowser, injectSignIn } from "../../test/people/inject-browser.ts";
import { codeOf } from "../../test/people/totp.ts";
import type { Store } from "../store/store.ts";
import { hashInOwnTurn } from "./hash-password.ts";
import { makeToken } from "./mailed-link.ts";
import { storedToken } from "./sessions.ts";

const auth = "/dashboard/api/auth";
const thiefs = "eleven loud sparrows";
const payee = { legal_name: "Thief", address: "Elsewhere 1", country: "GB", tax_id: null, method: "paypal", account: "thief@example.com", bank_code: null };

type Person = { accountId: string; email: string; password: string };
/** What is sent with the password, and a code where a second factor is on. */
type Sent = { method?: string; path: string; body: (person: Person, code: string | undefined) => object };

/** Everything that waits for the password to be checked. */
const sentWithPassword: Record<string, Sent> = {
  "a new password": { path: `${auth}/change-password`, body: ({ password }) => ({ currentPassword: password, newPassword: thiefs }) },
  "a new address": { path: `${auth}/change-email`, body: ({ email, password }) => ({ newEmail: `thief-${email}`, password }) },
  "a second factor": { path: `${auth}/two-factor/enable`, body: ({ password }) => ({ password }) },
  "a confirmation of the session": { path: `${auth}/step-up`, body: ({ password }) => ({ password }) },
  "a new payee": { method: "PUT", path: "/dashboard/api/payee", body: ({ password }) => ({ ...payee, password }) },
  "the account's end": { path: `${auth}/close-account`, body: ({ email, password }) => ({ password, confirmEmail: email, forfeit: true }) },
};
const sentWithCode: Record<string, Sent> = {
  "the second factor's end": { path: `${auth}/two-factor/disable`, body: ({ password }, code) => ({ password, code }) },
  "new recovery codes": { path: `${auth}/two-factor/generate-backup-codes`, body: ({ password }, code) => ({ password, code }) },
};

const toldApart = (answer: { statusCode: number; headers: Record<string, unknown>; json<Body>(): Body }) => [answer.statusCode, answer.json<{ error?: string }>().error, answer.headers["set-cookie"]];
const overtaken = [401, "sign_in_required", undefined];

describeBothStores("a request that waits", (open) => {
  let opened: OpenedApp;
  let store: Store;
  let bystander: InjectedBrowser;
  let holders = 0;
  /** Called with the SQL of each closed write, or the module of each transaction, which waits for it. */
  let beforeWrite: (what: string) => Promise<void> = async () => {};

  before(async () => {
    const database = await open();
    ({ store } = database);
    opened = await openApp({ ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }) }, {
      dataDir: database.dataDir,
      adapt: (deps) => ({
        ...deps,
        store: {
          ...deps.store,
          async write(statements, options) {
            await beforeWrite(statements.map((each) => each.compile().sql).join("; "));
            return deps.store.write(statements, options);
          },
          async transact<Payload, Result>(module: URL, payload: Payload) {
            await beforeWrite(module.pathname);
            return deps.store.transact<Payload, Result>(module, payload);
          },
        },
      }),
    });
    bystander = await injectSignIn(opened, await makeSignInAccount(store));
  });
  after(() => opened.close());

  const post = (browser: InjectedBrowser, path: string, body: object = {}) => browser.request("POST", path, { body });
  async function sent(browser: InjectedBrowser, path: string, body: object = {}) {
    const answer = await post(browser, path, body);
    assert.equal(answer.statusCode, 200, `${path}: ${answer.body}`);
    return answer;
  }
  const statusOf = async (browser: InjectedBrowser) => (await browser.request("GET", "/dashboard/api/me")).statusCode;

  function copyOf(browser: InjectedBrowser): InjectedBrowser {
    const copy = injectBrowser(opened);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /** Takes the place in the line of passwords of those who are signed in, once whoever waits already is through. */
  async function holdLine(): Promise<() => Promise<void>> {
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    holders += 1;
    const held = hashInOwnTurn({ accountId: `holder-${holders}`, operator: false }, async () => {
      begun.resolve();
      await over.promise;
    });
    await begun.promise;
    return async () => {
      over.resolve();
      await held;
    };
  }
  /** Long enough for a request that was sent before to be let in. */
  async function letIn(): Promise<void> {
    for (let asked = 0; asked < 10; asked += 1) await statusOf(bystander);
  }

  async function enroll(browser: InjectedBrowser, { password }: Person): Promise<{ confirm(): Promise<unknown>; recoveryCodes: string[] }> {
    const setUp = (await sent(browser, `${auth}/two-factor/enable`, { password })).json<{ totp_uri: string; recovery_codes: string[] }>();
    return { recoveryCodes: setUp.recovery_codes, confirm: () => sent(browser, `${auth}/two-factor/verify-totp`, { code: codeOf(setUp.totp_uri, Date.now()) }) };
  }

  /** What a request could have changed. A recovery code is used up before it changes anything. */
  async function readState(accountId: string) {
    const { db } = store;
    return {
      accounts: await db.selectFrom("accounts").select(["email", "password_hash", "status", "sign_in_epoch"]).where("id", "=", accountId).execute(),
      signIns: await db.selectFrom("sign_ins").select(["id", "token", "stepped_up_at"]).where("account_id", "=", accountId).orderBy("id").execute(),
      factors: await db.selectFrom("second_factors").select(["id", "verified", "secret"]).where("account_id", "=", accountId).execute(),
      links: await db.selectFrom("account_links").select(["kind", "used_at"]).where("account_id", "=", accountId).execute(),
      payees: await db.selectFrom("payee_profiles").select("legal_name").where("account_id", "=", accountId).execute(),
      closures: await db.selectFrom("account_closures").select("account_id").where("account_id", "=", accountId).execute(),
      keys: await db.selectFrom("api_keys").select(["id", "replaced_by"]).where("account_id", "=", accountId).execute(),
      notes: await db.selectFrom("audit_log").select("action").where("account_id", "=", accountId).orderBy("seq").execute(),
    };
  }

  /** Another session of the account, written directly: a second factor may be on. */
  async function openOther(accountId: string): Promise<InjectedBrowser> {
    const token = makeToken();
    const at = Date.now();
    const row = { id: `other-${accountId}`, token: storedToken(token), account_id: accountId, ip_address: "", user_agent: "", created_at: at, updated_at: at, expires_at: at + 3_600_000 };
    await store.db.insertInto("sign_ins").values(row).execute();
    const browser = injectBrowser(opened);
    browser.cookies.set("__Host-assay_session", token);
    return browser;
  }

  async function makePerson(isEnrolled: boolean) {
    const person = await makeSignInAccount(store);
    const here = await injectSignIn(opened, person);
    if (!isEnrolled) return { person, here, code: undefined };
    const { confirm, recoveryCodes } = await enroll(here, person);
    await confirm();
    return { person, here, code: recoveryCodes[0] };
  }

  for (const [what, { method = "POST", path, body }] of Object.entries({ ...sentWithPassword, ...sentWithCode })) {
    it(`with ${what} changes nothing and gets no cookie once its session has another token, or has ended [threat: outlived-credential]`, async () => {
      for (const end of ["another token", "ended"] as const) {
        const { person, here, code } = await makePerson(what in sentWithCode);
        const { id: sessionId } = await store.db.selectFrom("sign_ins").select("id").where("account_id", "=", person.accountId).executeTakeFirstOrThrow();
        const thief = copyOf(here);
        const elsewhere = await openOther(person.accountId);
        const release = await holdLine();
        let isAnswered = false;
        const answer = thief.request(method, path, { body: body(person, code) }).finally(() => (isAnswered = true));
        await letIn();
        assert.equal(isAnswered, false);
        if (end === "another token") await sent(here, `${auth}/revoke-other-sessions`);
        else await sent(elsewhere, `${auth}/revoke-session`, { id: sessionId });
        const earlier = await readState(person.accountId);
        await release();
        assert.deepEqual(toldApart(await answer), overtaken, end);
        assert.deepEqual(await readState(person.accountId), earlier, end);
        assert.equal(await statusOf(thief), 401);
        if (end === "another token") assert.equal(await statusOf(here), 200, "and this browser goes on");
      }
    });
  }

  for (const wait of ["to have the old password checked", "to have the new one hashed"] as const) {
    it(`${wait} sets no password, and has no session, behind the second factor that was switched on meanwhile [threat: outlived-credential]`, async () => {
      const person = await makeSignInAccount(store);
      const here = await injectSignIn(opened, person);
      const { confirm } = await enroll(here, person);
      const thief = copyOf(here);
      const first = await holdLine();
      const answer = post(thief, `${auth}/change-password`, { currentPassword: person.password, newPassword: thiefs });
      await letIn();
      let release = first;
      if (wait === "to have the new one hashed") {
        // Behind the check of the old password, and before the hash of the new one.
        const second = holdLine();
        await first();
        release = await second;
      }
      await confirm();
      await release();
      assert.deepEqual(toldApart(await answer), overtaken);
      assert.deepEqual([await statusOf(thief), await statusOf(here)], [401, 200]);
      const signIn = await post(injectBrowser(opened), `${auth}/sign-in/email`, { email: person.email, password: person.password });
      assert.deepEqual(signIn.json(), { status: "second_factor_required" }, "the owner's password is as it was");
    });
  }

  for (const [what, write, send] of [
    ["made", "/issue-key.work.ts", (thief: InjectedBrowser) => post(thief, "/dashboard/api/keys", { name: "the thief's", mode: "live" })],
    ["rotated", "/rotate-key.work.ts", (thief: InjectedBrowser, keyId: string) => post(thief, `/dashboard/api/keys/${keyId}/rotate`, { grace_hours: 0 })],
    ["confirmed as a second factor", 'update "second_factors" set "verified"', undefined],
  ] as const) {
    it(`for the store leaves nothing ${what} once a credential has changed [threat: outlived-credential]`, async () => {
      const person = await makeSignInAccount(store);
      const here = await injectSignIn(opened, person);
      const made = await post(here, "/dashboard/api/keys", { name: "the owner's", mode: "live" });
      const { key_id: keyId } = made.json<{ key: { key_id: string } }>().key;
      const begun = send ? undefined : (await sent(here, `${auth}/two-factor/enable`, { password: person.password })).json<{ totp_uri: string }>();
      const thief = copyOf(here);
      const [reached, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      beforeWrite = async (next) => {
        if (!next.includes(write)) return;
        reached.resolve();
        await over.promise;
      };
      try {
        const answer = send ? send(thief, keyId) : post(thief, `${auth}/two-factor/verify-totp`, { code: codeOf(begun!.totp_uri, Date.now()) });
        await reached.promise;
        await sent(here, `${auth}/change-password`, { currentPassword: person.password, newPassword: "nine patient lanterns" });
        const earlier = await readState(person.accountId);
        over.resolve();
        assert.deepEqual(toldApart(await answer), overtaken);
        assert.deepEqual(await readState(person.accountId), earlier);
      } finally {
        beforeWrite = async () => {};
      }
    });
  }

  it("with a copy of an operator's cookie moves no money by the confirmation that the operator gave meanwhile [threat: stolen-operator-session]", async () => {
    const operator = await makeSignInAccount(store, { operator: true });
    const here = await injectSignIn(opened, { email: operator.email, password: operator.password });
    const thief = copyOf(here);
    const [reached, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforeWrite = async (sql) => {
      if (!sql.startsWith('update "sign_ins" set "step_up_used_at"')) return;
      reached.resolve();
      await over.promise;
    };
    try {
      const answer = post(thief, "/dashboard/api/operator/funding", { usd: 1 });
      await reached.promise;
      await sent(here, `${auth}/step-up`, { password: operator.password });
      over.resolve();
      assert.deepEqual(toldApart(await answer), [403, "step_up_required", undefined]);
      assert.equal((await post(here, "/dashboard/api/operator/funding", { usd: 1 })).statusCode, 201);
    } finally {
      beforeWrite = async () => {};
    }
  });

  it("beside another of the same browser is refused at worst: one of them counts, and the browser stays signed in", async () => {
    const { person, here } = await makePerson(false);
    const next = ["nine patient lanterns", "ten patient lanterns"];
    const twice = await Promise.all(next.map((newPassword) => post(here, `${auth}/change-password`, { currentPassword: person.password, newPassword })));
    assert.equal(twice.filter(({ statusCode }) => statusCode === 200).length, 1, twice.map(({ body }) => body).join("; "));
    const password = next[twice.findIndex(({ statusCode }) => statusCode === 200)]!;
    assert.equal(await statusOf(here), 200);
    const steps = await Promise.all([1, 2].map(() => post(here, `${auth}/step-up`, { password })));
    assert.equal(steps.filter(({ statusCode }) => statusCode === 200).length, 1, steps.map(({ body }) => body).join("; "));
    assert.equal(await statusOf(here), 200);
    assert.equal((await store.db.selectFrom("sign_ins").select("stepped_up_at").where("account_id", "=", person.accountId).executeTakeFirstOrThrow()).stepped_up_at === null, false);
    const others = await Promise.all([1, 2, 3].map(() => injectSignIn(opened, { ...person, password })));
    const ids = (await store.db.selectFrom("sign_ins").select("id").where("account_id", "=", person.accountId).orderBy("created_at", "desc").execute()).slice(0, others.length);
    const beside = await Promise.all([
      ...ids.map(({ id }) => post(here, `${auth}/revoke-session`, { id })),
      ...[1, 2, 3].map((number) => post(here, "/dashboard/api/keys", { name: `key ${number}`, mode: "test" })),
    ]);
    assert.deepEqual(beside.map(({ statusCode }) => statusCode), [200, 200, 200, 201, 201, 201]);
    await injectSignIn(opened, { ...person, password });
  });
});
