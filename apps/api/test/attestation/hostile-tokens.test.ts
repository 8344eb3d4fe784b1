import { tokenLengthMax } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { addSite, sealSession } from "./seal-session.ts";

const origin = "https://shop.example";

describe("a session token that is not one", () => {
  let opened: OpenedApp;
  let account: TestAccount;
  let token: string;

  before(async () => {
    opened = await openApp();
    const { store, attestation } = opened.deps;
    account = await makeAccount(store, { tier: vastTier });
    const nowMs = Date.now();
    const siteId = await addSite(store, { accountId: account.accountId, origins: [origin], nowMs });
    await attestation.sites.refresh();
    token = sealSession(attestation.tokens, { accountId: account.accountId, siteId, nowMs });
  });
  after(() => opened.close());

  let sent = 0;
  const post = (url: string, payload: unknown, headers: Record<string, string>) => {
    sent += 1;
    // From another network each time: one of them may not send as much as this.
    const remoteAddress = `10.${(sent >> 8) & 255}.${sent & 255}.1`;
    return opened.app.inject({ method: "POST", url, headers, payload: JSON.stringify(payload), remoteAddress });
  };
  const beat = (sentToken: unknown, type: string) => post("/c/v1/beat", { token: sentToken, d: {} }, { "content-type": type, origin });
  const score = (sentToken: unknown, path: string) =>
    post(path, { session_data: {}, session_token: sentToken }, { "content-type": "application/json", "x-api-key": account.liveKey });
  /** Every way to send one. */
  const ways: [name: string, send: (sentToken: unknown) => ReturnType<typeof post>][] = [
    ...["text/plain;charset=UTF-8", "application/json"].map((type): [string, (typeof ways)[number][1]] => [`a beat as ${type}`, (each) => beat(each, type)]),
    ...["predict", "score", "analyze"].map((name): [string, (typeof ways)[number][1]] => [name, (each) => score(each, `/api/ml/${name}`)]),
  ];

  async function assertRefused(given: string, what: string, codes = ["invalid_request", "session_token_expired"]): Promise<void> {
    for (const [name, send] of ways) {
      const answer = await send(given);
      const said = `${name}, ${what}: ${answer.statusCode} ${answer.body}`;
      assert.equal(answer.statusCode, 400, said);
      const { error, message, ...more } = answer.json<{ error: string; message: string }>();
      assert.ok(codes.includes(error) && message !== "", said);
      assert.deepEqual(more, {}, said);
      if (given.length > 8) assert.ok(!`${answer.body} ${JSON.stringify(answer.headers)}`.includes(given), `${said} repeats it`);
    }
  }
  const countCharges = async () => (await opened.deps.store.db.selectFrom("session_records").select("id").execute()).length;

  it("is refused wherever a bit of a real one was changed, without repeating it, and nothing is billed", async () => {
    for (let at = 0; at < token.length; at += 1) {
      const flipped = String.fromCharCode(token.charCodeAt(at) ^ (1 << (at % 6)));
      await assertRefused(`${token.slice(0, at)}${flipped}${token.slice(at + 1)}`, `bit ${at % 6} of character ${at}`);
    }
    assert.equal(await countCharges(), 0);
  });

  it("is refused when it was cut short, lengthened, doubled or made up", async () => {
    const [, day] = token.split(".");
    const made = ["at1", "at1.", "at1..", `at1.${day}.`, `at1.${day}.AAAA`, `at1.${day}.${"A".repeat(200)}`, `at1.0${day}.${token.split(".")[2]}`, `at2.${token.slice(4)}`, "null", "\u0000", "\ud800", "😀".repeat(60), "../../etc/passwd", "' OR 1=1 --", "a".repeat(tokenLengthMax)];
    for (const each of made) await assertRefused(each, each);
    for (let length = 1; length < token.length; length += 7) await assertRefused(token.slice(0, length), `${length} characters`);
    for (const each of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`, token + token.slice(0, 50)]) await assertRefused(each, "lengthened", ["invalid_request"]);
    assert.equal(await countCharges(), 0);
  });

  it("is refused when it is too long or no text at all", async () => {
    for (const [name, send] of ways) {
      for (const given of ["", "a".repeat(tokenLengthMax + 1), null, 1, true, {}, [], [token]]) {
        const answer = await send(given);
        assert.equal(answer.statusCode, 400, `${name} ${JSON.stringify(given)}: ${answer.body}`);
        assert.equal(answer.json<{ error: string }>().error, "invalid_request");
      }
      const huge = await send("a".repeat(100_000));
      assert.deepEqual([huge.statusCode, huge.json<{ error: string }>().error], [413, "payload_too_large"], name);
    }
    assert.equal(await countCharges(), 0);
  });

  it("is told from a real one, which all of them take", async () => {
    for (const [name, send] of ways) {
      const answer = await send(token);
      // The first call uses the session up.
      assert.equal(answer.statusCode, name === "score" || name === "analyze" ? 409 : 200, `${name}: ${answer.body}`);
      assert.ok(!answer.body.includes(token), name);
    }
    assert.equal(await countCharges(), 1);
  });
});
