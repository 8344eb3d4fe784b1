import { nextMsRanges, networkQuota } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { after, before, describe, it } from "node:test";
import { createTestClock, makeSite, newAddress, shop, type Visits, visit } from "../../test/attestation/visit-page.ts";
import { makeAccount, type TestAccount, vastTier } from "../../test/make-account.ts";
import { openApp, type OpenedApp } from "../../test/open-app.ts";
import { goodBody } from "../../test/send.ts";
import { resumeAccount, suspendAccount } from "../people/change-account.ts";
import { msPerMinute } from "../formats/time.ts";
import { requestsPerStepMax } from "./networks/flood-guard.ts";
import { changeSite, removeSite } from "./sites/manage-sites.ts";

const other = "https://other.example";
const corsHeaders = (answer: LightMyRequestResponse): string[] => Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
const errorOf = (answer: LightMyRequestResponse): [number, string] => [answer.statusCode, answer.json<{ error: string }>().error];
/** Bodies of these two types mean the same. */
const types = ["text/plain;charset=UTF-8", "text/plain", "application/json", "application/json; charset=utf-8"];

describe("what pages call", () => {
  const clock = createTestClock(Date.UTC(2026, 4, 5, 12));
  let opened: OpenedApp;
  let pages: Visits;
  let account: TestAccount;
  let siteId: string;
  let otherSiteId: string;

  before(async () => {
    opened = await openApp({ LOG_LEVEL: "silent" }, { nowMs: clock.nowMs });
    pages = visit(opened);
    const { store } = opened.deps;
    account = await makeAccount(store, { tier: vastTier, nowMs: clock.nowMs() });
    siteId = await makeSite(store, { accountId: account.accountId, origins: [shop, "http://localhost:3000"], nowMs: clock.nowMs() });
    const stranger = await makeAccount(store, { nowMs: clock.nowMs() });
    otherSiteId = await makeSite(store, { accountId: stranger.accountId, origins: [other], nowMs: clock.nowMs() });
    await opened.deps.attestation.sites.refresh();
  });
  after(() => opened.close());

  it("begins a session of the site and its account, and draws when the next beat is due", async () => {
    const drawn = new Set<number>();
    for (const type of types) {
      const answer = await pages.post("start", { site: siteId }, { type });
      assert.equal(answer.statusCode, 201);
      const { token, next_ms: nextMs } = answer.json<{ token: string; next_ms: number }>();
      assert(nextMs >= nextMsRanges[0][0] && nextMs <= nextMsRanges[0][1]);
      drawn.add(nextMs);
      const { siteId: site, accountId, startedMs, viewMs, beats, issues } = pages.read(token);
      assert.deepEqual([site, accountId, startedMs, viewMs, beats, [...issues]], [siteId, account.accountId, clock.nowMs(), 0, 0, []]);
    }
    assert(drawn.size > 1, "at random");
  });

  it("continues it with beats, whose token is a new one each time", async () => {
    let token = await pages.begin(siteId);
    const { id } = pages.read(token);
    const seen = new Set([token]);
    for (const [nth, type] of types.entries()) {
      clock.advance(5_000);
      const answer = await pages.post("beat", { token, d: { view_ms: 4_000, active_ms: 3_000, clicks: 1, keys: 2, pages: 1, scroll: 0.25 } }, { type });
      assert.equal(answer.statusCode, 200);
      token = answer.json<{ token: string }>().token;
      const [from, to] = nextMsRanges[Math.min(nth + 1, 2)]!;
      const nextMs = answer.json<{ next_ms: number }>().next_ms;
      assert(nextMs >= from && nextMs <= to);
      seen.add(token);
    }
    const state = pages.read(token);
    assert.deepEqual([state.id, state.viewMs, state.activeMs, state.interactions, state.pages, state.scrolled, state.beats, seen.size], [id, 16_000, 12_000, 12, 4, 0.25, 4, 5]);
  });

  it("lets pages of the site's origins read the answer, and names no other", async () => {
    for (const origin of [shop, "http://localhost:3000"]) {
      const started = await pages.post("start", { site: siteId }, { origin });
      clock.advance(3_000);
      const beat = await pages.post("beat", { token: started.json<{ token: string }>().token, d: {} }, { origin });
      for (const answer of [started, beat]) {
        assert.deepEqual([answer.headers["access-control-allow-origin"], answer.headers.vary], [origin, "origin"]);
        assert.deepEqual(corsHeaders(answer), ["access-control-allow-origin", "access-control-expose-headers"], "and no credentials");
      }
    }
  });

  it("refuses pages of other origins, which cannot read even that [threat: foreign-origin]", async () => {
    const token = await pages.begin(siteId);
    const foreign = [other, "null", "", "https://shop.example.evil.example", "https://evil.example", "https://SHOP.example", "http://shop.example", "https://shop.example:444", "https://shop.example/", "https://a.shop.example", `${shop}, ${shop}`, `${shop} ${other}`, "*"];
    for (const origin of foreign) {
      for (const answer of [await pages.post("start", { site: siteId }, { origin }), await pages.post("beat", { token, d: {} }, { origin })]) {
        assert.deepEqual(errorOf(answer), [403, "forbidden"], origin);
        assert.deepEqual(corsHeaders(answer), [], origin);
        assert.equal(answer.headers.vary, "origin");
      }
    }
    assert.equal((await pages.post("start", { site: otherSiteId }, { origin: other })).statusCode, 201, "which has a site of its own");
  });

  it("notes what comes without an Origin, and refuses it nothing", async () => {
    const began = await pages.begin(siteId, { origin: undefined });
    assert.deepEqual([...pages.read(began).issues], ["origin_mismatch"]);
    const token = await pages.begin(siteId);
    clock.advance(3_000);
    const answer = await pages.post("beat", { token, d: {} }, { origin: undefined });
    assert.deepEqual([answer.statusCode, corsHeaders(answer)], [200, []]);
    assert.deepEqual([...pages.read(answer.json<{ token: string }>().token).issues], ["origin_mismatch"], "from then on");
  });

  it("answers browsers that ask before they send JSON, for known origins only", async () => {
    const ask = (origin: string, path: string) => opened.app.inject({ method: "OPTIONS", url: `/c/v1/${path}`, headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" } });
    for (const path of ["start", "beat"]) {
      const allowed = await ask(shop, path);
      assert.equal(allowed.statusCode, 204);
      assert.deepEqual(
        Object.fromEntries(Object.entries(allowed.headers).filter(([name]) => name.startsWith("access-control-") || name === "vary")),
        { vary: "origin", "access-control-allow-origin": shop, "access-control-expose-headers": "retry-after", "access-control-allow-methods": "POST", "access-control-allow-headers": "content-type", "access-control-max-age": "86400" },
      );
      for (const origin of ["https://evil.example", "null"]) assert.equal((await ask(origin, path)).headers["access-control-allow-origin"], undefined);
    }
  });

  it("reads no cookie and sets none", async () => {
    const headers = { cookie: "assay_session=1; visitor=2", authorization: "Bearer x", "x-api-key": account.liveKey };
    const started = await pages.post("start", { site: siteId }, { headers });
    const token = started.json<{ token: string }>().token;
    clock.advance(3_000);
    const answers = [started, await pages.post("beat", { token, d: {} }, { headers }), await pages.post("start", {}, { headers }), await pages.post("beat", { token: "x", d: {} }, { headers })];
    assert.deepEqual(answers.map(({ statusCode }) => statusCode), [201, 200, 400, 400]);
    for (const answer of answers) assert.equal(answer.headers["set-cookie"], undefined);
  });

  it("says what is wrong with a request, to the site's pages too", async () => {
    const token = await pages.begin(siteId);
    const [flipped, unknown] = [`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, `site_${"0".repeat(20)}`];
    const wrong: [path: "start" | "beat", body: unknown, status: number, error: string, type?: string][] = [
      ["start", { site: unknown }, 404, "not_found"],
      ["start", { site: "site_short" }, 400, "invalid_request"],
      ["start", { site: `${siteId}\n` }, 400, "invalid_request"],
      ["start", { site: 7 }, 400, "invalid_request"],
      ["start", {}, 400, "invalid_request"],
      ["start", "", 400, "invalid_request"],
      ["start", "null", 400, "invalid_request"],
      ["start", "[]", 400, "invalid_request"],
      ["start", '{"site":', 400, "invalid_request"],
      ["start", `site=${siteId}`, 400, "invalid_request"],
      ["start", `{"site":"${siteId}"}`, 415, "unsupported_media_type", "application/x-www-form-urlencoded"],
      ["start", `{"site":"${siteId}"}`, 415, "unsupported_media_type", "text/html"],
      ["start", `{"site":"${siteId}"}`, 415, "unsupported_media_type", "multipart/form-data; boundary=x"],
      ["start", { site: siteId, more: "x".repeat(2_048) }, 413, "payload_too_large"],
      ["start", { site: siteId, more: "x".repeat(2_048) }, 413, "payload_too_large", "application/json"],
      ["beat", { token, d: { note: "x".repeat(2_048) } }, 413, "payload_too_large"],
      ["beat", { token }, 400, "invalid_request"],
      ["beat", { d: {} }, 400, "invalid_request"],
      ["beat", { token: flipped, d: {} }, 400, "invalid_request"],
      ["beat", { token: "at1.20000.AAAA", d: {} }, 400, "session_token_expired"],
      ["beat", { token: "", d: {} }, 400, "invalid_request"],
      ["beat", { token: "x".repeat(513), d: {} }, 400, "invalid_request"],
      ["beat", { token, d: [] }, 400, "invalid_request"],
      ["beat", { token, d: { view_ms: -1 } }, 400, "invalid_request"],
      ["beat", { token, d: { view_ms: "5" } }, 400, "invalid_request"],
      ["beat", `{"token":"${token}","d":{"view_ms":1e400}}`, 400, "invalid_request"],
      ["beat", { token, d: { scroll: 1.1 } }, 400, "invalid_request"],
    ];
    for (const [path, body, status, error, type] of wrong) {
      const answer = await pages.post(path, body, type === undefined ? {} : { type });
      assert.deepEqual(errorOf(answer), [status, error], JSON.stringify(body));
      assert.deepEqual([answer.headers["access-control-allow-origin"], answer.headers.vary], [shop, "origin"]);
      assert(!answer.body.includes(token) && !answer.body.includes("x".repeat(100)), "what was sent is not repeated");
    }
  });

  it("takes one method", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"] as const) {
      const answer = await opened.app.inject({ method, url: "/c/v1/start", headers: { origin: shop } });
      assert.equal(answer.statusCode, 405, method);
      assert.match(String(answer.headers.allow), /POST/);
    }
  });

  it("ignores fields that it does not know, and those that would change what an object is", async () => {
    const answer = await pages.post("start", `{"site":"${siteId}","__proto__":{"site":"x"},"constructor":{"prototype":{"polluted":1}},"ip":"1.2.3.4"}`);
    assert.equal(answer.statusCode, 201);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("ends a session 30 minutes after its last beat, and 24 hours after its start", async () => {
    const token = await pages.begin(siteId);
    clock.advance(30 * msPerMinute);
    let living = await pages.beat(token, {});
    clock.advance(1);
    assert.deepEqual(errorOf(await pages.post("beat", { token, d: {} })), [400, "session_token_expired"]);
    for (let nth = 0; nth < 47; nth += 1) {
      clock.advance(30 * msPerMinute - 1);
      living = await pages.beat(living, { view_ms: 1e12 });
    }
    assert(pages.read(living).viewMs <= 48 * 31_000, "a page that beats every half hour was seen for half a minute each");
    clock.advance(30 * msPerMinute - 1);
    assert.deepEqual(errorOf(await pages.post("beat", { token: living, d: {} })), [400, "session_token_expired"]);
  });

  it("flags the sessions of a network beyond its window, and begins them all the same [threat: crowded-network]", async () => {
    const address = newAddress();
    const states = [];
    for (let nth = 0; nth < networkQuota.perMinute + 3; nth += 1) states.push(pages.read(await pages.begin(siteId, { address })));
    assert.deepEqual(states.map(({ issues }) => issues.has("crowded_network")), states.map((_, nth) => nth >= networkQuota.perMinute));
    assert.equal(new Set(states.map(({ network }) => network)).size, 1);
    assert.equal(pages.read(await pages.begin(siteId)).issues.size, 0, "another network is not concerned");
    const neighbour = address.replace(/\d+$/, "200");
    assert.deepEqual([...pages.read(await pages.begin(otherSiteId, { address: neighbour, origin: other })).issues], ["crowded_network"], "the network is, on whichever site");
  });

  it("counts no session that it refuses: nobody crowds a network or a site out with wrong requests [threat: site-griefing]", async () => {
    const address = newAddress();
    for (let nth = 0; nth < networkQuota.perMinute * 2; nth += 1) {
      await pages.post("start", { site: siteId }, { address, origin: "https://evil.example" });
      await pages.post("start", { site: `site_${"0".repeat(20)}` }, { address });
    }
    assert.equal(pages.read(await pages.begin(siteId, { address })).issues.size, 0);
  });

  it("refuses only a network that floods the node, and says when to come back [threat: beat-flood]", async () => {
    const address = newAddress();
    let refused: LightMyRequestResponse | undefined;
    // The guard counts in steps of two seconds: a slow machine may need a second try.
    for (let nth = 0; nth < requestsPerStepMax * 50 && !refused; nth += 1) {
      const answer = await pages.post(nth % 2 === 0 ? "start" : "beat", "{", { address });
      if (answer.statusCode === 429) refused = answer;
    }
    assert.ok(refused);
    assert.deepEqual(errorOf(refused), [429, "rate_limit_exceeded"]);
    assert.deepEqual([refused.headers["retry-after"], refused.headers["access-control-allow-origin"]], ["2", shop]);
    assert.equal(refused.headers["access-control-expose-headers"], "retry-after", "the page can read it");
    assert.equal((await pages.post("start", { site: siteId })).statusCode, 201, "others are not concerned");
  });

  it("forgets a removed site, whose sessions end, and follows changed origins", async () => {
    const { store, attestation } = opened.deps;
    const named = { accountId: account.accountId, actorAccountId: null, nowMs: clock.nowMs() };
    const moved = await makeSite(store, { ...named, origins: ["https://old.example"] });
    await attestation.sites.refresh();
    const token = await pages.begin(moved, { origin: "https://old.example" });
    clock.advance(3_000);
    await changeSite(store, { ...named, siteId: moved, origins: ["https://new.example"], nowMs: clock.nowMs() });
    await attestation.sites.refresh();
    assert.deepEqual(errorOf(await pages.post("beat", { token, d: {} }, { origin: "https://old.example" })), [403, "forbidden"]);
    assert.deepEqual(corsHeaders(await pages.post("beat", {}, { origin: "https://old.example" })), [], "an origin of no site");
    const later = await pages.beat(token, {}, { origin: "https://new.example" });
    await removeSite(store, { ...named, siteId: moved, nowMs: clock.nowMs() });
    await attestation.sites.refresh();
    assert.deepEqual(errorOf(await pages.post("start", { site: moved }, { origin: "https://new.example" })), [404, "not_found"]);
    assert.deepEqual(errorOf(await pages.post("beat", { token: later, d: {} }, { origin: "https://new.example" })), [400, "session_token_expired"]);
  });

  it("measures for a suspended account too, whose calls get 401: its pages do not break", async () => {
    const { store } = opened.deps;
    const change = { accountId: account.accountId, nowMs: clock.nowMs(), channel: undefined };
    await suspendAccount(store, { ...change, reason: "a test", actorAccountId: null });
    const token = await pages.begin(siteId);
    clock.advance(5_000);
    assert.ok(await pages.beat(token, { view_ms: 5_000 }));
    const call = () => opened.app.inject({ method: "POST", url: "/api/ml/predict", headers: { "x-api-key": account.liveKey }, payload: goodBody });
    assert.equal((await call()).statusCode, 401);
    await resumeAccount(store, { ...change, reason: "a test", actorAccountId: null });
  });
});
