import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { after, afterEach, before, beforeEach, it, mock } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { openApp, type OpenedApp } from "../../test/open-app.ts";
import { makeSignInAccount } from "../../test/people/browser.ts";

const atOnceMax = 2;
const waitingMax = 40;
const floodSize = 80;
/** As in throttle.ts. */
const freeTries = 5;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describeBothStores("while strangers have passwords checked", (open) => {
  let opened: OpenedApp;
  let honest: { email: string; password: string };
  /** Hashes that have begun, each held until it is called. */
  let begun: (() => void)[];
  let isHeld: boolean;

  before(async () => {
    const { databaseUrl, dataDir, store } = await open();
    opened = await openApp({ ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }, { dataDir });
    honest = await makeSignInAccount(store);
  });
  after(() => opened.close());
  beforeEach(() => {
    begun = [];
    isHeld = true;
    const { scrypt } = crypto;
    mock.method(crypto, "scrypt", (...given: Parameters<typeof scrypt>) => {
      if (isHeld) begun.push(() => scrypt(...given));
      else scrypt(...given);
    });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  function releaseAll(): void {
    isHeld = false;
    for (const go of begun) go();
  }

  async function signIn(remoteAddress: string, { email, password } = { email: "nobody@example.com", password: "not the right one" }) {
    const headers = { origin: opened.publicUrl };
    const answer = await opened.app.inject({ method: "POST", url: "/dashboard/api/auth/sign-in/email", headers, remoteAddress, payload: { email, password } });
    return { status: answer.statusCode, error: answer.json<{ error?: string }>().error, retryAfter: answer.headers["retry-after"] };
  }

  /** Resolves when as many are refused as must be, with all answers. */
  async function flood(addressOf: (index: number) => string, { answered }: { answered: number }) {
    const answers = Array.from({ length: floodSize }, (_, index) => signIn(addressOf(index), { email: `nobody-${index}@example.com`, password: "not the right one" }));
    const seen = { refused: 0 };
    for (const answer of answers) void answer.then(({ status }) => (seen.refused += Number(status === 503)));
    const isDone = () => (seen.refused >= floodSize - answered && begun.length > 0) || begun.length > atOnceMax;
    while (!isDone()) await nextTurn();
    return answers;
  }

  it("from 80 networks, two are hashed at once, 40 wait, and all others are told at once to come back; nobody's attempt is counted for it [threat: password-flood]", async () => {
    const answers = await flood((index) => `10.${index >> 8}.${index & 255}.7`, { answered: atOnceMax + waitingMax });
    while (begun.length < atOnceMax) await nextTurn();
    assert.equal(begun.length, atOnceMax);
    for (let attempt = 0; attempt < 2 * freeTries; attempt += 1) {
      assert.deepEqual(await signIn("192.0.2.1", honest), { status: 503, error: "overloaded", retryAfter: "1" });
    }
    assert.equal(begun.length, atOnceMax);
    releaseAll();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual([401, 503].map((status) => statuses.filter((each) => each === status).length), [atOnceMax + waitingMax, floodSize - atOnceMax - waitingMax]);
    assert.equal((await signIn("192.0.2.1", honest)).status, 200);
  });

  for (const [what, addressOf] of [
    ["an IPv4 /24", (index: number) => `198.51.100.${index % 250}`],
    ["an IPv6 /48", (index: number) => `2001:db8:77:${index.toString(16)}::1`],
  ] as const) {
    it(`from ${what}, one is hashed at once, and somebody from elsewhere is let in before any other of them [threat: password-flood]`, async () => {
      const answers = await flood(addressOf, { answered: 1 + waitingMax / 2 });
      const own = signIn("203.0.113.5", honest);
      while (begun.length < atOnceMax) await nextTurn();
      begun[1]!();
      assert.equal((await own).status, 200);
      assert.equal(begun.length, atOnceMax);
      releaseAll();
      await Promise.all(answers);
    });
  }
});
