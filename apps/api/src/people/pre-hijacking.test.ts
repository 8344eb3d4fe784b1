/** A stranger signs up with somebody else's address and waits for the owner to make the account usable. */
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, openBrowser, signIn } from "../../test/people/browser.ts";
import { readLink, readMails } from "../../test/people/read-mails.ts";
import type { TestService } from "../../test/start-service.ts";
import { createSealer } from "../secrets/sealer.ts";
import { hashPassword } from "./hash-password.ts";

const auth = "/dashboard/api/auth";
const strangers = "a stranger's good password";
const owners = "the owner's good password";
let addresses = 0;

describeBothStores("an account that a stranger opened with the owner's address", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });
  const newAddress = () => `victim-${(addresses += 1)}@example.com`;

  async function signUp(email: string, password: string): Promise<{ browser: Browser; link: string; token: string }> {
    const browser = openBrowser(service);
    assert.equal((await browser.post(`${auth}/sign-up/email`, { email, password })).status, 200);
    const link = await readLink(database.store, { to: email, kind: "verify" });
    return { browser, link, token: new URL(link, service.url).searchParams.get("token")! };
  }
  const canSignIn = async (email: string, password: string) => (await openBrowser(service).post(`${auth}/sign-in/email`, { email, password })).status;
  const accountIdOf = async (email: string) =>
    (await database.store.db.selectFrom("accounts").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

  /** What a stranger would have set up if some way to do it existed: the rows are written directly. */
  async function plant(email: string): Promise<{ accountId: string; whatIsLeft: () => Promise<string[]> }> {
    const { db } = database.store;
    const accountId = await accountIdOf(email);
    const at = Date.now();
    const id = `${accountId}-planted`;
    await db.updateTable("accounts").set({ password_hash: await hashPassword(strangers) }).where("id", "=", accountId).execute();
    await db.insertInto("sign_ins").values({ id, token: id, account_id: accountId, ip_address: "", user_agent: "", created_at: at, updated_at: at, expires_at: at * 2 }).execute();
    const secret = createSealer({ secretKey: "s".repeat(32), previous: [] }).seal("second factor", "planted", accountId);
    await db.insertInto("second_factors").values({ id, account_id: accountId, secret, recovery_codes: secret, verified: 1, failures: 0, locked_until: null, last_step: null }).execute();
    await db.insertInto("payee_profiles").values({ account_id: accountId, legal_name: "x", address: "x", country: "DE", tax_id: null, method: "paypal", account: "x", bank_code: null, updated_at: at }).execute();
    await db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: "x", entered_at: at }).execute();
    await db.insertInto("notice_choices").values({ account_id: accountId, topic: "money", wanted: 0, changed_at: at }).execute();
    await db.insertInto("api_keys").values({ id, account_id: accountId, mode: "live", name: "planted", key_hash: id, last_four: "xxxx", created_at: at, last_used_at: null, expires_at: null, revoked_at: null }).execute();
    const whatIsLeft = async () => {
      const left = [];
      for (const table of ["second_factors", "payee_profiles", "payee_marks", "notice_choices"] as const) {
        const rows = await db.selectFrom(table).select("account_id").where("account_id", "=", accountId).execute();
        if (rows.length > 0) left.push(table);
      }
      if (await db.selectFrom("api_keys").select("id").where("id", "=", id).where("revoked_at", "is", null).executeTakeFirst()) left.push("api_keys");
      if (await db.selectFrom("sign_ins").select("id").where("id", "=", id).executeTakeFirst()) left.push("the planted session");
      return left;
    };
    return { accountId, whatIsLeft };
  }

  for (const order of ["the stranger first", "the owner first"] as const) {
    it(`has the password of the sign-up whose link was followed, and nothing else that was set up before (${order}) [threat: pre-hijacked-account]`, async () => {
      const email = newAddress();
      const strangersSignUp = order === "the stranger first" ? await signUp(email, strangers) : undefined;
      const ownersSignUp = await signUp(email, owners);
      const { link: strangersLink } = strangersSignUp ?? (await signUp(email, strangers));
      const planted = await plant(email);
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 401], "not before the address is verified");
      assert.equal((await ownersSignUp.browser.get(ownersSignUp.link)).headers.location, "/dashboard/?verified=1");
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
      assert.deepEqual(await planted.whatIsLeft(), []);
      // The other link is still in the owner's mailbox.
      assert.equal((await ownersSignUp.browser.get(strangersLink)).headers.location, "/dashboard/sign-in?verified=1");
      const token = new URL(strangersLink, service.url).searchParams.get("token");
      assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: "from a link that is over" })).status, 400);
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
      const hashes = await database.store.db.selectFrom("account_links").select("password_hash").where("account_id", "=", planted.accountId).where("password_hash", "is not", null).execute();
      assert.deepEqual(hashes, [], "no password of a sign-up is kept");
    });
  }

  it("opens no session for the stranger when somebody else follows the stranger's link [threat: pre-hijacked-account]", async () => {
    const email = newAddress();
    const { link, browser: strangersBrowser } = await signUp(email, strangers);
    assert.equal((await openBrowser(service).get(link)).headers.location, "/dashboard/sign-in?verified=1");
    assert.equal((await strangersBrowser.get("/dashboard/api/me")).status, 401);
    assert.equal((await strangersBrowser.get(link)).headers.location, "/dashboard/sign-in?verified=1");
  });

  it("is the owner's after a password reset, with nothing of what was set up before [threat: pre-hijacked-account]", async () => {
    const email = newAddress();
    const { browser: strangersBrowser, link } = await signUp(email, strangers);
    const planted = await plant(email);
    await openBrowser(service).post(`${auth}/request-password-reset`, { email });
    const token = new URL(await readLink(database.store, { to: email, kind: "reset" }), service.url).searchParams.get("token");
    assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: owners })).status, 200);
    assert.deepEqual(await planted.whatIsLeft(), []);
    assert.equal((await strangersBrowser.get(link)).headers.location, "/dashboard/sign-in?verified=1", "the stranger's browser gets no session");
    assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
    assert.deepEqual((await readMails(database.store, email)).map(({ kind }) => kind), ["verify", "reset", "password_changed"]);
  });

  it("has one password when both links, and a reset, are followed at once: that of the one that came first [threat: pre-hijacked-account]", async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = newAddress();
      const [one, other] = [await signUp(email, strangers), await signUp(email, owners)];
      const third = "chosen with the first link";
      const [first, second, reset] = await Promise.all([
        one.browser.get(one.link),
        other.browser.get(other.link),
        openBrowser(service).post(`${auth}/reset-password`, { token: one.token, newPassword: third }),
      ]);
      const winners = [first.headers.location === "/dashboard/?verified=1", second.headers.location === "/dashboard/?verified=1", reset.status === 200];
      assert.equal(winners.filter(Boolean).length, 1, `${first.headers.location} ${second.headers.location} ${reset.status}`);
      const works = [await canSignIn(email, strangers), await canSignIn(email, owners), await canSignIn(email, third)];
      assert.deepEqual(works.map((status) => status === 200), winners);
    }
  });

  it("leaves a verified account as it is: following its old link again changes nothing", async () => {
    const email = newAddress();
    const { browser, link } = await signUp(email, owners);
    await browser.get(link);
    assert.equal((await openBrowser(service).post(`${auth}/sign-up/email`, { email, password: strangers })).status, 200);
    await browser.get(link);
    assert.equal((await browser.get("/dashboard/api/me")).status, 200, "the session goes on");
    await signIn(service, { email, password: owners });
    assert.equal(await canSignIn(email, strangers), 401);
  });
});
