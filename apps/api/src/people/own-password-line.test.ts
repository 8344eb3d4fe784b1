/** Where those who are signed in wait for their passwords to be checked, and that nothing hashes without a line. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it, mock } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { openApp, type OpenedApp } from "../../test/open-app.ts";
import { goodPassword, makeSignInAccount } from "../../test/people/browser.ts";
import { tokenIn } from "../../test/people/confirm-address.ts";
import { injectBrowser, type InjectedBrowser } from "../../test/people/inject-browser.ts";
import { readLink } from "../../test/people/read-mails.ts";
import type { Store } from "../store/store.ts";
import { createAccount } from "./create-account.ts";
import { storedToken } from "./sessions.ts";

const api = "/dashboard/api";
const auth = `${api}/auth`;
const waitingMax = 40;
const strangersAtOnce = 2;
const next = "eleven loud sparrows";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

let signedInCount = 0;

describeBothStores("people who are signed in", (open) => {
  let opened: OpenedApp;
  let store: Store;
  let hash: string;
  /** Hashes that have begun, each held until it is called. */
  let begun: (() => void)[];
  let isHeld: boolean;
  /** Most of them are of one password: 40 at full cost would take the test half a minute. */
  const hashed = new Map<string, Parameters<Parameters<typeof crypto.scrypt>[4]>[1]>();

  before(async () => {
    const database = await open();
    ({ store } = database);
    opened = await openApp({ ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }) }, { dataDir: database.dataDir });
    const { accountId } = await makeSignInAccount(store);
    hash = (await store.db.selectFrom("accounts").select("password_hash").where("id", "=", accountId).executeTakeFirstOrThrow()).password_hash!;
  });
  after(() => opened.close());
  beforeEach(() => {
    begun = [];
    isHeld = true;
    const { scrypt } = crypto;
    mock.method(crypto, "scrypt", (...given: Parameters<typeof scrypt>) => {
      const [password, salt, length, parameters, answer] = given;
      const name = JSON.stringify([password, salt]);
      const go = () => {
        const key = hashed.get(name);
        if (key) setImmediate(answer, null, key);
        else
          scrypt(password, salt, length, parameters, (error, made) => {
            if (!error) hashed.set(name, made);
            answer(error, made);
          });
      };
      if (isHeld) begun.push(go);
      else go();
    });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    releaseAll();
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  function releaseAll(): void {
    isHeld = false;
    for (const go of begun.splice(0)) go();
  }

  async function beginHashes(count: number): Promise<void> {
    while (begun.length < count) await nextTurn();
  }

  /** Signed in, without a hash for it. */
  async function makePerson({ operator = false } = {}): Promise<{ browser: InjectedBrowser; email: string; accountId: string }> {
    signedInCount += 1;
    const token = `line-${signedInCount}`;
    const email = `in-${token}@example.com`;
    const outcome = await createAccount(store, { email, tier: "Starter", verified: true, operator, password: undefined }, Date.now());
    assert(outcome.kind === "created");
    const accountId = outcome.account.id;
    const now = Date.now();
    await store.db.updateTable("accounts").set({ password_hash: hash }).where("id", "=", accountId).execute();
    await store.db
      .insertInto("sign_ins")
      .values({ id: `sign_${token}`, token: storedToken(token), account_id: accountId, ip_address: "192.0.2.1", user_agent: "", created_at: now, updated_at: now, expires_at: now + 3_600_000 })
      .execute();
    const browser = injectBrowser(opened);
    browser.cookies.set("__Host-assay_session", token);
    return { browser, email, accountId };
  }

  const stepUp = async ({ browser }: { browser: InjectedBrowser }) => (await browser.request("POST", `${auth}/step-up`, { body: { password: goodPassword } })).statusCode;

  /** The line of developers has no place left; resolves with what they are answered in the end. */
  async function fillDevelopers(): Promise<Promise<number>[]> {
    const people = await Promise.all(Array.from({ length: waitingMax + 5 }, () => makePerson()));
    const answers = people.map((person) => stepUp(person));
    const seen = { refused: 0 };
    for (const answer of answers) void answer.then((status) => (seen.refused += Number(status === 503)));
    while (seen.refused < 4) await nextTurn();
    return answers;
  }

  it("do not keep an operator waiting, however many accounts confirm at once; and one thread stays free [threat: password-flood]", async () => {
    const operator = await makePerson({ operator: true });
    const strangers = Array.from({ length: 10 }, (_, index) =>
      injectBrowser(opened).request("POST", `${auth}/sign-in/email`, { body: { email: `nobody-${index}@example.com`, password: "not the right one" } }),
    );
    await beginHashes(strangersAtOnce);
    const answers = await fillDevelopers();
    await beginHashes(strangersAtOnce + 1);
    const late = await makePerson();
    assert.equal(await stepUp(late), 503, "the flood is refused");
    const own = stepUp(operator);
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    assert.equal(begun.length, strangersAtOnce + 1, "three threads of four hash");
    begun[strangersAtOnce]!();
    await beginHashes(strangersAtOnce + 2);
    begun[strangersAtOnce + 1]!();
    assert.equal(await own, 200, "after one of the developers, before forty");
    releaseAll();
    const statuses = await Promise.all(answers);
    assert.deepEqual([200, 503].map((status) => statuses.filter((each) => each === status).length), [waitingMax + 1, 4]);
    await Promise.all(strangers);
  });

  it("wait in that line wherever their password is asked for [threat: password-flood]", async () => {
    const { browser, email } = await makePerson();
    const password = goodPassword;
    const payee = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "paypal", account: "ada@example.com", bank_code: null };
    const answers = await fillDevelopers();
    const statuses: Record<string, number> = {};
    for (const [method, path, body] of [
      ["POST", "/auth/step-up", { password }],
      ["POST", "/auth/change-password", { currentPassword: password, newPassword: next }],
      ["POST", "/auth/change-email", { newEmail: `new-${email}`, password }],
      ["POST", "/auth/close-account", { password, confirmEmail: email }],
      ["POST", "/auth/two-factor/enable", { password }],
      ["POST", "/auth/two-factor/disable", { password }],
      ["POST", "/auth/two-factor/generate-backup-codes", { password }],
      ["PUT", "/payee", { ...payee, password }],
    ] as const) {
      statuses[path] = (await browser.request(method, api + path, { body })).statusCode;
    }
    assert.deepEqual(new Set(Object.values(statuses)), new Set([503]), JSON.stringify(statuses));
    releaseAll();
    await Promise.all(answers);
  });

  it("and people with a link or a password wait in the line of strangers, and keep their link [threat: password-flood]", async () => {
    const known = await makePerson();
    const newcomer = `newcomer-${signedInCount}@example.com`;
    await injectBrowser(opened).request("POST", `${auth}/request-password-reset`, { body: { email: known.email } });
    await injectBrowser(opened).request("POST", `${auth}/sign-up/email`, { body: { email: newcomer } });
    const [reset, verify] = [tokenIn(await readLink(store, { to: known.email, kind: "reset" })), tokenIn(await readLink(store, { to: newcomer, kind: "verify" }))];
    const flood = Array.from({ length: strangersAtOnce + waitingMax }, (_, index) =>
      injectBrowser(opened).request("POST", `${auth}/sign-in/email`, { body: { email: `flood-${index}@example.com`, password: "not the right one" } }),
    );
    await beginHashes(strangersAtOnce);
    const ask = async (path: string, body: object) => (await injectBrowser(opened).request("POST", auth + path, { body })).statusCode;
    const askAll = async () => [
      await ask("/reset-password", { token: reset, newPassword: next }),
      await ask("/verify-email", { token: verify, newPassword: next }),
      await ask("/sign-in/email", { email: newcomer, password: next }),
    ];
    // The last of the flood may not have arrived yet.
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    assert.deepEqual(await askAll(), [503, 503, 503]);
    assert.equal(begun.length, strangersAtOnce);
    releaseAll();
    await Promise.all(flood);
    assert.deepEqual(await askAll(), [200, 200, 200]);
  });
});

describe("a password hash", () => {
  const source = join(import.meta.dirname, "..");
  const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));
  const naming = (word: RegExp) => files.filter((file) => word.test(readFileSync(join(source, file), "utf8"))).toSorted();

  it("is made in one file, which wants a turn for it; only what commands do takes one without a line [threat: password-flood]", () => {
    assert.deepEqual(naming(/\bscrypt(Sync)?\b/), ["people/hash-password.ts"]);
    assert.deepEqual(naming(/\bhashAtOnce\b/), ["people/change-account.ts", "people/create-account.ts", "people/hash-password.ts"]);
    assert.deepEqual(naming(/\bresetPassword\(/).filter((file) => !file.startsWith("cli/")), ["people/change-account.ts"]);
    assert.deepEqual(naming(/\bhashIn(Own)?Turn\b/), ["people/change-credentials.ts", "people/confirm-password.ts", "people/hash-password.ts", "people/reset-password.ts", "people/sign-in.ts"]);
  });
});
