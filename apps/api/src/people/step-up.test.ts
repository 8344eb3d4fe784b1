import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, makeSignInAccount, signIn } from "../../test/people/browser.ts";
import { enroll } from "../../test/people/enroll.ts";
import type { TestService } from "../../test/start-service.ts";

const auth = "/dashboard/api/auth";
const wrong = "not the right one";
const freeTries = 5;
const payee = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "paypal", account: "ada@example.com", bank_code: null };

describeBothStores("a step-up", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  const putPayee = (browser: Browser, more: object) => browser.request("PUT", "/dashboard/api/payee", { ...payee, ...more });
  const outcomeOf = async (answer: Promise<{ status: number; json(): Record<string, unknown> }>) => {
    const { status, json } = await answer;
    return status === 200 ? "ok" : `${status} ${String(json()["error"])}`;
  };
  const refused = "403 step_up_required";

  it("keeps a payee from everyone who has only the cookie, or the password without the code [threat: payee-takeover]", async () => {
    const account = await makeSignInAccount(database.store);
    const { password } = account;
    const browser = await signIn(service, account);
    assert.equal(await outcomeOf(putPayee(browser, {})), refused, "a stolen cookie");
    assert.equal(await outcomeOf(putPayee(browser, { password: wrong })), refused);
    assert.equal(await outcomeOf(putPayee(browser, { password })), "ok", "without a second factor the password is enough");

    const { usedCode, nextCode, recoveryCodes } = await enroll(browser, password);
    const changed = { account: "eve@example.com" };
    const messages = [];
    for (const more of [{ password }, { password, code: "000000" }, { password, code: usedCode }, { password: wrong, code: nextCode }, { code: nextCode }]) {
      const answer = await putPayee(browser, { ...changed, ...more });
      assert.deepEqual([answer.status, answer.json()["error"]], [403, "step_up_required"], JSON.stringify(Object.keys(more)));
      messages.push(answer.json()["message"]);
    }
    assert.deepEqual(messages.map((message) => /code|password/i.exec(String(message))![0].toLowerCase()), ["code", "code", "code", "password", "password"], "the message says what is missing");
    const kept = (await browser.get("/dashboard/api/payee")).json() as { profile: { account: string } };
    assert.equal(kept.profile.account, payee.account);

    assert.equal((await putPayee(browser, { account: "nobody", password, code: nextCode })).status, 400, "a mistake does not use up the code");
    const raced = await Promise.all([1, 2, 3].map(() => outcomeOf(putPayee(browser, { ...changed, password, code: nextCode }))));
    assert.deepEqual(raced.toSorted(), [refused, refused, "ok"], "a code works once, also at the same moment");
    const byRecovery = await Promise.all([1, 2, 3].map(() => outcomeOf(putPayee(browser, { password, code: recoveryCodes[0] }))));
    assert.deepEqual(byRecovery.toSorted(), [refused, refused, "ok"], "so does a recovery code");
    assert.equal(await outcomeOf(putPayee(browser, { password, code: recoveryCodes[0] })), refused);
    assert.equal(await outcomeOf(putPayee(browser, { password, code: recoveryCodes[1] })), "ok", "the others still work");
  });

  it("is asked for before the address changes, and before the second factor goes, which would make it pointless [threat: payee-takeover]", async () => {
    const account = await makeSignInAccount(database.store);
    const { password } = account;
    const browser = await signIn(service, account);
    const newEmail = `taken-${account.email}`;
    assert.equal(await outcomeOf(browser.post(`${auth}/change-email`, { newEmail })), refused, "a stolen cookie");
    const { recoveryCodes } = await enroll(browser, password);
    assert.equal(await outcomeOf(browser.post(`${auth}/change-email`, { newEmail, password })), refused);
    for (const path of ["two-factor/disable", "two-factor/generate-backup-codes"]) {
      assert.equal(await outcomeOf(browser.post(`${auth}/${path}`, { password })), refused, path);
    }
    assert.equal((await browser.get("/dashboard/api/me")).json()["two_factor_enabled"], true);
    assert.equal(await outcomeOf(browser.post(`${auth}/change-email`, { newEmail, password, code: recoveryCodes[0] })), "ok");
  });

  it("slows down guesses at the code, whoever knows the password [threat: guessed-code]", async () => {
    const account = await makeSignInAccount(database.store);
    const { password } = account;
    const browser = await signIn(service, account);
    const { nextCode } = await enroll(browser, password);
    for (let round = 0; round < freeTries; round += 1) {
      assert.equal(await outcomeOf(putPayee(browser, { password, code: "000000" })), refused);
      // A right password elsewhere must not clear the count.
      assert.equal((await browser.post(`${auth}/change-password`, { currentPassword: password, newPassword: password })).status, 200);
    }
    assert.equal(await outcomeOf(putPayee(browser, { password, code: nextCode })), "429 rate_limit_exceeded");
  });
});
