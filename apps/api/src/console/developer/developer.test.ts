import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import type { LedgerReply } from "@assay/contract/dashboard/ledger.ts";
import type { LogItem } from "@assay/contract/dashboard/logs.ts";
import type { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import type { PlaygroundReply } from "@assay/contract/dashboard/playground.ts";
import type { RevenueReply, StatementsReply } from "@assay/contract/dashboard/revenue.ts";
import type { SessionDetailReply, SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import type { SitesReply } from "@assay/contract/dashboard/sites.ts";
import type { SettingsReply, TiersReply } from "@assay/contract/dashboard/settings.ts";
import type { DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { chainStart, verifyEntries } from "@assay/contract/ledger-chain.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { inOneDay } from "../../../test/in-one-day.ts";
import { makeAccount, type TestAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { type Browser, goodPassword, makeSignInAccount, openBrowser, signIn } from "../../../test/people/browser.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { goodBody, goodSignals, predict, send, waitUntil } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { CallAttestation } from "../../money/ledger/charge-batch.ts";
import { monthOf } from "../../money/statements/make-statement.ts";
import { attestedBits } from "../../scoring/sessions/describe-attestation.ts";
import { suspendAccount } from "../../people/change-account.ts";

const api = (path: string) => `/dashboard/api${path}`;

async function getOk<Reply>(browser: Browser, path: string): Promise<Reply> {
  const answer = await browser.get(api(path));
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json() as Reply;
}

describeBothStores("the developer's dashboard", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let owner: TestAccount;
  let stranger: TestAccount;
  /** Its keys are in a web page. */
  let exposed: TestAccount;
  let browser: Browser;
  let strangers: Browser;

  before(async () => {
    database = await open();
    service = await database.serve();
    [owner, stranger, exposed] = [await makeAccount(database.store), await makeAccount(database.store), await makeAccount(database.store)];
    browser = await signIn(service, { ...owner, store: database.store });
    strangers = await signIn(service, { ...stranger, store: database.store });
  });

  // Early, because key use is written every ten seconds: "warns of a live key" reads it later.
  before(async () => {
    for (const key of [exposed.liveKey, exposed.testKey]) await predict(service, key, { headers: { origin: "https://shop.example" } });
  });

  it("requires a session and forbids caching", async () => {
    const paths = ["/overview", "/live", "/keys", "/usage", "/usage.csv", "/revenue", "/statements", "/statements/2026-01", "/statements/2026-01.pdf", "/ledger", "/sessions", "/drift", "/calibration", "/logs", "/settings", "/payee", "/tiers"];
    for (const path of paths) {
      const refused = await openBrowser(service).get(api(path));
      assert.equal(refused.status, 401, path);
      assert.equal(refused.json()["error"], "sign_in_required");
      const answered = await browser.get(api(path));
      assert.equal(answered.headers["cache-control"], "no-store", path);
      assert.equal(answered.status, 200, `${path}: ${answered.text}`);
    }
    const posted = await openBrowser(service).post(api("/keys"), { name: "mine", mode: "live" });
    assert.equal(posted.status, 401);
  });

  it("refuses changes from another origin (CSRF)", async () => {
    const answer = await browser.post(api("/keys"), { name: "theirs", mode: "live" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.equal(answer.status, 403);
    const { keys } = await getOk<{ keys: KeyItem[] }>(browser, "/keys");
    assert(keys.every((key) => key.name !== "theirs"));
  });

  it("shows a billed call at once on the live counter and the overview", () => inOneDay(async () => {
    const caller = await makeAccount(database.store);
    const theirs = await signIn(service, { ...caller, store: database.store });
    await predict(service, caller.liveKey);
    const earlier = await getOk<LiveReply>(theirs, "/live");
    const answer = await predict(service, caller.liveKey);
    const live = await getOk<LiveReply>(theirs, "/live");
    assert.deepEqual([earlier.calls_month, live.calls_month], [1, 2]);
    assert.equal(Math.round((live.revenue_month_usd - earlier.revenue_month_usd) * 1e6), 34_000);
    assert.equal(live.last_session?.session_id, answer.json()["session_id"]);
    assert.equal(live.last_session?.service_score, answer.json()["service_score"]);
    assert.equal(live.ledger_seq, (await readLedger(database.store, caller.accountId)).length);
    const overview = await getOk<OverviewReply>(theirs, "/overview");
    assert.equal(overview.today.calls, live.calls_month);
    assert.equal(overview.month.revenue_usd, live.revenue_month_usd);
    assert.equal(overview.sessions.sessions, live.calls_month);
    assert.equal(overview.sessions.histogram.reduce((sum, band) => sum + band.count, 0), overview.sessions.sessions);
    assert.deepEqual(overview.checklist, { verified: true, has_key: true, first_call: true, first_outcome: false, payee_profile: false });
    const empty = await getOk<OverviewReply>(strangers, "/overview");
    assert.equal(empty.today.calls, 0);
    assert.equal(empty.sessions.mean_score, null);
    assert.equal(empty.checklist.first_call, false);
  }));

  it("reads the limits without using them up", async () => {
    const first = await getOk<OverviewReply>(browser, "/overview");
    for (let look = 0; look < 3; look += 1) await getOk(browser, "/overview");
    const answer = await predict(service, owner.liveKey);
    const after = await getOk<OverviewReply>(browser, "/overview");
    assert.equal(after.limits.live.hour.limit, 1_000);
    assert.equal(after.limits.live.hour.remaining, first.limits.live.hour.remaining - 1);
    assert.equal(answer.headers["ratelimit"]?.toString().includes(`"hour";r=${after.limits.live.hour.remaining}`), true);
  });

  it("issues keys that work, shows them once, renames and revokes them", async () => {
    const made = await browser.post(api("/keys"), { name: "  server  ", mode: "live" });
    assert.equal(made.status, 201, made.text);
    const { api_key: apiKey, key } = made.json() as { api_key: string; key: KeyItem };
    assert.equal(key.name, "server");
    assert.equal((await predict(service, apiKey)).status, 200);
    const listed = await browser.get(api("/keys"));
    assert(!listed.text.includes(apiKey) && !listed.text.includes(apiKey.slice(11, 43)), "the key is shown once");
    const renamed = await browser.request("PATCH", api(`/keys/${key.key_id}`), { name: "backend" });
    assert.equal((renamed.json() as KeyItem).name, "backend");
    assert.equal((await strangers.request("PATCH", api(`/keys/${key.key_id}`), { name: "stolen" })).status, 404);
    const notes = await database.store.db.selectFrom("audit_log").select("action").where("subject", "=", key.key_id).where("action", "=", "key.rename").execute();
    assert.equal(notes.length, 1, "what did not happen is not noted");
    const revoked = await browser.request("DELETE", api(`/keys/${key.key_id}`));
    assert.equal((revoked.json() as KeyItem).state, "revoked");
    assert.equal((await predict(service, apiKey)).status, 401, "revoked on this node at once");
    for (const body of [{ name: "", mode: "live" }, { name: "x", mode: "both" }, { name: "x", mode: "live", expires_at: "2020-01-01" }, { name: "x".repeat(81), mode: "live" }]) {
      assert.equal((await browser.post(api("/keys"), body)).status, 400);
    }
  });

  it("rotates a key: the new one works, the old one until its grace period ends", async () => {
    const { api_key: oldKey, key: old } = (await browser.post(api("/keys"), { name: "rotated", mode: "live" })).json() as { api_key: string; key: KeyItem };
    const rotated = await browser.post(api(`/keys/${old.key_id}/rotate`), {});
    assert.equal(rotated.status, 201, rotated.text);
    const { api_key: newKey, key, old_key: replaced } = rotated.json() as { api_key: string; key: KeyItem; old_key: KeyItem };
    assert.deepEqual([key.name, key.mode, key.state, replaced.state, replaced.replaced_by], ["rotated", "live", "active", "rotated", key.key_id]);
    const graceMs = Date.parse(replaced.expires_at!) - Date.parse(key.created_at);
    assert.equal(graceMs, 24 * 3_600_000);
    assert.deepEqual([(await predict(service, oldKey)).status, (await predict(service, newKey)).status], [200, 200]);
    assert.equal((await browser.post(api(`/keys/${old.key_id}/rotate`), {})).status, 400, "only once");
    const again = await browser.post(api(`/keys/${key.key_id}/rotate`), { grace_hours: 0 });
    assert.equal((again.json() as { old_key: KeyItem }).old_key.state, "revoked");
    assert.equal((await predict(service, newKey)).status, 401, "no grace period");
    assert.equal((await browser.post(api(`/keys/${old.key_id}/rotate`), { grace_hours: 169 })).status, 400);
  });

  it("rotates a key once for concurrent requests", async () => {
    const { key: old } = (await browser.post(api("/keys"), { name: "raced", mode: "test" })).json() as { key: KeyItem };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(api(`/keys/${old.key_id}/rotate`), {})));
    assert.deepEqual(answers.map(({ status }) => status).toSorted((a, b) => a - b), [201, 400, 400]);
    const { keys } = await getOk<{ keys: KeyItem[] }>(browser, "/keys");
    assert.equal(keys.filter((key) => key.name === "raced").length, 2);
  });

  it("gives no key to an unverified or suspended account", async () => {
    const newcomer = await makeSignInAccount(database.store);
    const unverified = await signIn(service, newcomer);
    await database.store.db.updateTable("accounts").set({ verified_at: null }).where("id", "=", newcomer.accountId).execute();
    const refused = await unverified.post(api("/keys"), { name: "early", mode: "live" });
    assert.deepEqual([refused.status, refused.json()["error"]], [403, "forbidden"]);
    const suspended = await makeSignInAccount(database.store);
    const theirs = await signIn(service, suspended);
    await suspendAccount(database.store, { accountId: suspended.accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    assert.equal((await theirs.post(api("/keys"), { name: "late", mode: "live" })).status, 403);
    assert.equal((await theirs.get(api("/overview"))).status, 200, "reading is still allowed");
  });

  it("answers 404 for another account's keys and sessions, and lists nothing of it", async () => {
    const sessionId = String((await predict(service, owner.liveKey)).json()["session_id"]);
    for (const [method, path, body] of [
      ["PATCH", `/keys/${owner.liveKeyId}`, { name: "stolen" }],
      ["DELETE", `/keys/${owner.liveKeyId}`, undefined],
      ["POST", `/keys/${owner.liveKeyId}/rotate`, {}],
      ["GET", `/sessions/${sessionId}`, undefined],
      ["POST", `/sessions/${sessionId}/outcome`, { outcome: "bot" }],
    ] as const) {
      assert.equal((await strangers.request(method, api(path), body)).status, 404, `${method} ${path}`);
    }
    assert.equal((await predict(service, owner.liveKey)).status, 200);
    assert.deepEqual((await getOk<SessionsReply>(strangers, "/sessions")).sessions, []);
    assert.deepEqual((await getOk<{ entries: unknown[] }>(strangers, "/ledger")).entries, []);
    assert.deepEqual((await getOk<{ logs: unknown[] }>(strangers, "/logs")).logs, []);
  });

  it("warns of a live key that a browser sent, and of no other key [threat: key-in-a-page]", async () => {
    const theirs = await signIn(service, { ...exposed, store: database.store });
    await waitUntil(async () => (await getOk<SettingsReply>(theirs, "/settings")).keys_seen_in_browser.length > 0, "the warning shows", 20_000);
    const { keys_seen_in_browser: seen } = await getOk<SettingsReply>(theirs, "/settings");
    assert.deepEqual(seen.map((key) => key.key_id), [exposed.liveKeyId]);
    assert.equal((await getOk<SettingsReply>(browser, "/settings")).keys_seen_in_browser.length, 0);
  });

  it("makes a real test call from the playground: limited, unbilled, with its own session", async () => {
    const entries = (await readLedger(database.store, owner.accountId)).length;
    const sent = await browser.post(api("/playground/send"), { ...goodBody, endpoint: "analyze" });
    assert.equal(sent.status, 200, sent.text);
    const reply = sent.json() as PlaygroundReply;
    assert.equal(reply.status, 200);
    const analysis = JSON.parse(reply.body) as { session_id: string; revenue_attribution: number; contributions: unknown[]; by_signal: unknown[]; would_raise: unknown[] };
    assert.equal(analysis.revenue_attribution, 0);
    assert(reply.headers.some(({ name }) => name === "ratelimit"));
    assert.equal((await readLedger(database.store, owner.accountId)).length, entries);
    const detail = await getOk<SessionDetailReply>(browser, `/sessions/${analysis.session_id}`);
    assert.deepEqual([detail.mode, detail.receipt], ["test", null]);
    const { contributions, by_signal: bySignal, would_raise: wouldRaise } = detail.explanation!;
    assert.deepEqual([contributions, bySignal, wouldRaise], [analysis.contributions, analysis.by_signal, analysis.would_raise]);
    const limited = (await browser.post(api("/playground/send"), { ...goodBody, scenario: "rate_limited" })).json() as PlaygroundReply;
    assert.equal(limited.status, 429);
    const wrong = await browser.post(api("/playground/send"), { session_data: { ...goodSignals, user_engagement: 2 } });
    assert.equal(wrong.status, 400);
    const left = (await getOk<OverviewReply>(browser, "/overview")).limits.test.hour.remaining;
    assert.equal(left, 999, "a rate-limited call does not count");
    const guessed = await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": `ticket_${"0".repeat(40)}`, "content-type": "application/json" }, body: goodBody });
    assert.equal(guessed.status, 401);
  });

  it("says of each session what was attested, and what is to be known of its token", async () => {
    const [attested, used, plain] = [await predict(service, owner.liveKey), await predict(service, owner.liveKey), await predict(service, owner.liveKey)].map((answer) => answer.json()["session_id"] as string);
    const set = (id: string, fields: { attested: number | null; attestation_issues: string | null }) => database.store.db.updateTable("session_records").set(fields).where("id", "=", id).execute();
    await set(attested!, { attested: attestedBits(["session_duration", "page_views"]), attestation_issues: "late_beats,proxied" });
    await set(used!, { attested: 0, attestation_issues: "token_used" });
    const { sessions } = await getOk<SessionsReply>(browser, "/sessions?limit=3");
    const told = [
      { attestation: "asserted", attested: [], attestation_issues: [] },
      { attestation: "asserted", attested: [], attestation_issues: ["token_used"] },
      { attestation: "server_timed", attested: ["session_duration", "page_views"], attestation_issues: ["late_beats", "proxied"] },
    ];
    const pick = ({ attestation, attested: signals, attestation_issues: issues }: SessionsReply["sessions"][number] | SessionDetailReply) => ({ attestation, attested: signals, attestation_issues: issues });
    assert.deepEqual(sessions.map(({ session_id: id }) => id), [plain, used, attested]);
    assert.deepEqual(sessions.map(pick), told);
    for (const [index, id] of [plain, used, attested].entries()) assert.deepEqual(pick(await getOk<SessionDetailReply>(browser, `/sessions/${id}`)), told[index]);
  });

  it("shows which of the calls of 30 days were attested, today included and older ones not", async () => {
    const dayMs = 86_400_000;
    // Older than its calls: the times of a chain never run backwards.
    const account = await makeAccount(database.store, { nowMs: Date.now() - 60 * dayMs });
    const call = async (atMs: number, attestation?: CallAttestation) => makeCharger(database.store, { nowMs: atMs }).charge(makeCharge({ accountId: account.accountId, atMs, ...(attestation && { attestation }) }));
    const attested = (atMs: number) => call(atMs, { sessionId: timeOrderedId("vis", atMs), signals: attestedBits(["session_duration"]), issues: null });
    const nowMs = Date.now();
    await attested(nowMs - 31 * dayMs);
    await attested(nowMs - 20 * dayMs);
    await call(nowMs - 10 * dayMs);
    await call(nowMs, { sessionId: undefined, signals: 0, issues: "token_expired" });
    await attested(nowMs);
    const own = await signIn(service, { ...account, store: database.store });
    assert.deepEqual((await getOk<OverviewReply>(own, "/overview")).attested, { calls: 4, attested_calls: 2 });
    assert.deepEqual((await getOk<SitesReply>(own, "/sites")).calls, { calls: 4, attested: 2 }, "the same as on the page of sites");
    assert.deepEqual((await getOk<OverviewReply>(strangers, "/overview")).attested, { calls: 0, attested_calls: 0 });
  });

  it("pages, filters and explains sessions, and records their outcome", async () => {
    const forced = String((await predict(service, owner.testKey, { headers: { "assay-test-scenario": "low" } })).json()["session_id"]);
    const all: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await getOk<SessionsReply>(browser, `/sessions?limit=3${cursor}`);
      all.push(...page.sessions.map((session) => session.session_id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(all, all.toSorted().toReversed());
    const low = await getOk<SessionsReply>(browser, "/sessions?level=low");
    assert.deepEqual(low.sessions.map((session) => session.session_id), [forced]);
    assert.equal(low.next_cursor, null);
    const live = await getOk<SessionsReply>(browser, "/sessions?mode=live&limit=100");
    assert(live.sessions.length > 0 && live.sessions.every((session) => session.mode === "live"));
    const unexplained = await getOk<SessionDetailReply>(browser, `/sessions/${forced}`);
    assert.deepEqual([unexplained.explanation, unexplained.unexplained], [null, "forced_by_test"]);
    const newest = live.sessions[0]!;
    assert.equal((await browser.post(api(`/sessions/${newest.session_id}/outcome`), { outcome: "converted" })).status, 200);
    const detail = await getOk<SessionDetailReply>(browser, `/sessions/${newest.session_id}`);
    assert.equal(detail.outcomes[0]?.outcome, "converted");
    assert.match(detail.receipt!, /^\d+\.[0-9a-f]{64}$/);
    const { base_value: base, contributions, unrounded_score: unrounded } = detail.explanation!;
    assert.equal(contributions.reduce((sum, each) => sum + each.points, base).toFixed(6), unrounded.toFixed(6));
    const converted = await getOk<SessionsReply>(browser, "/sessions?outcome=converted");
    assert.deepEqual(converted.sessions.map((session) => session.session_id), [newest.session_id]);
    const later = await getOk<SessionsReply>(browser, "/sessions?from=2100-01-01");
    assert.deepEqual([later.sessions, later.next_cursor], [[], null]);
    for (const query of ["limit=0", "limit=101", "cursor=nonsense", "level=great", "from=yesterday"]) {
      assert.equal((await browser.get(api(`/sessions?${query}`))).status, 400, query);
    }
  });

  it("logs requests with their error and without their body, and counts them by key and status", async () => {
    const developer = await makeAccount(database.store);
    const theirs = await signIn(service, { ...developer, store: database.store });
    const good = await predict(service, developer.liveKey);
    const bad = await predict(service, developer.liveKey, { body: { session_data: { user_engagement: "secret-value" } } });
    await send(service, "/api/usage", { headers: { "x-api-key": developer.testKey } });
    const find = async (id: string) => (await getOk<{ logs: LogItem[] }>(theirs, `/logs?request_id=${id}`)).logs;
    const badId = String(bad.headers["x-request-id"]);
    await waitUntil(async () => (await getOk<{ logs: LogItem[] }>(theirs, "/logs")).logs.length === 3, "the lines are written");
    const [line] = await find(badId);
    assert(line);
    assert.deepEqual([line.status, line.error, line.endpoint, line.key?.key_id, line.method], [400, "invalid_request", "/api/ml/predict", developer.liveKeyId, "POST"]);
    assert.equal(line.message, bad.json()["message"]);
    assert.equal((await find(String(good.headers["x-request-id"])))[0]?.error, null);
    const { logs } = await getOk<{ logs: LogItem[] }>(theirs, "/logs");
    assert(!JSON.stringify(logs).includes("secret-value"));
    assert.equal((await getOk<{ logs: LogItem[] }>(theirs, "/logs?status=4xx")).logs.length, 1);
    assert.equal((await getOk<{ logs: LogItem[] }>(theirs, `/logs?key_id=${developer.testKeyId}`)).logs.length, 1);
    assert.deepEqual(await find(String((await predict(service, owner.liveKey)).headers["x-request-id"])), [], "another account's");
    const by = async (group: string) => {
      const usage = await getOk<DashboardUsageReply>(theirs, `/usage?group=${group}&by=hour&from=${new Date(Date.now() - 3_600_000).toISOString()}`);
      assert.equal(usage.requests, 3, group);
      assert.equal(usage.billed.calls, 1);
      return new Map(usage.groups.map(({ name, requests }) => [name, requests]));
    };
    await waitUntil(async () => (await getOk<DashboardUsageReply>(theirs, "/usage?group=key")).requests === 3, "the counts are written");
    assert.deepEqual(await by("status"), new Map([["200", 2], ["400", 1]]));
    assert.deepEqual(await by("key"), new Map([[developer.liveKeyId, 2], [developer.testKeyId, 1]]));
    assert.deepEqual(await by("endpoint"), new Map([["predict", 2], ["GET /api/usage", 1]]));
    const csv = await theirs.get(api("/usage.csv?group=status"));
    assert.match(String(csv.headers["content-disposition"]), /attachment; filename="assay-usage-by-status-/);
    const [header, ...lines] = csv.text.trimEnd().split("\r\n");
    assert.equal(header, "start,status,label,requests");
    // A line per day and status: of two days if midnight has passed meanwhile.
    const byStatus = Map.groupBy(lines, (each) => each.split(",").slice(1, 3).join());
    const sums = [...byStatus].map(([status, some]) => [status, some.reduce((sum, each) => sum + Number(each.split(",")[3]), 0)]);
    assert.deepEqual(sums, [["200,200", 2], ["400,400", 1]]);
  });

  it("shows statements as JSON, CSV and PDF, and the ledger page by page", async () => {
    const entries = await readLedger(database.store, owner.accountId);
    const { months } = await getOk<StatementsReply>(browser, "/statements");
    // A month may have ended since the first call.
    const since = [...new Set([...entries.map(({ at }) => monthOf(at)), months[0]!.month])];
    assert.deepEqual(months, since.toReversed().map((each, index) => ({ month: each, is_final: index > 0 })));
    const month = monthOf(entries.at(-1)!.at);
    const statement = await getOk<StatementReply>(browser, `/statements/${month}`);
    assert.equal(statement.calls, entries.filter(({ at }) => monthOf(at) === month).length);
    assert.equal(statement.closing_balance_usd, statement.balance_usd);
    assert.equal((await getOk<StatementReply>(browser, `/statements/${since[0]!}`)).opening_balance_usd, 0);
    const keyed = await send(service, `/api/statements/${month}`, { headers: { "x-api-key": owner.liveKey } });
    assert.deepEqual(keyed.json(), statement);
    const csv = await browser.get(api(`/statements/${month}.csv`));
    assert.match(csv.text, /,opening_balance,/);
    assert.equal(csv.text.split("\r\n").filter((line) => line.includes(",call,")).length, statement.lines.length);
    const pdf = await browser.get(api(`/statements/${month}.pdf`));
    assert.deepEqual([pdf.status, pdf.headers["content-type"], pdf.text.slice(0, 5)], [200, "application/pdf", "%PDF-"]);
    for (const other of ["2100-01", "2026-13", "nonsense", "nonsense.pdf"]) assert.equal((await browser.get(api(`/statements/${other}`))).status, 404, other);
    const revenue = await getOk<RevenueReply>(browser, "/revenue");
    assert.deepEqual([revenue.calls.developer_usd, revenue.earned_usd, revenue.balance_usd], [statement.balance_usd, statement.balance_usd, statement.balance_usd]);
    assert.equal(revenue.series.length, 31);
    const first = await getOk<LedgerReply>(browser, "/ledger?limit=4");
    const rest = await getOk<LedgerReply>(browser, `/ledger?after_seq=${first.next_after_seq}`);
    assert.equal(rest.next_after_seq, null);
    assert.deepEqual([...first.entries, ...rest.entries], entries);
    const verdict = await verifyEntries(chainStart, [...first.entries, ...rest.entries]);
    assert.deepEqual([verdict.ok, verdict.place.hash, verdict.place.balance_micro], [true, rest.head.hash, rest.head.balance_micro]);
    const newest = await getOk<LedgerReply>(browser, `/ledger?before_seq=${entries.length + 1}&limit=2`);
    assert.deepEqual(newest.entries, entries.toReversed().slice(0, 2));
    const older = await getOk<LedgerReply>(browser, `/ledger?before_seq=${newest.next_before_seq}&limit=1000`);
    assert.deepEqual([older.entries, older.next_before_seq], [entries.toReversed().slice(2), null]);
    for (const query of ["limit=0", "limit=1001", "after_seq=-1", "after_seq=x"]) assert.equal((await browser.get(api(`/ledger?${query}`))).status, 400, query);
  });

  it("changes settings and tiers: retention can only be shortened, an instant tier applies at once", async () => {
    const changed = await browser.request("PATCH", api("/settings"), { house_ads: false, session_retention_days: 30 });
    assert.equal(changed.status, 200, changed.text);
    const settings = await getOk<SettingsReply>(browser, "/settings");
    assert.deepEqual([settings.house_ads, settings.session_retention_days, settings.session_retention_days_max], [false, 30, 90]);
    assert.equal((await browser.request("PATCH", api("/settings"), { session_retention_days: 91 })).status, 400);
    assert.equal((await browser.request("PATCH", api("/settings"), {})).status, 400);
    assert.equal((await browser.request("PATCH", api("/settings"), { operator: true })).status, 400);
    const tiers = await getOk<TiersReply>(browser, "/tiers");
    assert.deepEqual([tiers.current, tiers.upgrades, tiers.pending], ["Starter", "instant", null]);
    const applied = await browser.post(api("/tier-requests"), { tier: "growth" });
    assert.deepEqual(applied.json(), { outcome: "applied", tier: "Growth" });
    const answer = await predict(service, owner.liveKey);
    assert.equal(answer.json()["revenue_attribution"], 0.0345);
    assert.equal((await browser.post(api("/tier-requests"), { tier: "Growth" })).status, 400);
    assert.equal((await browser.post(api("/tier-requests"), { tier: "Platinum" })).status, 400);
  });

  it("stores a valid payee profile and refuses an invalid one", async () => {
    const profile = { legal_name: "Müller GmbH", address: "Hauptstr. 1\n10115 Berlin", country: "DE", tax_id: null, method: "bank_transfer", account: "de89 3704 0044 0532 0130 00", bank_code: null, password: goodPassword };
    const kept = await browser.request("PUT", api("/payee"), profile);
    assert.equal(kept.status, 200, kept.text);
    assert.equal((kept.json() as { profile: { account: string } }).profile.account, "DE89370400440532013000");
    for (const change of [{ account: "DE89370400440532013001" }, { country: "Germany" }, { legal_name: " " }, { method: "cash" }, { account: "12345678" }, { method: "paypal" }]) {
      assert.equal((await browser.request("PUT", api("/payee"), { ...profile, ...change })).status, 400, JSON.stringify(change));
    }
    assert.equal((await getOk<{ profile: unknown }>(strangers, "/payee")).profile, null);
    assert.equal((await getOk<OverviewReply>(browser, "/overview")).checklist.payee_profile, true);
  });
});

describeBothStores("a tier request under review", (open) => {
  it("stays pending as one request, while a lower tier applies at once", async () => {
    const database = await open();
    const service = await database.serve({ env: { TIER_UPGRADES: "review" } });
    const account = await makeAccount(database.store, { tier: "Growth" });
    const browser = await signIn(service, { ...account, store: database.store });
    assert.deepEqual((await browser.post(api("/tier-requests"), { tier: "Scale" })).json(), { outcome: "pending", tier: "Scale" });
    assert.deepEqual((await browser.post(api("/tier-requests"), { tier: "Scale" })).json(), { outcome: "pending", tier: "Scale" });
    const tiers = await getOk<TiersReply>(browser, "/tiers");
    assert.deepEqual([tiers.current, tiers.upgrades, tiers.pending?.tier], ["Growth", "review", "Scale"]);
    assert.deepEqual((await browser.post(api("/tier-requests"), { tier: "Starter" })).json(), { outcome: "applied", tier: "Starter" });
    assert.equal((await getOk<TiersReply>(browser, "/tiers")).pending, null);
  });
});
