import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type OpenDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { bankAccountOf, settleDayOf } from "../../../test/money/make-earner.ts";
import { type Browser, makeSignInAccount, openBrowser, signIn } from "../../../test/people/browser.ts";
import { type Answer, predict } from "../../../test/send.ts";
import { verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { markDemo } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { readMoney } from "./read-money.ts";

type Action = { id: string; action: string; actor: string; subject: string };

const root = "/dashboard/api/operator";
const lastYearMs = Date.now() - 90 * 24 * 3_600_000;

const countFunding = async (store: Store) => (await store.db.selectFrom("ledger_entries").select("seq").where("kind", "=", "funding").execute()).length;

async function openConsole(open: OpenDatabase) {
  const database = await open();
  const { store } = database;
  const service = await database.serve({ env: { PAYOUT_MINIMUM_USD: "0.5" } });
  const operator = await makeSignInAccount(store, { operator: true });
  const browser = await signIn(service, operator);
  const get = async <Reply>(path: string) => {
    const answer = await browser.get(`${root}${path}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as Reply;
  };
  const post = async (path: string, body: unknown = {}) => browser.post(`${root}${path}`, body);
  const listActions = async () => (await get<{ actions: Action[] }>("/audit")).actions;
  /** Returns a function that lists the actions since, the newest first, without those that make the accounts of this test. */
  const watchActions = async () => {
    const [last] = await listActions();
    const isNew = ({ id, action }: Action) => (last === undefined || id > last.id) && action !== "account.create" && action !== "key.create";
    return async () => (await listActions()).filter(isNew);
  };
  return { store, service, operator, browser, get, post, watchActions };
}

const proposedIn = (answer: Answer) => (answer.json() as { proposed: { id: string; amount_usd: number }[] }).proposed;

/** An account that earned 0.68 USD three months ago and can be paid. */
async function makeEarner(store: Store) {
  const account = await makeAccount(store, { nowMs: lastYearMs });
  const charger = makeCharger(store, { nowMs: lastYearMs });
  const { accountId } = account;
  await Promise.all(Array.from({ length: 20 }, () => charger.charge(makeCharge({ accountId, atMs: lastYearMs }))));
  await settleDayOf(store, accountId, lastYearMs);
  const payee = { legal_name: "Ada Lovelace", address: "London", country: "GB", tax_id: null, method: "bank_transfer" as const, account: bankAccountOf(accountId), bank_code: null };
  await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...payee, updated_at: lastYearMs }).execute();
  return account;
}

describeBothStores("the operator's console", (open) => {
  let opened: Awaited<ReturnType<typeof openConsole>>;

  before(async () => {
    opened = await openConsole(open);
  });

  it("answers 404 to a developer and 401 without a session", async () => {
    const { service, store } = opened;
    const developer = await signIn(service, await makeSignInAccount(store));
    for (const path of ["/money", "/payouts", "/accounts", "/findings", "/system", "/audit"]) {
      assert.equal((await developer.get(root + path)).status, 404, path);
      assert.equal((await openBrowser(service).get(root + path)).status, 401, path);
    }
    const earlier = await countFunding(store);
    assert.equal((await developer.post(`${root}/funding`, { usd: 5 })).status, 404);
    assert.equal(await countFunding(store), earlier);
  });

  it("shows the months since the first real account, and one on a fresh installation", async () => {
    const { store } = await open();
    const nowMs = Date.parse("2026-03-20T12:00:00Z");
    const countMonths = async () => (await readMoney(store, { ...growthLimits, nowMs, minimumMicroUsd: 0, fourEyes: true })).months.map(({ month }) => month);
    assert.deepEqual(await countMonths(), ["2026-03"]);
    const { accountId } = await makeAccount(store, { nowMs: Date.parse("2025-12-31T23:00:00Z") });
    await markDemo(store.db, accountId).execute();
    assert.deepEqual(await countMonths(), ["2026-03"]);
    await makeAccount(store, { nowMs: Date.parse("2026-01-31T23:00:00Z") });
    assert.deepEqual(await countMonths(), ["2026-03", "2026-02", "2026-01"]);
  });

  it("moves money from funding to a paid payout, with every step and actor in the audit log", async () => {
    const { store, operator, get, post, watchActions } = opened;
    const actions = await watchActions();
    const { accountId } = await makeEarner(store);
    assert.equal(proposedIn(await post("/payouts/propose")).length, 0, "nothing is proposed without funds");
    assert.equal((await post("/funding", { usd: 0.000_000_1 })).status, 400);
    assert.equal((await post("/funding", { usd: 2 })).status, 201);
    const [payout] = proposedIn(await post("/payouts/propose"));
    assert.ok(payout);
    assert.equal(payout.amount_usd, 0.68);
    assert.equal((await post(`/payouts/${payout.id}/paid`)).status, 400, "not before it is approved");
    const setAmount = (amount_micro: number) => store.db.updateTable("payouts").set({ amount_micro }).where("id", "=", payout.id).execute();
    await setAmount(680_001);
    const beyond = await Promise.all([1, 2].map(() => post(`/payouts/${payout.id}/approve`)));
    for (const answer of beyond) assert.deepEqual([answer.status, /can be paid 0\.68 USD at most/.test(answer.text)], [400, true], answer.text);
    await setAmount(680_000);
    assert.equal((await post(`/payouts/${payout.id}/approve`)).status, 200);
    const file = await post("/payouts/export");
    assert.match(file.text, /Ada Lovelace/);
    assert.match(String(file.headers["content-type"]), /^text\/csv/);
    await store.db.insertInto("findings").values({ id: "find_late", account_id: accountId, code: "c", detail: "", opened_at: 1, closed_at: null, resolution: null }).execute();
    const paid = await post(`/payouts/${payout.id}/paid`, { note: "bank 17" });
    assert.deepEqual([paid.status, /would not be exported now: finding_open/.test(String(paid.json()["despite"]))], [200, true], paid.text);
    await store.db.updateTable("findings").set({ closed_at: 2, resolution: "none" }).where("id", "=", "find_late").execute();
    assert.equal((await post(`/payouts/${payout.id}/paid`)).status, 400, "recorded once");
    assert.equal((await post("/payouts/po_none/paid")).status, 404);

    const money = await get<Record<string, number>>("/money");
    assert.deepEqual(
      [money["funding_usd"], money["paid_usd"], money["available_usd"], money["under_way_usd"], money["earned_usd"]],
      [2, 0.68, 1.32, 0, 0.68],
    );
    const done = await actions();
    assert.deepEqual(
      done.map((each) => each.action),
      ["payout.paid", "payout.exported", "payout.approved", "payout.propose", "platform.fund"],
    );
    assert.deepEqual(new Set(done.map((each) => each.actor)), new Set([operator.email]));
    assert.equal((await verifyLedger(store)).ok, true);
    assert.equal((await get<{ accounts: { id: string; balance_usd: number }[] }>(`/accounts?search=${accountId}`)).accounts[0]?.balance_usd, 0);
  });

  it("suspends an account, whose keys answer 401 until it is resumed", async () => {
    const { service, store, get, post, operator } = opened;
    const { accountId, liveKey, email } = await makeAccount(store);
    assert.equal((await predict(service, liveKey)).status, 200);
    assert.equal((await post(`/accounts/${accountId}/suspend`, {})).status, 400, "without a reason");
    assert.equal((await post(`/accounts/${accountId}/suspend`, { reason: "chargebacks" })).status, 200);
    assert.equal((await predict(service, liveKey)).status, 401);
    assert.equal((await post(`/accounts/${accountId}/suspend`, { reason: "again" })).status, 400);
    assert.equal((await post(`/accounts/${accountId}/resume`, { reason: "settled" })).status, 200);
    assert.equal((await predict(service, liveKey)).status, 200);
    assert.equal((await post(`/accounts/${operator.accountId}/suspend`, { reason: "me" })).status, 400, "not one's own account");
    assert.equal((await post("/accounts/acct_none/suspend", { reason: "x" })).status, 404);
    const found = await get<{ accounts: { email: string }[] }>(`/accounts?search=${encodeURIComponent(email.slice(0, 14))}`);
    assert.ok(found.accounts.some((each) => each.email === email));
    assert.deepEqual((await get<{ accounts: unknown[] }>("/accounts?search=%25")).accounts, [], "a percent sign is not a wildcard");
  });

  it("decides tier requests and findings once", async () => {
    const { store, get, post, watchActions } = opened;
    const actions = await watchActions();
    const { accountId } = await makeAccount(store);
    const request = { id: "treq_1", account_id: accountId, tier: "Scale", state: "pending" as const, requested_at: 1, decided_at: null };
    await store.db.insertInto("tier_requests").values(request).execute();
    const finding = { id: "find_1", account_id: accountId, code: "clicks_too_regular", detail: "d", opened_at: 1, closed_at: null, resolution: null };
    await store.db.insertInto("findings").values(finding).execute();
    const [account] = (await get<{ accounts: { tier_request: string; open_findings: number }[] }>(`/accounts?search=${accountId}`)).accounts;
    assert.deepEqual([account?.tier_request, account?.open_findings], ["Scale", 1]);
    const waiting = async () => (await get<{ accounts: { id: string }[] }>("/accounts?only=tier_requests")).accounts.map((each) => each.id);
    assert.deepEqual(await waiting(), [accountId]);
    const decided = await post("/tier-requests/treq_1", { approve: true });
    assert.deepEqual(await waiting(), []);
    assert.deepEqual([decided.status, (decided.json() as { tier: string }).tier], [200, "Scale"]);
    assert.equal((await post("/tier-requests/treq_1", { approve: false })).status, 400);
    assert.equal((await post("/findings/find_1/decide", { decision: "dismissed", reason: "a school class" })).status, 200);
    assert.equal((await post("/findings/find_1/decide", { decision: "upheld", reason: "again" })).status, 400);
    assert.deepEqual((await actions()).map((each) => each.action), ["finding.decide", "account.tier"]);
  });

  it("shows jobs and migrations", async () => {
    const { get, store } = opened;
    type Jobs = { name: string; state: string; holder: string | null; last_result: string | null; last_duration_ms: number | null; failures: number; next_run_at: string }[];
    const read = () => get<{ jobs: Jobs; migrations: string[]; store: string }>("/system");
    const system = await read();
    const everywhere = ["alert_findings", "clear_outbox", "delete_expired", "extend_log", "fit_calibrations", "keep_accounts", "mark_payees", "reseal_secrets", "send_notices", "send_statements", "settle_calls", "settle_clicks", "sum_up_hours", "tell_conditions", "tell_sums", "watch_clicks", "watch_sessions"];
    assert.deepEqual(system.jobs.map((job) => job.name), [...everywhere, ...(store.dialect === "postgres" ? ["keep_partitions"] : [])].toSorted());
    const inAWhile = Date.now() + 3_600_000;
    const running = { lease: "l", leased_until: inAWhile, holder: "node:7", started_at: Date.now() };
    await store.db.updateTable("jobs").set({ next_run_at: inAWhile, ...running }).where("name", "=", "watch_clicks").execute();
    const failed = { last_result: "failed: no paper", failures: 2, last_duration_ms: 12, leased_until: 0 };
    await store.db.updateTable("jobs").set({ next_run_at: inAWhile, ...failed }).where("name", "=", "send_statements").execute();
    const jobs = new Map((await read()).jobs.map((job) => [job.name, job]));
    assert.deepEqual([jobs.get("watch_clicks")?.state, jobs.get("watch_clicks")?.holder], ["running", "node:7"]);
    const failing = jobs.get("send_statements")!;
    assert.deepEqual([failing.state, failing.last_result, failing.failures, failing.last_duration_ms], ["failing", "failed: no paper", 2, 12]);
    assert.equal(failing.next_run_at, new Date(inAWhile).toISOString());
    assert.ok(system.migrations.includes("0001-foundation"));
  });

  it("refuses a request from another site, even with the operator's cookie (CSRF)", async () => {
    const { browser, store } = opened;
    const earlier = await countFunding(store);
    const asStranger = (each: Browser) => each.post(`${root}/funding`, { usd: 5 }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.equal((await asStranger(browser)).status, 403);
    assert.equal(await countFunding(store), earlier);
  });
});
