import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, makeSignInAccount, openBrowser, signIn, stepUp } from "../../test/people/browser.ts";
import { confirmNewAddress } from "../../test/people/confirm-address.ts";
import { enroll } from "../../test/people/enroll.ts";
import { readLink } from "../../test/people/read-mails.ts";
import type { TestService } from "../../test/start-service.ts";
import { msPerMinute } from "../formats/time.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";

const funding = "/dashboard/api/operator/funding";
const auth = "/dashboard/api/auth";
const wrong = "not the right one";

describeBothStores("a session that was confirmed for money", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  const makeOperator = async () => {
    const account = await makeSignInAccount(database.store, { operator: true });
    return { ...account, browser: await signIn(service, account, { isSteppedUp: false }) };
  };
  const fund = async (browser: Browser, usd = 1) => {
    const { status, json } = await browser.post(funding, { usd });
    return status === 201 ? "booked" : `${status} ${String(json()["error"])}`;
  };
  const refused = "403 step_up_required";
  const rowsOf = (accountId: string) => database.store.db.selectFrom("sign_ins").select(["id", "stepped_up_at", "step_up_used_at"]).where("account_id", "=", accountId).execute();
  /** As if the confirmation and its last use were this many minutes ago. */
  const age = (accountId: string, minutes: { confirmed: number; used: number }) =>
    database.store.db
      .updateTable("sign_ins")
      .set({ stepped_up_at: Date.now() - minutes.confirmed * msPerMinute, step_up_used_at: Date.now() - minutes.used * msPerMinute })
      .where("account_id", "=", accountId)
      .execute();

  it("is needed where money moves: neither a cookie nor signing in is enough, and a wrong password is throttled [threat: stolen-operator-session]", async () => {
    const { browser } = await makeOperator();
    assert.equal(await fund(browser), refused);
    for (const body of [{}, { password: wrong }]) {
      const answer = await browser.post(`${auth}/step-up`, body);
      assert.deepEqual([answer.status, answer.json()["error"]], [403, "step_up_required"]);
    }
    assert.equal(await fund(browser), refused);
    await stepUp(browser);
    assert.equal(await fund(browser), "booked");

    const thief = await makeOperator();
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await thief.browser.post(`${auth}/step-up`, { password: wrong })).status);
    assert.ok(statuses.includes(429), String(statuses));
    assert.equal(await fund(thief.browser), refused);
  });

  it("stays so for 10 minutes after its last use and 60 in all; a wrong request prolongs nothing, and a clock that was ahead gives nothing [threat: stolen-operator-session]", async () => {
    const { accountId, browser } = await makeOperator();
    await stepUp(browser);
    const outcomes: Record<string, string> = {};
    for (const [confirmed, used] of [[9, 9], [11, 11], [59, 9], [61, 1], [59, 11], [-2, -2], [1, -2], [-2, 1]] as const) {
      await age(accountId, { confirmed, used });
      outcomes[`${confirmed} ${used}`] = await fund(browser);
    }
    assert.deepEqual(outcomes, { "9 9": "booked", "11 11": refused, "59 9": "booked", "61 1": refused, "59 11": refused, "-2 -2": refused, "1 -2": refused, "-2 1": refused });

    await age(accountId, { confirmed: 30, used: 9 });
    const earlier = await rowsOf(accountId);
    assert.equal(await fund(browser, -1), "400 invalid_request");
    assert.equal((await browser.get("/dashboard/api/operator/money")).status, 200);
    assert.deepEqual(await rowsOf(accountId), earlier);
    assert.equal(await fund(browser), "booked");
    const [used] = await rowsOf(accountId);
    assert.equal(used!.stepped_up_at, earlier[0]!.stepped_up_at, "using it moves its end, never its beginning");
    assert.ok(used!.step_up_used_at! > earlier[0]!.step_up_used_at!);
  });

  it("is used once by an action about many payouts, which prolongs it once and moves all of them [threat: stolen-operator-session]", async () => {
    const { accountId, browser } = await makeOperator();
    const approve = async (ids: string[]) => {
      const answer = await browser.post("/dashboard/api/operator/payouts/approve", { ids });
      return [answer.status, (answer.json()["outcomes"] as { outcome: string }[] | undefined)?.map(({ outcome }) => outcome)];
    };
    await stepUp(browser);
    await age(accountId, { confirmed: 59, used: 9 });
    const ids = Array.from({ length: 120 }, (_, index) => `po_none_${index}`);
    assert.deepEqual(await approve(ids), [200, ids.map(() => "unknown")]);
    const used = (await rowsOf(accountId))[0]!.step_up_used_at!;
    assert.ok(Date.now() - used < msPerMinute);
    await age(accountId, { confirmed: 59, used: 11 });
    assert.deepEqual(await approve(ids), [403, undefined]);
  });

  it("is one session: not another browser's, not a copied cookie's, and not after its end [threat: stolen-operator-session]", async () => {
    const { browser, ...account } = await makeOperator();
    const other = await signIn(service, account, { isSteppedUp: false });
    const copy = openBrowser(service);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    await stepUp(browser);
    assert.equal(await fund(other), refused);
    assert.equal(await fund(copy), "401 sign_in_required", "confirming gives the session another token");
    assert.equal(await fund(browser), "booked");
    const foreign = await browser.post(funding, { usd: 1 }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.deepEqual([foreign.status, foreign.json()["error"]], [403, "forbidden"]);
    const confirmed = await other.post(`${auth}/step-up`, { password: account.password }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.equal(confirmed.status, 403);
    await browser.post(`${auth}/sign-out`, {});
    assert.equal(await fund(browser), "401 sign_in_required");
    assert.equal(await fund(await signIn(service, account, { isSteppedUp: false })), refused);
  });

  it("needs the second factor where one is enrolled, each code once; and is confirmed anew once a credential changes [threat: stolen-operator-session]", async () => {
    const { accountId, email, password, browser } = await makeOperator();
    const isConfirmed = async () => (await rowsOf(accountId)).some((row) => row.stepped_up_at !== null);
    await stepUp(browser, { password });
    const { usedCode, nextCode, recoveryCodes } = await enroll(browser, password);
    assert.equal(await isConfirmed(), false, "the password alone no longer counts");
    assert.equal(await fund(browser), refused);
    for (const code of [undefined, "000000", usedCode]) {
      const answer = await browser.post(`${auth}/step-up`, { password, ...(code !== undefined && { code }) });
      assert.deepEqual([answer.status, answer.json()["error"]], [403, "step_up_required"]);
    }
    await stepUp(browser, { password, code: nextCode });
    assert.equal(await fund(browser), "booked");

    const renewed = await browser.post(`${auth}/two-factor/generate-backup-codes`, { password, code: recoveryCodes[0] });
    const codes = renewed.json()["recovery_codes"] as string[];
    assert.equal(await isConfirmed(), false, "new recovery codes");
    await stepUp(browser, { password, code: codes[0]! });
    const next = "an entirely new one";
    assert.equal((await browser.post(`${auth}/change-password`, { currentPassword: password, newPassword: next })).status, 200);
    assert.equal(await isConfirmed(), false, "a new password");
    await stepUp(browser, { password: next, code: codes[1]! });
    assert.equal((await browser.post(`${auth}/two-factor/disable`, { password: next, code: codes[2] })).status, 200);
    assert.equal(await isConfirmed(), false, "no second factor any more");
    await stepUp(browser, { password: next });
    await enroll(browser, next);
    await resetSecondFactor(database.store, { accountId, email, actorAccountId: null, nowMs: Date.now() });
    assert.equal(await isConfirmed(), false);
  });

  it("is confirmed anew once its account has another address, and not before: asking for one changes nothing [threat: stolen-operator-session]", async () => {
    const { email, password, browser } = await makeOperator();
    const newEmail = `moved-${email}`;
    await stepUp(browser);
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail, password })).status, 200);
    assert.equal(await fund(browser), "booked", "the address is still the former one");
    assert.equal((await confirmNewAddress(browser, await readLink(database.store, { to: newEmail, kind: "change_email" }))).status, 200);
    assert.equal(await fund(browser), refused, "signed in, and no longer confirmed");
    await stepUp(browser);
    assert.equal(await fund(browser), "booked");
  });
});
