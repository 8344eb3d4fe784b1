/** What a link, a session or a sign-in's second step is worth at each moment, and how much work an answer about an address takes. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { after, before, describe, it, mock } from "node:test";
import { openApp, type OpenedApp } from "../../test/open-app.ts";
import { goodPassword, makeSignInAccount } from "../../test/people/browser.ts";
import { tokenIn } from "../../test/people/confirm-address.ts";
import { injectBrowser, type InjectedBrowser, injectSignIn } from "../../test/people/inject-browser.ts";
import { readLink } from "../../test/people/read-mails.ts";
import { codeOf } from "../../test/people/totp.ts";

const auth = "/dashboard/api/auth";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let opened: OpenedApp;
let addresses = 0;
const newAddress = () => `lifetime-${(addresses += 1)}@example.com`;
const post = (browser: InjectedBrowser, path: string, body: object) => browser.request("POST", auth + path, { body });
const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

before(async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  opened = await openApp();
});
after(async () => {
  await opened.close();
  mock.timers.reset();
});

/** Makes two of a kind at one moment. The first is used just before its end and once more; the second is used at its end. */
async function useAroundEnd<Made>(lifeMs: number, make: () => Promise<Made>, use: (made: Made) => Promise<unknown>) {
  const madeMs = Date.now();
  const [first, second] = [await make(), await make()];
  mock.timers.setTime(madeMs + lifeMs - 1);
  const inTime = await use(first);
  const again = await use(first);
  mock.timers.setTime(madeMs + lifeMs);
  return { inTime, again, tooLate: await use(second) };
}

describe("the lifetime", () => {
  it("of a verification link is a day, and it works once", async () => {
    const signUp = async () => {
      const email = newAddress();
      await post(injectBrowser(opened), "/sign-up/email", { email });
      return tokenIn(await readLink(opened.deps.store, { to: email, kind: "verify" }));
    };
    const confirm = (token: string) => statusOf(post(injectBrowser(opened), "/verify-email", { token, newPassword: goodPassword }));
    assert.deepEqual(await useAroundEnd(dayMs, signUp, confirm), { inTime: 200, again: 400, tooLate: 400 });
  });

  it("of a password-reset link is an hour, and it works once", async () => {
    const askForReset = async () => {
      const { email } = await makeSignInAccount(opened.deps.store);
      await post(injectBrowser(opened), "/request-password-reset", { email });
      return new URL(await readLink(opened.deps.store, { to: email, kind: "reset" }), opened.publicUrl).searchParams.get("token");
    };
    const reset = (token: string | null) => statusOf(post(injectBrowser(opened), "/reset-password", { token, newPassword: "an entirely new one" }));
    assert.deepEqual(await useAroundEnd(hourMs, askForReset, reset), { inTime: 200, again: 400, tooLate: 400 });
  });

  it("of a link that confirms a new address is a day, and it works once", async () => {
    const askForChange = async () => {
      const account = await makeSignInAccount(opened.deps.store);
      const newEmail = newAddress();
      const browser = await injectSignIn(opened, account);
      await post(browser, "/change-email", { newEmail, password: account.password });
      return { browser, token: tokenIn(await readLink(opened.deps.store, { to: newEmail, kind: "change_email" })) };
    };
    const confirm = ({ browser, token }: Awaited<ReturnType<typeof askForChange>>) => statusOf(post(browser, "/confirm-email", { token }));
    assert.deepEqual(await useAroundEnd(dayMs, askForChange, confirm), { inTime: 200, again: 400, tooLate: 400 });
  });

  it("of a session is 14 days after its last use, or a day for a browser that is not remembered", async () => {
    const account = await makeSignInAccount(opened.deps.store);
    const see = (browser: InjectedBrowser) => statusOf(browser.request("GET", "/dashboard/api/me"));
    for (const [rememberMe, lifeMs] of [[true, 14 * dayMs], [false, dayMs]] as const) {
      const open = async () => {
        const browser = injectBrowser(opened);
        assert.equal(await statusOf(post(browser, "/sign-in/email", { email: account.email, password: account.password, rememberMe })), 200);
        return browser;
      };
      assert.deepEqual(await useAroundEnd(lifeMs, open, see), { inTime: 200, again: 200, tooLate: 401 });
    }
  });

  it("of a sign-in's second step is ten minutes, and a challenge works once", async () => {
    const account = await makeSignInAccount(opened.deps.store);
    const enrolling = await injectSignIn(opened, account);
    const uri = (await post(enrolling, "/two-factor/enable", { password: account.password })).json<{ totp_uri: string }>().totp_uri;
    assert.equal(await statusOf(post(enrolling, "/two-factor/verify-totp", { code: codeOf(uri, Date.now()) })), 200);
    mock.timers.setTime(Date.now() + 60_000);
    const challenge = () => injectSignIn(opened, account);
    let steps = 0;
    const answer = async (browser: InjectedBrowser) => {
      // A code of the following step, so that none is refused because it was used before.
      const code = codeOf(uri, Date.now() + 30_000 * (steps > 0 ? 1 : 0));
      steps += 1;
      const cookies = new Map(browser.cookies);
      const { statusCode } = await post(browser, "/two-factor/verify-totp", { code });
      const isIn = (await see(browser)) === 200;
      browser.cookies.clear();
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return [statusCode, isIn];
    };
    const see = (browser: InjectedBrowser) => statusOf(browser.request("GET", "/dashboard/api/me"));
    const outcome = await useAroundEnd(600_000, challenge, answer);
    assert.deepEqual([outcome.inTime, outcome.again, outcome.tooLate], [[200, true], [401, false], [401, false]]);
  });
});

describe("an answer about an address", () => {
  it("takes as many password hashes whether the address is known or not, from the first request on", async () => {
    const { store } = opened.deps;
    const known = await makeSignInAccount(store);
    const unverified = await makeSignInAccount(store, { verified: false });
    const withoutPassword = await makeSignInAccount(store);
    await store.db.updateTable("accounts").set({ password_hash: null }).where("id", "=", withoutPassword.accountId).execute();
    const scrypt = mock.method(crypto, "scrypt");
    syncBuiltinESMExports();
    try {
      const countHashes = async (path: string, body: object) => {
        scrypt.mock.resetCalls();
        await post(injectBrowser(opened), path, body);
        return scrypt.mock.callCount();
      };
      const signIn = (email: string, password = "not the right one") => countHashes("/sign-in/email", { email, password });
      assert.deepEqual(
        [await signIn(newAddress()), await signIn(known.email), await signIn(known.email, known.password), await signIn(unverified.email), await signIn(withoutPassword.email)],
        [1, 1, 1, 1, 1],
      );
      for (const [path, hashes] of [["/sign-up/email", 0], ["/request-password-reset", 0], ["/send-verification-email", 0]] as const) {
        for (const email of [newAddress(), known.email, unverified.email]) assert.equal(await countHashes(path, { email, password: goodPassword }), hashes, `${path} ${email}`);
      }
    } finally {
      scrypt.mock.restore();
      syncBuiltinESMExports();
    }
  });
});
