/** A stranger signs up with somebody else's address and waits for the owner, or the owner's mail scanner, to make the account usable. */
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, openBrowser, signIn } from "../../test/people/browser.ts";
import { confirmAddress, tokenIn } from "../../test/people/confirm-address.ts";
import { readLink, readMails } from "../../test/people/read-mails.ts";
import type { TestService } from "../../test/start-service.ts";
import { createSealer } from "../secrets/sealer.ts";
import { hashAtOnce, hashPassword } from "./hash-password.ts";

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

  async function signUp(email: string, password: string): Promise<{ browser: Browser; link: string }> {
    const browser = openBrowser(service);
    assert.equal((await browser.post(`${auth}/sign-up/email`, { email, password })).status, 200);
    return { browser, link: await readLink(database.store, { to: email, kind: "verify" }) };
  }
  async function resetLink(email: string): Promise<string> {
    assert.equal((await openBrowser(service).post(`${auth}/request-password-reset`, { email })).status, 200);
    return readLink(database.store, { to: email, kind: "reset" });
  }
  const canSignIn = async (email: string, password: string) => (await openBrowser(service).post(`${auth}/sign-in/email`, { email, password })).status;
  const accountOf = async (email: string) => database.store.db.selectFrom("accounts").select(["id", "verified_at"]).where("email", "=", email).executeTakeFirstOrThrow();

  /** What a mail scanner does with a link: opens it, the pages that it leads to, and the older form of the address. */
  async function scan(link: string): Promise<void> {
    for (const address of [link, `${auth}/verify-email?token=${tokenIn(link)}`]) {
      for (const method of ["GET", "HEAD"]) {
        const scanner = openBrowser(service);
        for (let next: string | undefined = address, hops = 0; next !== undefined && hops < 5; hops += 1) {
          const answer = await scanner.request(method, next);
          assert(answer.status < 500, `${method} ${next}: ${answer.status}`);
          next = answer.headers.location;
        }
        assert.equal(scanner.cookies.size, 0);
      }
    }
  }

  /** What a stranger would have set up if some way to do it existed: the rows are written directly. */
  async function plant(email: string, payoutStatus: "proposed" | "approved"): Promise<{ accountId: string; whatIsLeft: () => Promise<string[]> }> {
    const { db } = database.store;
    const { id: accountId } = await accountOf(email);
    const at = Date.now();
    const id = `${accountId}-planted`;
    await db.updateTable("accounts").set({ password_hash: await hashAtOnce((turn) => hashPassword(turn, strangers)) }).where("id", "=", accountId).execute();
    await db.insertInto("sign_ins").values({ id, token: id, account_id: accountId, ip_address: "", user_agent: "", created_at: at, updated_at: at, expires_at: at * 2 }).execute();
    await db.insertInto("sign_in_challenges").values({ id, identifier: id, value: accountId, failures: 0, remember: 1, created_at: at, updated_at: at, expires_at: at * 2 }).execute();
    const secret = createSealer({ secretKey: "s".repeat(32), previous: [] }).seal("second factor", "planted", accountId);
    await db.insertInto("second_factors").values({ id, account_id: accountId, secret, recovery_codes: secret, verified: 1, failures: 0, locked_until: null, last_step: null }).execute();
    await db.insertInto("payee_profiles").values({ account_id: accountId, legal_name: "x", address: "x", country: "DE", tax_id: null, method: "paypal", account: "x", bank_code: null, updated_at: at }).execute();
    await db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: "x", entered_at: at }).execute();
    await db.insertInto("payee_unlinks").values({ account_id: accountId, from_account_id: accountId, unlinked_at: at }).execute();
    await db.insertInto("notice_choices").values({ account_id: accountId, topic: "money", wanted: 0, changed_at: at }).execute();
    await db.insertInto("api_keys").values({ id, account_id: accountId, mode: "live", name: "planted", key_hash: id, last_four: "xxxx", created_at: at, last_used_at: null, expires_at: null, revoked_at: null }).execute();
    await db.insertInto("sites").values({ id, account_id: accountId, name: "planted", origins: '["https://planted.example"]', created_at: at, changed_at: at, deleted_at: null, last_seen_at: null }).execute();
    const endpoint = { id, audience: accountId, url: "https://planted.example", types: "*", state: "active", secret, created_at: at, changed_at: at } as const;
    const unused = { disabled_reason: null, secret_previous: null, previous_until: null, failing_since: null, last_attempt_at: null, last_success_at: null };
    await db.insertInto("webhook_endpoints").values({ ...endpoint, ...unused }).execute();
    await db.insertInto("tier_requests").values({ id, account_id: accountId, tier: "Growth", state: "pending", requested_at: at, decided_at: null }).execute();
    await db.insertInto("payouts").values({ id, account_id: accountId, month: "2026-01", amount_micro: 1, status: payoutStatus, payee: "{}", proposed_at: at, approved_at: payoutStatus === "approved" ? at : null }).execute();
    await db.updateTable("accounts").set({ house_ads: 0, session_retention_days: 1, model_version: "planted", calibration_version: 7 }).where("id", "=", accountId).execute();
    const whatIsLeft = async () => {
      const left = [];
      for (const table of ["second_factors", "payee_profiles", "payee_marks", "payee_unlinks", "notice_choices"] as const) {
        const rows = await db.selectFrom(table).select("account_id").where("account_id", "=", accountId).execute();
        if (rows.length > 0) left.push(table);
      }
      for (const table of ["sign_ins", "sign_in_challenges", "webhook_endpoints"] as const) {
        if (await db.selectFrom(table).select("id").where("id", "=", id).executeTakeFirst()) left.push(table);
      }
      if (await db.selectFrom("api_keys").select("id").where("id", "=", id).where("revoked_at", "is", null).executeTakeFirst()) left.push("api_keys");
      // Nodes that have cached a key learn of it from here.
      if (!(await db.selectFrom("key_changes").select("seq").where("subject", "=", `account:${accountId}`).executeTakeFirst())) left.push("api_keys, in caches");
      if (await db.selectFrom("sites").select("id").where("id", "=", id).where("deleted_at", "is", null).executeTakeFirst()) left.push("sites");
      if (await db.selectFrom("tier_requests").select("id").where("id", "=", id).where("state", "=", "pending").executeTakeFirst()) left.push("tier_requests");
      if (await db.selectFrom("payouts").select("id").where("id", "=", id).where("status", "!=", "cancelled").executeTakeFirst()) left.push("payouts");
      const settings = await db.selectFrom("accounts").select(["house_ads", "session_retention_days", "model_version", "calibration_version"]).where("id", "=", accountId).executeTakeFirstOrThrow();
      assert.deepEqual(settings, { house_ads: 1, session_retention_days: null, model_version: null, calibration_version: null });
      return left;
    };
    return { accountId, whatIsLeft };
  }

  it("is not verified by a mail scanner that opens every link: the stranger's password opens nothing, then or later [threat: pre-hijacked-account]", async () => {
    const email = newAddress();
    const { browser, link } = await signUp(email, strangers);
    await scan(link);
    assert.equal((await accountOf(email)).verified_at, null);
    assert.equal(await canSignIn(email, strangers), 401);
    assert.equal((await browser.get("/dashboard/api/me")).status, 401, "nor has the browser that signed up a session");
    assert.equal((await confirmAddress(openBrowser(service), link, owners)).status, 200, "and the link still works");
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
  });

  it("has the password that the reader of the mail chose, in whatever browser, also after a mail scanner opened a reset [threat: pre-hijacked-account]", async () => {
    const email = newAddress();
    const { browser } = await signUp(email, strangers);
    const link = await resetLink(email);
    await scan(link);
    assert.equal((await accountOf(email)).verified_at, null);
    const weak = await openBrowser(service).post(`${auth}/reset-password`, { token: tokenIn(link), newPassword: "1234567890" });
    assert.equal(weak.status, 400);
    assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token: tokenIn(link), newPassword: owners })).status, 200);
    assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
  });

  for (const order of ["the stranger first", "the owner first"] as const) {
    it(`has the password that was chosen with the link, and nothing that was set up before (${order}) [threat: pre-hijacked-account]`, async () => {
      const email = newAddress();
      const strangersSignUp = order === "the stranger first" ? await signUp(email, strangers) : undefined;
      const ownersSignUp = await signUp(email, owners);
      const { link: strangersLink } = strangersSignUp ?? (await signUp(email, strangers));
      const planted = await plant(email, order === "the stranger first" ? "proposed" : "approved");
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 401], "not before the address is verified");
      const confirmed = await confirmAddress(ownersSignUp.browser, ownersSignUp.link, owners);
      assert.deepEqual([confirmed.status, confirmed.text], [200, '{"status":"signed_in"}']);
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
      assert.deepEqual(await planted.whatIsLeft(), []);
      // The other link is still in the owner's mailbox.
      const late = await confirmAddress(openBrowser(service), strangersLink, strangers);
      assert.deepEqual([late.status, late.json()["error"]], [400, "link_expired"]);
      assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token: tokenIn(strangersLink), newPassword: "from a link that is over" })).status, 400);
      assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
      assert.equal((await ownersSignUp.browser.get("/dashboard/api/me")).status, 200, "the owner's session goes on");
    });
  }

  it("is the owner's after a password reset, with nothing of what was set up before [threat: pre-hijacked-account]", async () => {
    const email = newAddress();
    const { browser: strangersBrowser, link } = await signUp(email, strangers);
    await scan(link);
    const planted = await plant(email, "approved");
    const token = tokenIn(await resetLink(email));
    assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: owners })).status, 200);
    assert.deepEqual(await planted.whatIsLeft(), []);
    assert.equal((await confirmAddress(strangersBrowser, link, strangers)).status, 400, "the sign-up's link is over");
    assert.equal((await strangersBrowser.get("/dashboard/api/me")).status, 401);
    assert.deepEqual([await canSignIn(email, strangers), await canSignIn(email, owners)], [401, 200]);
    assert.deepEqual((await readMails(database.store, email)).map(({ kind }) => kind), ["verify", "reset", "password_changed"]);
  });

  it("has one password when both links, and a reset, are used at once: that of the one that came first [threat: pre-hijacked-account]", async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = newAddress();
      const [one, other] = [await signUp(email, strangers), await signUp(email, owners)];
      const third = "chosen with the first link";
      const answers = await Promise.all([
        confirmAddress(openBrowser(service), one.link, strangers),
        confirmAddress(openBrowser(service), other.link, owners),
        openBrowser(service).post(`${auth}/reset-password`, { token: tokenIn(one.link), newPassword: third }),
      ]);
      const winners = answers.map(({ status }) => status === 200);
      assert.equal(winners.filter(Boolean).length, 1, answers.map(({ status, text }) => `${status} ${text}`).join("; "));
      const works = [await canSignIn(email, strangers), await canSignIn(email, owners), await canSignIn(email, third)];
      assert.deepEqual(works.map((status) => status === 200), winners);
    }
  });

  it("leaves a verified account as it is: its old links change nothing", async () => {
    const email = newAddress();
    const { browser, link } = await signUp(email, owners);
    assert.equal((await confirmAddress(browser, link, owners)).status, 200);
    assert.equal((await openBrowser(service).post(`${auth}/sign-up/email`, { email, password: strangers })).status, 200);
    await scan(link);
    assert.equal((await confirmAddress(openBrowser(service), link, strangers)).status, 400);
    assert.equal((await browser.get("/dashboard/api/me")).status, 200, "the session goes on");
    await signIn(service, { email, password: owners });
    assert.equal(await canSignIn(email, strangers), 401);
  });
});
