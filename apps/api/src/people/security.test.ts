import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, goodPassword, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { confirmNewAddress, tokenIn } from "../../test/people/confirm-address.ts";
import { readLink, readMails } from "../../test/people/read-mails.ts";
import { codeOf, nextCodeOf } from "../../test/people/totp.ts";
import type { TestService } from "../../test/start-service.ts";
import { suspendAccount } from "./change-account.ts";

const auth = "/dashboard/api/auth";
const nextPassword = "eleven loud sparrows";

const statusOf = async (browser: Browser) => (await browser.get("/dashboard/api/me")).status;
const kindsOf = async (database: TestDatabase, email: string) => (await readMails(database.store, email)).map(({ kind }) => kind);

describeBothStores("account security", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  it("a password change signs out every other browser, invalidates old links and mails the account", async () => {
    const account = await makeSignInAccount(database.store);
    const [here, elsewhere] = [await signIn(service, account), await signIn(service, account)];
    await openBrowser(service).post(`${auth}/request-password-reset`, { email: account.email });
    const wrong = await here.post(`${auth}/change-password`, { currentPassword: "not the right one", newPassword: nextPassword });
    assert.deepEqual([wrong.status, wrong.json()["error"]], [403, "wrong_password"]);
    const weak = await here.post(`${auth}/change-password`, { currentPassword: goodPassword, newPassword: "qwertyuiop1" });
    assert.equal(weak.status, 400);
    const answer = await here.post(`${auth}/change-password`, { currentPassword: goodPassword, newPassword: nextPassword });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([await statusOf(here), await statusOf(elsewhere)], [200, 401]);
    await assert.rejects(signIn(service, account));
    await signIn(service, { email: account.email, password: nextPassword });
    assert.deepEqual(await kindsOf(database, account.email), ["reset", "password_changed"]);
    const token = new URL(await readLink(database.store, { to: account.email, kind: "reset" }), "http://x").searchParams.get("token");
    const late = await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: "one more good one" });
    assert.deepEqual([late.status, late.json()["error"]], [400, "link_expired"]);
  });

  it("a password change ends sign-ins that wait for their code", async () => {
    const account = await makeSignInAccount(database.store);
    const here = await signIn(service, account);
    const uri = String((await here.post(`${auth}/two-factor/enable`, { password: account.password })).json()["totp_uri"]);
    assert.equal((await here.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) })).status, 200);
    const halfway = openBrowser(service);
    await halfway.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
    assert.equal((await here.post(`${auth}/change-password`, { currentPassword: account.password, newPassword: nextPassword })).status, 200);
    assert.notEqual((await halfway.post(`${auth}/two-factor/verify-totp`, { code: nextCodeOf(uri, Date.now()) })).status, 200);
    assert.equal(await statusOf(halfway), 401);
  });

  it("a reset works once, signs out every browser and verifies the address", async () => {
    const account = await makeSignInAccount(database.store, { verified: false });
    await openBrowser(service).post(`${auth}/request-password-reset`, { email: account.email.toUpperCase() });
    const link = await readLink(database.store, { to: account.email, kind: "reset" });
    assert(link.startsWith("/dashboard/reset-password?token="), link);
    const token = new URL(link, "http://x").searchParams.get("token")!;
    const rows = await database.store.db.selectFrom("account_links").selectAll().where("account_id", "=", account.accountId).execute();
    assert.equal(rows.length, 1);
    assert(!JSON.stringify(rows).includes(token), "only its hash is stored with the account");
    const weak = await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: "1234567890" });
    assert.equal(weak.status, 400);
    const [one, other] = await Promise.all([
      openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: nextPassword }),
      openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: nextPassword }),
    ]);
    assert.deepEqual([one, other].map(({ status }) => status).toSorted((low, high) => low - high), [200, 400], "a weak password does not use up the link, and the link works once");
    await signIn(service, { email: account.email, password: nextPassword });
    assert.deepEqual(await kindsOf(database, account.email), ["reset", "password_changed"]);
  });

  it("an address change needs a confirmation in the account's own session and mails the old address", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const newEmail = `moved-${account.email}`;
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail, password: "not the right one" })).status, 403);
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail, password: account.password })).status, 200);
    const link = await readLink(database.store, { to: newEmail, kind: "change_email" });
    assert.match(link, /^\/dashboard\/confirm-email\?token=/);
    const outcomeOf = async (by: Browser) => {
      const { status, json } = await confirmNewAddress(by, link);
      return status === 200 ? "changed" : `${status} ${String(json()["error"])}`;
    };
    const stranger = openBrowser(service);
    assert.equal(await outcomeOf(stranger), "401 sign_in_required");
    assert.equal(stranger.cookies.size, 0);
    const another = await signIn(service, await makeSignInAccount(database.store));
    assert.equal(await outcomeOf(another), "400 link_expired");
    assert.equal(((await browser.get("/dashboard/api/me")).json()["account"] as { email: string }).email, account.email);
    assert.equal(await outcomeOf(browser), "changed");
    assert.equal(await outcomeOf(browser), "400 link_expired", "once");
    assert.deepEqual(await kindsOf(database, account.email), ["email_change_requested", "email_changed"]);
    await signIn(service, { email: newEmail, password: account.password });
    await assert.rejects(signIn(service, account));
  });

  it("an address changes with a request of the dashboard's own page, not with a link that another site or a mail scanner opens [threat: csrf]", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const newEmail = `moved-${account.email}`;
    await browser.post(`${auth}/change-email`, { newEmail, password: account.password });
    const link = await readLink(database.store, { to: newEmail, kind: "change_email" });
    const addressNow = async () => ((await browser.get("/dashboard/api/me")).json()["account"] as { email: string }).email;
    // As mails of earlier versions have it. A navigation from another site brings the cookie.
    const old = link.replace("/dashboard/", `${auth}/`);
    const opened = await browser.get(old, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" });
    assert.deepEqual([opened.status, opened.headers.location, opened.headers["set-cookie"]], [303, link, undefined]);
    assert.equal(await addressNow(), account.email);
    for (const headers of [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }, { origin: "null", "sec-fetch-site": "cross-site" }]) {
      const foreign = await browser.post(`${auth}/confirm-email`, { token: tokenIn(link) }, headers);
      assert.deepEqual([foreign.status, foreign.json()["error"]], [403, "forbidden"]);
    }
    assert.equal(await addressNow(), account.email);
    assert.equal((await confirmNewAddress(browser, link)).status, 200);
    assert.equal(await addressNow(), newEmail);
  });

  for (const [how, end] of [
    ["is revoked", async (asking: Browser, other: Browser) => {
      const listed = (await asking.get(`${auth}/list-sessions`)).json()["sessions"] as { id: string; current: boolean }[];
      return other.post(`${auth}/revoke-session`, { id: listed.find(({ current }) => current)!.id });
    }],
    ["is ended with all others", async (_asking: Browser, other: Browser) => other.post(`${auth}/revoke-other-sessions`)],
    ["signs out", async (asking: Browser) => asking.post(`${auth}/sign-out`)],
  ] as const) {
    it(`a link to a new address is over once the session that asked for it ${how} [threat: outlived-credential]`, async () => {
      const account = await makeSignInAccount(database.store);
      const [asking, other] = [await signIn(service, account), await signIn(service, account)];
      const newEmail = `moved-${account.email}`;
      await asking.post(`${auth}/change-email`, { newEmail, password: account.password });
      const link = await readLink(database.store, { to: newEmail, kind: "change_email" });
      assert.equal((await end(asking, other)).status, 200);
      assert.equal(await statusOf(asking), 401);
      const answer = await confirmNewAddress(other, link);
      assert.deepEqual([answer.status, answer.json()["error"]], [400, "link_expired"]);
      assert.equal(((await other.get("/dashboard/api/me")).json()["account"] as { email: string }).email, account.email);
    });
  }

  it("a change to a registered address answers the same, mails its owner and changes nothing", async () => {
    const [mover, owner] = [await makeSignInAccount(database.store), await makeSignInAccount(database.store)];
    const browser = await signIn(service, mover);
    const answer = await browser.post(`${auth}/change-email`, { newEmail: owner.email, password: mover.password });
    assert.equal(answer.text, '{"status":true}');
    assert.deepEqual(await kindsOf(database, owner.email), ["already_registered"]);
    assert.deepEqual(await kindsOf(database, mover.email), ["email_change_requested"], "as for a free address");
    assert.equal(((await browser.get("/dashboard/api/me")).json()["account"] as { email: string }).email, mover.email);
  });

  it("lists sessions and revokes one or all others", async () => {
    const account = await makeSignInAccount(database.store);
    const [here, lost, third] = [await signIn(service, account), await signIn(service, account), await signIn(service, account)];
    type Session = { id: string; current: boolean; ip_address: string };
    const listed = (await lost.get(`${auth}/list-sessions`)).json()["sessions"] as Session[];
    assert.equal(listed.length, 3);
    const lostId = listed.find(({ current }) => current)!.id;
    assert.equal(listed.every((each) => each.ip_address === "127.0.0.1"), true);
    const stranger = await signIn(service, await makeSignInAccount(database.store));
    assert.equal((await stranger.post(`${auth}/revoke-session`, { id: lostId })).status, 404);
    assert.equal(await statusOf(lost), 200);
    assert.equal((await here.post(`${auth}/revoke-session`, { id: lostId })).status, 200);
    assert.deepEqual([await statusOf(here), await statusOf(lost), await statusOf(third)], [200, 401, 200]);
    await here.post(`${auth}/revoke-other-sessions`);
    assert.deepEqual([await statusOf(here), await statusOf(third)], [200, 401]);
  });

  it("an expired session is rejected", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    await database.store.db.updateTable("sign_ins").set({ expires_at: Date.now() - 1 }).where("account_id", "=", account.accountId).execute();
    assert.equal(await statusOf(browser), 401);
  });

  it("two-factor is on after the first code; a sign-in then needs a code or a single-use recovery code", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    assert.equal((await browser.post(`${auth}/two-factor/enable`, { password: "not the right one" })).status, 403);
    const setUp = (await browser.post(`${auth}/two-factor/enable`, { password: account.password })).json();
    const uri = String(setUp["totp_uri"]);
    const recovery = setUp["recovery_codes"] as string[];
    assert.match(uri, /^otpauth:\/\/totp\/Assay/);
    assert.equal(recovery.length, 10);
    await signIn(service, account).then((each) => assert.equal(each.cookies.has("assay_session"), true, "not on yet"));
    const wrong = await browser.post(`${auth}/two-factor/verify-totp`, { code: "000000" });
    assert.deepEqual([wrong.status, wrong.json()["error"]], [403, "wrong_code"]);
    assert.equal((await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) })).status, 200);
    assert.equal((await browser.get("/dashboard/api/me")).json()["two_factor_enabled"], true);
    assert.deepEqual(await kindsOf(database, account.email), ["two_factor_enabled"]);

    const halfway = openBrowser(service);
    const first = await halfway.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
    assert.deepEqual(first.json(), { status: "second_factor_required" });
    assert.equal(halfway.cookies.has("assay_session"), false);
    assert.equal(await statusOf(halfway), 401);
    assert.equal((await halfway.post(`${auth}/two-factor/verify-totp`, { code: "000000" })).status, 403);
    assert.equal((await halfway.post(`${auth}/two-factor/verify-totp`, { code: nextCodeOf(uri, Date.now()) })).status, 200);
    assert.equal(await statusOf(halfway), 200);

    const byRecovery = async () => {
      const another = openBrowser(service);
      await another.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
      return (await another.post(`${auth}/two-factor/verify-backup-code`, { code: recovery[0] })).status;
    };
    assert.deepEqual([await byRecovery(), await byRecovery()], [200, 403]);

    const stored = await database.store.db.selectFrom("second_factors").select(["secret", "recovery_codes"]).where("account_id", "=", account.accountId).executeTakeFirstOrThrow();
    assert(!stored.secret.includes(new URL(uri).searchParams.get("secret")!) && !stored.recovery_codes.includes(recovery[1]!), "both are encrypted");
    assert.equal((await halfway.post(`${auth}/two-factor/disable`, { password: "not the right one" })).status, 403);
    assert.equal((await halfway.post(`${auth}/two-factor/disable`, { password: account.password, code: recovery[1] })).status, 200);
    assert.equal((await signIn(service, account)).cookies.has("assay_session"), true);
    assert.deepEqual(await kindsOf(database, account.email), ["two_factor_enabled", "two_factor_disabled"]);
  });

  it("a code works once: not for another sign-in, not for concurrent ones, not for an older step [threat: replayed-code]", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const setUp = (await browser.post(`${auth}/two-factor/enable`, { password: account.password })).json();
    const uri = String(setUp["totp_uri"]);
    const atMs = Date.now();
    const halfways = [];
    const bring = (to: Browser, code: string, kind = "totp") => to.post(`${auth}/two-factor/verify-${kind}`, { code });
    assert.equal((await bring(browser, codeOf(uri, atMs))).status, 200);
    for (let left = 6; left > 0; left -= 1) {
      const halfway = openBrowser(service);
      await halfway.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
      halfways.push(halfway);
    }
    const again = await bring(halfways[0]!, codeOf(uri, atMs));
    assert.deepEqual([again.status, again.json()["error"]], [403, "wrong_code"], "the code that switched two-factor on");
    const raced = await Promise.all(halfways.slice(0, 4).map((halfway) => bring(halfway, nextCodeOf(uri, atMs))));
    assert.deepEqual(raced.map(({ status }) => status).toSorted((low, high) => low - high), [200, 403, 403, 403], "one of several concurrent uses");
    assert.equal((await Promise.all(halfways.map(statusOf))).filter((status) => status === 200).length, 1, "and only that one is signed in");
    assert.equal((await bring(halfways[4]!, codeOf(uri, atMs))).status, 403, "a step before the last one used");

    const recovery = (setUp["recovery_codes"] as string[])[0]!;
    const codes = await Promise.all(halfways.slice(4).map((halfway) => bring(halfway, recovery, "backup-code")));
    assert.deepEqual(codes.map(({ status }) => status).toSorted((low, high) => low - high), [200, 403], "nor does a recovery code");
  });

  it("wrong codes from any browser lock the second factor", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    const uri = String((await browser.post(`${auth}/two-factor/enable`, { password: account.password })).json()["totp_uri"]);
    await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) });
    const guess = async (code: string, tries: number) => {
      const guesser = openBrowser(service);
      await guesser.post(`${auth}/sign-in/email`, { email: account.email, password: account.password });
      const answers = [];
      for (let left = tries; left > 0; left -= 1) answers.push(await guesser.post(`${auth}/two-factor/verify-totp`, { code }));
      return answers;
    };
    await guess("000000", 5);
    await guess("000000", 5);
    const [right] = await guess(nextCodeOf(uri, Date.now()), 1);
    assert.equal(right!.status, 429);
    assert(Number(right!.headers["retry-after"]) > 0);
    assert.equal(right!.json()["error"], "rate_limit_exceeded");
  });

  it("a suspended account is read-only except for its password and sessions", async () => {
    const account = await makeSignInAccount(database.store);
    const browser = await signIn(service, account);
    await suspendAccount(database.store, { accountId: account.accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    assert.equal((await browser.get("/dashboard/api/me")).json()["status"], "suspended");
    const change = await browser.post(`${auth}/change-email`, { newEmail: "elsewhere@example.com", password: account.password });
    assert.deepEqual([change.status, change.json()["error"]], [403, "forbidden"]);
    assert.equal((await browser.post(`${auth}/revoke-other-sessions`)).status, 200);
  });
});
