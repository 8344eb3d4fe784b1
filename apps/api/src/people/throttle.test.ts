import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { goodPassword, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { readLink } from "../../test/people/read-mails.ts";
import type { Answer } from "../../test/send.ts";
import { makeTestFolder, startService, type TestService } from "../../test/start-service.ts";
import { createSealer } from "../secrets/sealer.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { networkOf } from "./throttle-rule.ts";
import { createThrottle, TooManyTries } from "./throttle.ts";

const auth = "/dashboard/api/auth";
/** As in throttle.ts. */
const freeTries = 5;
const freeTriesAnywhere = 20;
const waitMsMax = 15 * 60_000;
const mailsPerHour = 3;
const confirmationsMax = 20;
const addressesPerHour = 5;
const wrong = "not the right one";

const sealer = createSealer({ secretKey: "k".repeat(32), previous: [] });

describeBothStores("the throttle", (open) => {
  let database: TestDatabase;
  const clock = { ms: 1_800_000_000_000 };
  before(async () => {
    database = await open();
  });
  /** Acts as a separate node: it shares only the store. */
  const openThrottle = () => createThrottle({ store: database.store, nowMs: () => clock.ms, sealer });
  const isTaken = (take: Promise<void>) =>
    take.then(
      () => true,
      (error: unknown) => {
        assert(error instanceof TooManyTries, String(error));
        return false;
      },
    );
  const at = (email: string, ip: string) => ({ email, ip });

  it("goes on counting when SECRET_KEY is replaced, and forgets when the old one is lost", async () => {
    const attempt = at("rotated@x", "192.0.2.77");
    const openWith = (secretKey: string, previous: string[]) => createThrottle({ store: database.store, nowMs: () => clock.ms, sealer: createSealer({ secretKey, previous }) });
    for (let round = 0; round < freeTries; round += 1) assert(await isTaken(openThrottle().takeSignIn(attempt)));
    assert(!(await isTaken(openWith("n".repeat(32), ["k".repeat(32)]).takeSignIn(attempt))));
    assert(await isTaken(openWith("n".repeat(32), []).takeSignIn(attempt)));
  });

  it("shares counts between nodes and across restarts", async () => {
    for (let round = 0; round < freeTries; round += 1) assert(await isTaken(openThrottle().takeSignIn(at("a@x", "192.0.2.1"))));
    assert(!(await isTaken(openThrottle().takeSignIn(at("a@x", "192.0.2.1")))));
  });

  it("allows no more concurrent attempts than sequential ones [threat: guessed-password]", async () => {
    const throttle = openThrottle();
    const taken = await Promise.all(Array.from({ length: 30 }, () => isTaken(throttle.take("sign_in_here", "at once"))));
    const count = taken.filter(Boolean).length;
    assert(count >= 1 && count <= freeTries, `${count} were allowed`);
  });

  it("counts an IPv6 /48 too, four times as many attempts as one of its /64 [threat: guessed-password]", async () => {
    const throttle = openThrottle();
    const from = (site: string, network: number) => isTaken(throttle.take("sign_up_network", networkOf(`2001:db8:${site}:${network.toString(16)}::1`)));
    let taken = 0;
    for (let network = 0; network < 200; network += 1) taken += Number(await from("a", network));
    assert.equal(taken, 120);
    assert(await from("b", 0), "another /48");
  });

  it("leaves a /64 its own count while its /48 is full, and the /48 its count while a /64 is over its own", async () => {
    const throttle = openThrottle();
    const from = (site: string, network: number) => isTaken(throttle.take("sign_up_network", networkOf(`2001:db8:${site}:${network}::1`)));
    for (let round = 0; round < 200; round += 1) await from("c", 1);
    for (const network of [2, 3, 4]) for (let round = 0; round < 30; round += 1) assert(await from("c", network), `network ${network}`);
    const subjects = async () => (await database.store.db.selectFrom("throttles").select("subject").execute()).length;
    const known = await subjects();
    for (let round = 0; round < 40; round += 1) assert(!(await from("c", 5)), "the /48 is full");
    assert.equal(await subjects(), known, "what its /48 refused is no attempt of the /64");
  });

  it("keeps a known network in while strangers fill its /48, and newcomers out [threat: guessed-password]", async () => {
    const throttle = openThrottle();
    const home = at("customer@x", "2001:db8:77:ffff::7");
    await throttle.takeSignIn(home);
    await throttle.signInSucceeded(home);
    let taken = 0;
    for (let index = 0; index < 450; index += 1) taken += Number(await isTaken(throttle.takeSignIn(at(`guessed-${index}@x`, `2001:db8:77:${index % 9}::1`))));
    assert.equal(taken, 399, "of the /48's 400, one of which was the customer's first");
    assert(!(await isTaken(throttle.takeSignIn(at("newcomer@x", "2001:db8:77:eeee::1")))));
    assert(!(await isTaken(throttle.takeSignIn(at("somebody-else@x", home.ip)))), "known for its own address only");
    assert(await isTaken(throttle.takeSignIn(home)));
    for (let round = 0; round < freeTries; round += 1) await isTaken(throttle.takeSignIn(home));
    assert(!(await isTaken(throttle.takeSignIn(home))), "its own attempts count");
  });

  it("never locks an address for longer than 15 minutes, however long others guess", async () => {
    const throttle = openThrottle();
    for (let network = 0; network < 200; network += 1) {
      clock.ms += 1_000;
      await isTaken(throttle.takeSignIn(at("victim@x", `198.51.${network % 5}.${network}`)));
    }
    assert(!(await isTaken(throttle.takeSignIn(at("victim@x", "203.0.113.9")))));
    clock.ms += waitMsMax;
    assert(await isTaken(throttle.takeSignIn(at("victim@x", "203.0.113.10"))));
  });

  it("counts only a known network's own attempts against it", async () => {
    const throttle = openThrottle();
    const home = at("traveller@x", "2001:db8:1:2::7");
    await throttle.takeSignIn(home);
    await throttle.signInSucceeded(home);
    for (let network = 0; network <= freeTriesAnywhere; network += 1) await isTaken(throttle.takeSignIn(at("traveller@x", `198.51.100.${network}`)));
    assert(!(await isTaken(throttle.takeSignIn(at("traveller@x", "198.51.100.250")))));
    assert(await isTaken(throttle.takeSignIn(at("traveller@x", "2001:db8:1:2:ffff::1"))), "the same /64");
    for (let round = 1; round < freeTries; round += 1) assert(await isTaken(throttle.takeSignIn(home)));
    assert(!(await isTaken(throttle.takeSignIn(home))));
  });

  it("clears the attempts after a sign-in or a reset", async () => {
    const throttle = openThrottle();
    const here = at("clumsy@x", "192.0.2.77");
    for (const clear of [throttle.signInSucceeded, throttle.resetSignIn]) {
      for (let round = 0; round < freeTries; round += 1) assert(await isTaken(throttle.takeSignIn(here)));
      assert(!(await isTaken(throttle.takeSignIn(here))));
      await clear(here);
      assert(await isTaken(throttle.takeSignIn(here)));
      await throttle.resetSignIn(here);
    }
  });

  it("stores subjects without readable addresses or IPs", async () => {
    const rows = await database.store.db.selectFrom("throttles").select("subject").execute();
    assert(rows.length > 10);
    assert(rows.every(({ subject }) => /^[\w-]{43}$/.test(subject)));
  });
});

function assertTooMany(answer: Answer, what: string): void {
  assert.equal(answer.status, 429, `${what}: ${answer.text}`);
  const { error, message, retry_after: retryAfter } = answer.json();
  assert.equal(error, "rate_limit_exceeded");
  assert.equal(typeof message, "string");
  assert.equal(String(retryAfter), answer.headers["retry-after"]);
  assert(Number(retryAfter) >= 1);
}

describe("throttling over HTTP", () => {
  let store: Store;
  let service: TestService;
  let behindProxy: TestService;
  before(async () => {
    const dataDir = makeTestFolder();
    ({ store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} }));
    service = await startService({ dataDir });
    behindProxy = await startService({ dataDir, env: { TRUST_PROXY: "127.0.0.1" } });
  });
  after(async () => {
    await service.stop();
    await behindProxy.stop();
    await store.close();
  });

  const guess = (at: TestService, email: string, { password = wrong, headers = {} }: { password?: string; headers?: Record<string, string> } = {}) =>
    openBrowser(at).post(`${auth}/sign-in/email`, { email, password }, headers);
  const from = (ip: string) => ({ headers: { "x-forwarded-for": ip } });

  it("ignores forged X-Forwarded-For and similar headers, and refuses the right password too [threat: guessed-password]", async () => {
    const { email, password } = await makeSignInAccount(store);
    for (let round = 0; round < freeTries; round += 1) assert.equal((await guess(service, email, from(`203.0.113.${round}`))).status, 401);
    const forged = [{}, { "x-forwarded-for": "198.51.100.1" }, { "x-real-ip": "198.51.100.2" }, { forwarded: "for=198.51.100.3" }, { "x-assay-client-ip": "198.51.100.4" }];
    for (const headers of forged) assertTooMany(await guess(service, email, { password, headers }), JSON.stringify(headers));
  });

  it("tells networks apart by a trusted proxy's X-Forwarded-For, which sessions show", async () => {
    const { email, password } = await makeSignInAccount(store);
    for (let round = 0; round < freeTries; round += 1) assert.equal((await guess(behindProxy, email, from("203.0.113.50"))).status, 401);
    assertTooMany(await guess(behindProxy, email, from("203.0.113.50")), "the network that tried");
    for (const [node, shown] of [[behindProxy, "203.0.113.51"], [service, "127.0.0.1"]] as const) {
      const browser = openBrowser(node);
      const answer = await browser.post(`${auth}/sign-in/email`, { email, password }, { "x-forwarded-for": "203.0.113.51" });
      assert.equal(answer.status, 200);
      const sessions = (await browser.get(`${auth}/list-sessions`)).json()["sessions"] as { current: boolean; ip_address: string }[];
      assert.equal(sessions.find(({ current }) => current)!.ip_address, shown);
    }
  });

  it("throttles unregistered addresses too, so a lock reveals nothing [threat: account-enumeration]", async () => {
    for (let round = 0; round < freeTries; round += 1) assert.equal((await guess(service, "nobody-here@example.com")).status, 401);
    assertTooMany(await guess(service, "nobody-here@example.com"), "unknown address");
  });

  it("forgets wrong passwords after the right one", async () => {
    const { email, password } = await makeSignInAccount(store);
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 1; tries < freeTries; tries += 1) assert.equal((await guess(service, email)).status, 401);
      assert.equal((await guess(service, email, { password })).status, 200);
    }
  });

  it("ends the wait after a reset", async () => {
    const { email } = await makeSignInAccount(store);
    for (let round = 0; round < freeTries; round += 1) await guess(service, email);
    await openBrowser(service).post(`${auth}/request-password-reset`, { email });
    const token = new URL(await readLink(store, { to: email, kind: "reset" }), "http://x").searchParams.get("token");
    assert.equal((await openBrowser(service).post(`${auth}/reset-password`, { token, newPassword: "eleven loud sparrows" })).status, 200);
    await signIn(service, { email, password: "eleven loud sparrows" });
  });

  it("limits mails to one address, whether or not it is registered", async () => {
    const registered = (await makeSignInAccount(store)).email;
    const cases = [
      ["sign-up/email", { password: goodPassword }],
      ["request-password-reset", {}],
      ["send-verification-email", {}],
    ] as const;
    for (const [path, more] of cases) {
      for (const email of [registered, `unknown-${path.slice(0, 4)}@example.com`]) {
        const ask = (round: number) => openBrowser(service).post(`${auth}/${path}`, { email, ...more }, { "x-forwarded-for": `203.0.113.${round}` });
        for (let round = 0; round < mailsPerHour; round += 1) assert.equal((await ask(round)).status, 200, path);
        assertTooMany(await ask(mailsPerHour), path);
      }
    }
  });

  it("limits password guesses inside a session", async () => {
    const account = await makeSignInAccount(store);
    const browser = await signIn(service, account);
    const disable = (password: string) => browser.post(`${auth}/two-factor/disable`, { password });
    for (let round = 0; round < freeTries; round += 1) assert.equal((await disable(wrong)).status, 403);
    assertTooMany(await disable(account.password), "two-factor/disable");
    const change = { currentPassword: account.password, newPassword: "eleven loud sparrows" };
    assertTooMany(await browser.post(`${auth}/change-password`, change), "change-password");
  });

  it("limits how often a session gives its password, right ones too, and no other account's [threat: password-flood]", async () => {
    const account = await makeSignInAccount(store);
    const [browser, second, other] = [await signIn(service, account), await signIn(service, account), await signIn(service, await makeSignInAccount(store))];
    const confirm = (one: typeof browser) => one.post(`${auth}/step-up`, { password: goodPassword });
    for (let round = 0; round < confirmationsMax; round += 1) assert.equal((await confirm(round % 2 === 0 ? browser : second)).status, 200);
    const refused = await confirm(browser);
    assertTooMany(refused, "step-up");
    assert(Number(refused.headers["retry-after"]) <= 600);
    assertTooMany(await browser.post(`${auth}/change-password`, { currentPassword: goodPassword, newPassword: "eleven loud sparrows" }), "change-password");
    assert.equal((await confirm(other)).status, 200);
  });

  it("limits how many addresses an account mails when it changes its own [threat: write-flood]", async () => {
    const browser = await signIn(service, await makeSignInAccount(store));
    const ask = (to: number) => browser.post(`${auth}/change-email`, { newEmail: `stranger-${to}@example.com`, password: goodPassword });
    for (let to = 0; to < addressesPerHour; to += 1) assert.equal((await ask(to)).status, 200);
    assertTooMany(await ask(addressesPerHour), "change-email");
    const mailed = await store.db.selectFrom("mails").select("recipient").where("recipient", "like", "stranger-%").execute();
    assert.equal(mailed.length, addressesPerHour);
  });
});
