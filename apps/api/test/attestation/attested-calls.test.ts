/** What each kind of session token gives on a scoring call, with complete, partial and no signals of the caller's own. */
import { networkQuota } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { after, before, describe, it } from "node:test";
import { msPerDay, msPerHour, msPerMinute, startOfDay } from "../../src/formats/time.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { readLedger } from "../read-ledger.ts";
import { goodSignals } from "../send.ts";
import { createTestClock, makeSite, newAddress, type Posting, type Visits, visit } from "./visit-page.ts";

const endpoints = ["predict", "score", "analyze"] as const;
type Endpoint = (typeof endpoints)[number];

const measured = ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"];
/** What `measure` measures. */
const measuredSignals = { user_engagement: 0.8, session_duration: 5, scroll_depth: 0.5, interaction_count: 3, page_views: 2 };
const delta = { view_ms: 5_000, active_ms: 4_000, clicks: 1, keys: 2, pages: 2, scroll: 0.5 };
const partial = { return_visitor: true, scroll_depth: 0.9 };

type Verdict = { service_score: number; attestation: string; attested: string[]; attestation_issues: string[]; session_id: string };
type Told = [status: number, attestation: string, attested: string[], issues: string[]];

describe("a scoring call with a session token", () => {
  // Shortly before midnight: tokens of the test are of two days.
  const clock = createTestClock(Date.UTC(2026, 4, 5, 23, 30));
  let opened: OpenedApp;
  let pages: Visits;
  let account: TestAccount;
  let siteId: string;

  before(async () => {
    opened = await openApp({ TRUST_PROXY: "10.0.0.0/8" }, { nowMs: clock.nowMs });
    pages = visit(opened);
    account = await makeAccount(opened.deps.store, { tier: vastTier, nowMs: clock.nowMs() });
    siteId = await makeSite(opened.deps.store, { accountId: account.accountId, nowMs: clock.nowMs() });
    await opened.deps.attestation.sites.refresh();
  });
  after(() => opened.close());

  const call = (body: unknown, { endpoint = "predict", key = account.liveKey, headers = {} }: { endpoint?: Endpoint; key?: string; headers?: Record<string, string> } = {}): Promise<LightMyRequestResponse> =>
    opened.app.inject({ method: "POST", url: `/api/ml/${endpoint}`, headers: { "x-api-key": key, ...headers }, payload: body as object });

  /** An analysis holds the verdict in a field of its own. */
  const verdictOf = (answer: LightMyRequestResponse): Verdict => answer.json<Verdict>();
  const told = (answer: LightMyRequestResponse): Told | [number, string] => {
    if (answer.statusCode !== 200) return [answer.statusCode, answer.json<{ error: string }>().error];
    const { attestation, attested, attestation_issues: issues } = verdictOf(answer);
    return [200, attestation, attested, issues];
  };
  const signalsOf = async (sessionId: string) => {
    const answer = await opened.app.inject({ url: `/api/sessions/${sessionId}`, headers: { "x-api-key": account.liveKey } });
    return answer.json<Verdict & { signals: Record<string, unknown> }>();
  };
  const countEntries = async () => (await readLedger(opened.deps.store, account.accountId)).length;

  /** A session with one beat, five seconds after its start. */
  async function measure(d: Parameters<Visits["beat"]>[1] = delta, posting: Posting = {}, afterMs = 5_000): Promise<string> {
    const token = await pages.begin(siteId, { address: newAddress(), ...posting });
    clock.advance(afterMs);
    return pages.beat(token, d, posting);
  }

  /** A session that its network has made crowded. */
  async function crowd(): Promise<string> {
    const address = newAddress();
    for (let nth = 0; nth < networkQuota.perMinute; nth += 1) await pages.begin(siteId, { address });
    return pages.begin(siteId, { address });
  }

  async function expire(token: string): Promise<string> {
    clock.advance(30 * msPerMinute + 1);
    return token;
  }

  async function use(token: string): Promise<string> {
    assert.equal(told(await call({ session_data: {}, session_token: token }))[1], "server_timed");
    return token;
  }

  const attested = (issues: string[] = [], signals = measured): Told => [200, "server_timed", signals, issues];
  const asserted = (...issues: string[]): Told => [200, "asserted", [], issues];
  const missing = [400, "invalid_request"] as const;
  const expired = [400, "session_token_expired"] as const;

  /** By kind of token: how it is made, and what it gives with complete, partial and no signals. */
  const kinds: Record<string, { make: () => Promise<string>; gives: [complete: readonly unknown[], partial: readonly unknown[], none: readonly unknown[]] }> = {
    "that is attested": { make: () => measure(), gives: [attested(), attested(), attested()] },
    "without scrolling": {
      make: () => measure({ ...delta, scroll: null }),
      gives: [attested([], measured.filter((name) => name !== "scroll_depth")), attested([], measured.filter((name) => name !== "scroll_depth")), attested([], measured.filter((name) => name !== "scroll_depth"))],
    },
    "in which nothing was seen": { make: () => measure({}), gives: [attested([], measured.filter((name) => name !== "scroll_depth")), attested([], measured.filter((name) => name !== "scroll_depth")), attested([], measured.filter((name) => name !== "scroll_depth"))] },
    "with late beats": { make: () => measure({ ...delta, view_ms: 500_000 }, {}, 500_000), gives: [attested(["late_beats"]), attested(["late_beats"]), attested(["late_beats"])] },
    "through an unknown proxy": { make: () => measure(delta, { headers: { "x-forwarded-for": "198.51.100.1" } }), gives: [attested(["proxied"]), attested(["proxied"]), attested(["proxied"])] },
    "from no page": { make: () => measure(delta, { origin: undefined }), gives: [attested(["origin_mismatch"]), attested(["origin_mismatch"]), attested(["origin_mismatch"])] },
    "of a crowded network": {
      async make() {
        const token = await crowd();
        clock.advance(5_000);
        return pages.beat(token, delta);
      },
      gives: [asserted("crowded_network"), asserted("crowded_network"), asserted("crowded_network")],
    },
    "of a crowded network, without a beat": { make: crowd, gives: [asserted("crowded_network", "too_short"), missing, missing] },
    "that is too short": { make: () => measure(delta, {}, 2_999), gives: [asserted("too_short"), asserted("too_short"), asserted("too_short")] },
    "without a beat": { make: () => pages.begin(siteId), gives: [asserted("too_short"), missing, missing] },
    "that has expired": { make: async () => expire(await measure()), gives: [asserted("token_expired"), expired, expired] },
    "that has expired, of another day": {
      async make() {
        const token = await measure();
        clock.advance(3 * msPerDay);
        return token;
      },
      gives: [asserted("token_expired"), expired, expired],
    },
    "that was used": { make: async () => use(await measure()), gives: [asserted("token_used"), [409, "session_token_used"], [409, "session_token_used"]] },
    "that was used, from no page": { make: async () => use(await measure(delta, { origin: undefined })), gives: [asserted("origin_mismatch", "token_used"), [409, "session_token_used"], [409, "session_token_used"]] },
    "that was used and has expired": { make: async () => expire(await use(await measure())), gives: [asserted("token_expired"), expired, expired] },
  };

  for (const [kind, { make, gives }] of Object.entries(kinds)) {
    it(`${kind}: is billed if and only if it is answered, and says what was attested`, async () => {
      for (const endpoint of endpoints) {
        for (const [nth, sent] of [goodSignals, partial, {}].entries()) {
          const token = await make();
          const had = await countEntries();
          const answer = await call({ session_data: sent, session_token: token }, { endpoint });
          assert.deepEqual(told(answer), gives[nth], `${endpoint} with ${JSON.stringify(sent)}: ${answer.body}`);
          assert.equal((await countEntries()) - had, answer.statusCode === 200 ? 1 : 0);
          if (answer.statusCode !== 200) {
            assert(!answer.body.includes(token));
            continue;
          }
          const verdict = verdictOf(answer);
          const record = await signalsOf(verdict.session_id);
          assert.deepEqual([record.attestation, record.attested, record.attestation_issues], [verdict.attestation, verdict.attested, verdict.attestation_issues], "the record keeps it");
          // The same signals as the caller's own word have the same score.
          const plain = await call({ session_data: record.signals }, { endpoint });
          assert.equal(verdictOf(plain).service_score, verdict.service_score);
          assert.deepEqual(told(plain), asserted());
        }
      }
    });
  }

  it("scores what was measured, whatever the caller says, and only what is missing from it is the caller's", async () => {
    const scored = async (token: string, sent: object) => (await signalsOf(verdictOf(await call({ session_data: sent, session_token: token })).session_id)).signals;
    const lies = { user_engagement: 1, session_duration: 9_999, scroll_depth: 1, interaction_count: 999, page_views: 99, return_visitor: true };
    assert.deepEqual(await scored(await measure(), lies), { ...measuredSignals, return_visitor: true });
    assert.deepEqual(await scored(await measure(), {}), measuredSignals);
    assert.deepEqual(await scored(await measure({ ...delta, scroll: null }), { scroll_depth: 0.7 }), { ...measuredSignals, scroll_depth: 0.7 });
  });

  it("scores the caller's signals where the session is not attested; a crowded or short one fills in what they lack", async () => {
    const scored = async (token: string, sent: object) => (await signalsOf(verdictOf(await call({ session_data: sent, session_token: token })).session_id)).signals;
    assert.deepEqual(await scored(await measure(delta, {}, 2_000), partial), { ...measuredSignals, session_duration: 3, user_engagement: 1, ...partial });
    assert.deepEqual(await scored(await measure(delta, {}, 2_000), goodSignals), goodSignals);
    assert.deepEqual(await scored(await use(await measure()), goodSignals), goodSignals);
    assert.deepEqual(await scored(await expire(await measure()), { user_engagement: 0.5, session_duration: 60 }), { user_engagement: 0.5, session_duration: 60 }, "an expired one fills in nothing");
  });

  it("takes exactly three seconds to be attested", async () => {
    assert.deepEqual(told(await call({ session_data: {}, session_token: await measure(delta, {}, 3_000) })), attested());
    assert.deepEqual(told(await call({ session_data: {}, session_token: await measure(delta, {}, 2_999) })), asserted("too_short"));
  });

  it("is refused with another account's token, whatever else is sent, and uses nothing of it [threat: stolen-token]", async () => {
    const thief = await makeAccount(opened.deps.store, { tier: vastTier, nowMs: clock.nowMs() });
    const token = await measure();
    for (const key of [thief.liveKey, thief.testKey]) {
      for (const sent of [goodSignals, partial, {}]) {
        const answer = await call({ session_data: sent, session_token: token }, { key, headers: { "idempotency-key": "theft" } });
        assert.deepEqual(told(answer), [400, "invalid_request"]);
        assert(!answer.body.includes(account.accountId));
      }
    }
    assert.equal((await readLedger(opened.deps.store, thief.accountId)).length, 0);
    assert.deepEqual(told(await call({ session_data: {}, session_token: token })), attested(), "its owner can still use it");
    const old = await expire(await measure());
    assert.deepEqual(told(await call({ session_data: goodSignals, session_token: old }, { key: thief.liveKey })), [400, "invalid_request"], "nor an expired one");
  });

  it("is refused with a token that was changed, even if the signals are complete [threat: forged-token]", async () => {
    const token = await measure();
    const had = await countEntries();
    const changed = Array.from({ length: 40 }, (_, nth) => 10 + nth * 4).map((place) => `${token.slice(0, place)}${token[place] === "A" ? "B" : "A"}${token.slice(place + 1)}`);
    for (const wrong of ["x", "at1", "at1..", `${token}A`, token.slice(0, -2), "x".repeat(512), ...changed]) assert.deepEqual(told(await call({ session_data: goodSignals, session_token: wrong })), [400, "invalid_request"], wrong);
    for (const wrong of [null, 7, {}, [], "", "x".repeat(513)]) assert.deepEqual(told(await call({ session_data: goodSignals, session_token: wrong })), [400, "invalid_request"]);
    assert.equal(await countEntries(), had);
  });

  it("still needs session_data, and the two signals without a token", async () => {
    for (const body of [{ session_token: await measure() }, { session_data: {} }, { session_data: partial }, { session_data: null, session_token: "x" }]) assert.deepEqual(told(await call(body)), [400, "invalid_request"]);
  });

  it("uses up the session, not the token: every copy and every fork is the same session [threat: forked-token]", async () => {
    const first = await pages.begin(siteId);
    clock.advance(5_000);
    const [left, right] = [await pages.beat(first, delta), await pages.beat(first, { view_ms: 1 })];
    clock.advance(10_000);
    const later = await pages.beat(left, delta);
    assert.deepEqual(told(await call({ session_data: goodSignals, session_token: left })), attested());
    for (const copy of [left, right, later, await pages.beat(right, delta)]) {
      for (const endpoint of endpoints) {
        assert.deepEqual(told(await call({ session_data: goodSignals, session_token: copy }, { endpoint })), asserted("token_used"));
        assert.deepEqual(told(await call({ session_data: {}, session_token: copy }, { endpoint })), [409, "session_token_used"]);
      }
    }
  });

  it("with a test key checks the token and uses up nothing", async () => {
    const key = account.testKey;
    const token = await measure();
    for (let nth = 0; nth < 3; nth += 1) assert.deepEqual(told(await call({ session_data: {}, session_token: token }, { key })), attested());
    assert.deepEqual(told(await call({ session_data: {}, session_token: token })), attested(), "it is still unused");
    assert.deepEqual(told(await call({ session_data: {}, session_token: token }, { key })), attested(), "and a test key does not ask");
    assert.deepEqual(told(await call({ session_data: {}, session_token: `${token}A` }, { key })), [400, "invalid_request"]);
    assert.deepEqual(told(await call({ session_data: {}, session_token: await expire(await measure()) }, { key })), [400, "session_token_expired"]);
    const scenario = { key, headers: { "assay-test-scenario": "session_token_used" } };
    assert.deepEqual(told(await call({ session_data: goodSignals }, scenario)), [409, "session_token_used"]);
  });

  describe("and an Idempotency-Key", () => {
    let keys = 0;
    const keyed = () => ({ headers: { "idempotency-key": `retry-${(keys += 1)}` } });
    const replayed = (answer: LightMyRequestResponse) => answer.headers["idempotent-replayed"] === "true";

    it("gets its answer again after the token was used, expired, and of an earlier day", async () => {
      for (const sent of [{}, goodSignals]) {
        const token = await measure();
        const once = keyed();
        const first = await call({ session_data: sent, session_token: token }, once);
        assert.deepEqual([told(first), replayed(first)], [attested(), false]);
        const had = await countEntries();
        // The longest that an answer is stored.
        for (const laterMs of [0, 31 * msPerMinute, 10 * msPerHour, 13 * msPerHour]) {
          clock.advance(laterMs);
          const again = await call({ session_data: sent, session_token: token }, once);
          assert.deepEqual([again.body, again.headers["assay-receipt"], replayed(again)], [first.body, first.headers["assay-receipt"], true]);
        }
        assert.equal(await countEntries(), had);
      }
    });

    it("gets it again with any copy of the session's token, and a conflict with another session's [threat: replayed-token]", async () => {
      const begun = await pages.begin(siteId);
      clock.advance(5_000);
      const token = await pages.beat(begun, delta);
      const once = keyed();
      const first = await call({ session_data: partial, session_token: token }, once);
      assert.deepEqual(told(first), attested());
      clock.advance(5_000);
      for (const copy of [token, await pages.beat(token, delta), await pages.beat(begun, {})]) {
        const again = await call({ session_data: partial, session_token: copy }, once);
        assert.deepEqual([again.body, replayed(again)], [first.body, true]);
      }
      const conflict = [409, "idempotency_conflict"];
      assert.deepEqual(told(await call({ session_data: partial, session_token: await measure() }, once)), conflict);
      assert.deepEqual(told(await call({ session_data: {}, session_token: token }, once)), conflict, "other signals");
      assert.deepEqual(told(await call({ session_data: goodSignals }, once)), conflict, "no token");
      assert.deepEqual(told(await call({ session_data: partial, session_token: token }, { ...once, endpoint: "score" })), conflict, "another endpoint");
      const plain = keyed();
      await call({ session_data: goodSignals }, plain);
      assert.deepEqual(told(await call({ session_data: goodSignals, session_token: token }, plain)), conflict, "a token that was not there before");
    });

    it("stores nothing for a call that was refused: with the same key it can be answered later", async () => {
      const once = keyed();
      const used = await use(await measure());
      assert.deepEqual(told(await call({ session_data: {}, session_token: used }, once)), [409, "session_token_used"]);
      const old = await expire(await measure());
      assert.deepEqual(told(await call({ session_data: {}, session_token: old }, once)), [400, "session_token_expired"]);
      const fresh = await call({ session_data: {}, session_token: await measure() }, once);
      assert.deepEqual([told(fresh), replayed(fresh)], [attested(), false]);
    });

    it("gets the asserted answer again, where the session was used", async () => {
      const once = keyed();
      const used = await use(await measure());
      const first = await call({ session_data: goodSignals, session_token: used }, once);
      assert.deepEqual(told(first), asserted("token_used"));
      const again = await call({ session_data: goodSignals, session_token: used }, once);
      assert.deepEqual([again.body, replayed(again)], [first.body, true]);
    });
  });

  it("is counted for its site, by day, without what a test key or a retry does; of networks only numbers are kept [threat: address-disclosure]", async () => {
    const { store, attestation } = opened.deps;
    const counted = await makeSite(store, { accountId: account.accountId, nowMs: clock.nowMs() });
    await attestation.sites.refresh();
    await attestation.recorder.stop();
    const session = async () => {
      const token = await pages.begin(counted);
      clock.advance(5_000);
      return pages.beat(token, delta);
    };
    const [first, second, short] = [await session(), await session(), await pages.begin(counted)];
    const headers = { "idempotency-key": "counted once" };
    for (let nth = 0; nth < 3; nth += 1) await call({ session_data: {}, session_token: first }, { headers });
    await call({ session_data: {}, session_token: second });
    await call({ session_data: goodSignals, session_token: second });
    await call({ session_data: {}, session_token: second });
    await call({ session_data: goodSignals, session_token: short });
    await call({ session_data: {}, session_token: first }, { key: account.testKey });
    await attestation.recorder.stop();
    const rows = await store.db.selectFrom("site_days").select(["day", "sessions", "calls", "attested_calls"]).where("site_id", "=", counted).execute();
    assert.deepEqual(rows.map((row) => ({ ...row })), [{ day: startOfDay(clock.nowMs()), sessions: 3, calls: 4, attested_calls: 2 }]);
    const networks = await store.db.selectFrom("network_days").select(["day", "calls", "networks", "top_calls"]).where("account_id", "=", account.accountId).where("day", "=", startOfDay(clock.nowMs())).execute();
    assert.equal(networks.length, 1);
    assert(networks[0]!.networks >= 2 && networks[0]!.networks <= networks[0]!.calls && networks[0]!.top_calls >= 1);
  });
});
