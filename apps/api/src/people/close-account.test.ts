import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, it } from "node:test";
import { makeCampaign } from "../../test/ads/serving/make-campaign.ts";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { dumpDatabase, readTables } from "../../test/dump-database.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { settleDayOf } from "../../test/money/make-earner.ts";
import { type Browser, goodPassword, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { readMails } from "../../test/people/read-mails.ts";
import { codeOf, nextCodeOf } from "../../test/people/totp.ts";
import { readLedger } from "../../test/read-ledger.ts";
import { predict, waitUntil } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import { makeEndpoint, writeTestEvents } from "../../test/webhooks/make-endpoint.ts";
import { issueKey } from "../access/keys/issue-key.ts";
import { changeHold } from "../money/holds/change-hold.ts";
import { selectOpenHolds } from "../money/holds/holds.table.ts";
import type { NewEntry } from "../money/ledger/append-entries.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { sqliteFileName } from "../store/open-store.ts";
import { suspendAccount } from "./change-account.ts";
import { cleanUpAccounts } from "./clean-up-accounts.ts";

const auth = "/dashboard/api/auth";
const append = new URL("../../test/money/append.work.ts", import.meta.url);

/** The columns with personal data; scripts/documents.test.ts compares their tables with docs/privacy.md. */
const personalData = JSON.parse(readFileSync(new URL("../../../../scripts/personal-data.json", import.meta.url), "utf8")) as Record<string, string[]>;
/** The account's id remains where it leads to nobody. */
const kept = new Set(["audit_log.actor_account_id"]);

describeBothStores("closing an account", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve({ env: { TRUST_PROXY: "127.0.0.1" } });
  });

  async function call(accountId: string): Promise<void> {
    const charger = makeCharger(database.store, { nowMs: Date.now() });
    await charger.charge(makeCharge({ accountId, atMs: Date.now() }));
    await charger.drain();
  }

  async function earn(accountId: string): Promise<void> {
    await call(accountId);
    await settleDayOf(database.store, accountId, Date.now());
  }

  const cleanUp = () => cleanUpAccounts({ store: database.store, deleteMailFiles: () => Promise.resolve() }, Date.now());
  const balanceOf = async (accountId: string) => (await database.store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow()).balance_micro;
  const setBalance = (accountId: string, balanceMicro: number) => database.store.db.updateTable("ledger_heads").set({ balance_micro: balanceMicro }).where("account_id", "=", accountId).execute();
  const openHolds = async (accountId: string) => (await selectOpenHolds(database.store.db, [accountId]).execute()).length;
  const auditOf = async (accountId: string) =>
    (await database.store.db.selectFrom("audit_log").select("action").where("subject", "=", accountId).where("action", "!=", "account.create").orderBy("seq").execute()).map(({ action }) => action);
  const close = async (browser: Browser, { email, password }: { email: string; password: string }, more: { forfeit?: boolean }) => {
    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };

  const readAccount = (accountId: string) =>
    database.store.db.selectFrom("accounts").select(["email", "password_hash", "status", "operator"]).where("id", "=", accountId).executeTakeFirstOrThrow();

  /** The rows about a person as objects, by table; those of a day's or a chain's partition under the partition's name. */
  async function readRowsAbout(words: readonly string[]): Promise<Map<string, Record<string, unknown>[]>> {
    const tables = await readTables(database);
    return new Map([...tables].map(([name, rows]) => [name, rows.filter((row) => words.some((word) => row.includes(word))).map((row) => JSON.parse(row) as Record<string, unknown>)]));
  }

  /** Values as they are in a dump: of a long text, its longest part without characters that a dump may escape. */
  const searchable = (value: unknown): string => String(value).split(/[\n"\\]/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");

  /** Everything that can be known about a person, made as far as possible through the service. */
  async function livePersonsLife() {
    // The last operator could not close its account.
    await makeSignInAccount(database.store, { operator: true });
    const account = await makeSignInAccount(database.store, { operator: true });
    const { accountId, email, password } = account;
    const newEmail = `moving-${email}`;
    const { key } = await issueKey(database.store, { accountId, mode: "test", name: `key of ${email}`, nowMs: Date.now() });
    const person = { "x-forwarded-for": "203.0.113.77", "user-agent": "The Person's Own Browser/7" };
    const browser = openBrowser(service);
    assert.equal((await browser.post(`${auth}/sign-in/email`, { email, password }, person)).status, 200);
    const profile = { legal_name: "Grace Planted Hopper", address: "1 Planted Street\nArlington", country: "US", tax_id: "PLANTED-TAX-7", account: "planted-account-7", bank_code: "PLANTED-BIC", bank_country: "SG" };
    assert.equal((await browser.request("PUT", "/dashboard/api/payee", { ...profile, method: "bank_transfer", password })).status, 200);
    assert.equal((await browser.request("PUT", "/dashboard/api/notices", { topic: "operations", wanted: false })).status, 200);
    for (const name of ["The Planted Shop", "The Planted Game"]) {
      const answer = await browser.post("/dashboard/api/sites", { name, origins: [`https://${name.replaceAll(" ", "-")}.example`] });
      assert.equal(answer.status, 201, answer.text);
      // One was deleted before, and its row is still there.
      if (name.includes("Game")) assert.equal((await browser.request("DELETE", `/dashboard/api/sites/${String(answer.json()["site_id"])}`)).status, 200);
    }
    assert.equal((await browser.post("/dashboard/api/operator/advertisers", { name: "A further advertiser" })).status, 201);
    const uri = String((await browser.post(`${auth}/two-factor/enable`, { password })).json()["totp_uri"]);
    await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) });
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail, password, code: nextCodeOf(uri, Date.now()) })).status, 200);
    await openBrowser(service).post(`${auth}/request-password-reset`, { email });
    await database.store.db.updateTable("account_links").set({ password_hash: "planted-hash-of-a-sign-up" }).where("account_id", "=", accountId).where("kind", "=", "change_email").execute();
    // A sign-in whose second step is still due.
    assert.equal((await openBrowser(service).post(`${auth}/sign-in/email`, { email, password }, person)).status, 200);
    const payout = { id: `po_${accountId}`, account_id: accountId, month: "2026-01", amount_micro: 1, status: "cancelled" as const, proposed_at: 1, cancelled_at: 2, payee: "the payee that was planted" };
    await database.store.db.insertInto("payouts").values({ ...payout, approved_at: null, exported_at: null, paid_at: null, returned_at: null, note: null, payout_seq: null, returned_seq: null }).execute();
    const finding = { id: `find_${accountId}`, account_id: accountId, code: "operator", detail: "d", opened_at: 1, closed_at: 2, resolution: "r", answer: "the answer that was planted" };
    await database.store.db.insertInto("findings").values(finding).execute();
    const waiting = { id: `wait_${accountId}`, account_id: accountId, day: 0, reason: "unexamined" as const, items: 1, developer_micro: 1, detail: "{}", at: 1, statement: "the statement that was planted", decision: "settled" as const };
    await database.store.db.insertInto("waiting_earnings").values(waiting).execute();
    const endpoint = await makeEndpoint(database.store, { id: `wh_${accountId}`, audience: accountId, state: "paused", url: "https://planted.example.com/hook" });
    const attempt = { endpoint_id: endpoint.id, event_id: "evt_planted", attempt: 1, at: Date.now(), duration_ms: 1, url: "https://planted.example.com/before", signature: "v1,planted-signature", status: 500, error: null, response: "the response that was planted" };
    await database.store.db.insertInto("webhook_attempts").values(attempt).execute();
    await database.store.db.insertInto("webhook_deliveries").values({ endpoint_id: endpoint.id, event_id: "evt_planted", state: "pending", attempts: 1, round_attempts: 1, next_at: 0, lease: null, leased_until: 0, last_status: 500, last_error: null, created_at: Date.now(), done_at: null }).execute();
    await writeTestEvents(database.store, accountId);
    const mails = [...(await readMails(database.store, email)), ...(await readMails(database.store, newEmail))];
    const files = mails.map(({ id }) => join(service.dataDir, "outbox", `${id}.eml`));
    await waitUntil(() => files.every((file) => existsSync(file)), "the mails are in the outbox");
    return { account, newEmail, key, browser, person, profile, files };
  }

  it("erases all personal data, revokes the keys on every node and leaves the ledger intact", async () => {
    const node = await database.serve();
    const { account, newEmail, key, browser, person, profile, files } = await livePersonsLife();
    const { accountId, email, password } = account;
    await waitUntil(async () => (await predict(node, key)).status === 200, "the key works on the other node");

    const rows = await readRowsAbout([accountId, email]);
    const known = Object.entries(personalData).flatMap(([table, columns]) =>
      columns.map((column) => ({ place: `${table}.${column}`, values: (rows.get(table) ?? []).flatMap((row) => row[column] ?? []).filter((value) => value !== "") })),
    );
    assert.deepEqual(known.filter(({ values }) => values.length === 0).map(({ place }) => place), [], "this test must fill in every column with personal data");
    assert.equal(rows.get("sign_in_challenges")!.length, 1);
    assert.equal(rows.get("notice_choices")!.length, 1);
    const planted = [email, newEmail, ...Object.values(person), ...Object.values(profile), ...known.filter(({ place }) => !kept.has(place)).flatMap(({ values }) => values)].map(searchable).filter((value) => value.length >= 8);
    assert(planted.length > 20);

    const refusals = [
      { password: "not the right one", confirmEmail: email },
      { password, confirmEmail: "another@example.com" },
      { password },
    ];
    for (const body of refusals) assert([400, 403].includes((await browser.post(`${auth}/close-account`, body)).status));
    assert.equal((await readAccount(accountId)).status, "active");

    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email });
    assert.deepEqual(answer.json(), { status: "erased", balance_usd: 0 });
    assert.deepEqual({ ...(await readAccount(accountId)) }, { email: `closed:${accountId}`, password_hash: null, status: "closed", operator: 0 });
    await waitUntil(async () => (await predict(node, key)).status === 401, "the key is refused by the other node");
    const working = await database.store.db.selectFrom("api_keys").select("id").where("account_id", "=", accountId).where("revoked_at", "is", null).execute();
    assert.deepEqual(working, [], "every key is revoked, not only its account closed");
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    await assert.rejects(signIn(service, account));
    assert(files.every((file) => !existsSync(file)), "local copies are gone");

    await waitUntil(async () => !(await dump()).includes(email), "the last mail has left, and nothing in the database holds the address");
    const left = await dump();
    assert.deepEqual(planted.filter((value) => left.includes(value)), []);
    const leftRows = await readRowsAbout([accountId]);
    assert.deepEqual(["sign_ins", "sign_in_challenges", "second_factors", "account_links", "mails", "payee_profiles", "payee_marks", "webhook_heads", "webhook_events", "webhook_endpoints", "webhook_deliveries", "webhook_attempts", "notice_choices"].filter((table) => leftRows.get(table)!.length > 0), []);
    const sites = leftRows.get("sites")!.map(({ name, origins, deleted_at: deletedAt }) => [name, origins, Number(deletedAt) > 0]);
    assert.deepEqual(sites, [["", "[]", true], ["", "[]", true]], "the sites have ended, and every node can learn it");
    const { ok } = await verifyLedger(database.store);
    assert.equal(ok, true);
    // The address is free again for a new account.
    assert.equal((await openBrowser(service).post(`${auth}/sign-up/email`, { email, password: goodPassword })).status, 200);

    /** Includes the bytes of the file; a checkpoint first moves the write-ahead log into it. */
    async function dump(): Promise<string> {
      if (dialect === "sqlite") {
        const file = new DatabaseSync(join(database.dataDir, sqliteFileName), { timeout: 5_000 });
        file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        file.close();
      }
      return (await dumpDatabase(database)).text;
    }
  });

  it("with a balance, revokes the keys at once and erases once the balance is settled", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    await earn(accountId);
    const browser = await signIn(service, account);
    assert.equal((await browser.post("/dashboard/api/sites", { name: "Shop", origins: ["https://shop.example"] })).status, 201);
    assert.deepEqual((await browser.post(`${auth}/close-account`, { password, confirmEmail: email })).json(), { status: "closing", balance_usd: 0.034 });
    const sites = await database.store.db.selectFrom("sites").select(["name", "origins", "deleted_at"]).where("account_id", "=", accountId).execute();
    assert.deepEqual(sites.map((site) => [site.name, site.origins, site.deleted_at !== null]), [["", "[]", true]], "its sites end at once");
    assert.equal((await browser.post("/dashboard/api/sites", { name: "Shop", origins: ["https://shop.example"] })).status, 403);
    const me = (await browser.get("/dashboard/api/me")).json();
    assert.equal(me["status"], "closed");
    assert.equal((await readAccount(accountId)).email, email, "the payee is still known");
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail: "x@example.com", password })).status, 403, "the account is read-only");
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, email);
    // As after a payout.
    await database.store.db.updateTable("ledger_heads").set({ balance_micro: 0 }).where("account_id", "=", accountId).execute();
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, `closed:${accountId}`);
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    assert.equal((await readLedger(database.store, accountId)).length, 1, "the ledger stays");
    await database.store.db.updateTable("ledger_heads").set({ balance_micro: 34_000 }).where("account_id", "=", accountId).execute();
  });

  it("books what is given up, and then erases", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId } = account;
    await earn(accountId);
    const browser = await signIn(service, account);
    await close(browser, account, {});
    assert.deepEqual(await close(browser, account, { forfeit: true }), { status: "erased", balance_usd: 0.034 });
    assert.equal((await readAccount(accountId)).email, `closed:${accountId}`);
    const last = (await readLedger(database.store, accountId)).at(-1)!;
    assert.deepEqual([last.kind, last.developer_micro, last.platform_micro], ["adjustment", -34_000, 0]);
    assert.equal(await balanceOf(accountId), 0);
    assert.equal((await verifyLedger(database.store)).ok, true);
    assert.deepEqual(await auditOf(accountId), ["account.close", "account.forfeit", "account.erase"]);
  });

  it("while suspended lifts no hold: nothing is erased before an operator lifts it, and what is given up is booked at once [threat: close-while-held]", async () => {
    for (const forfeit of [false, true]) {
      const account = await makeSignInAccount(database.store);
      const { accountId, email } = account;
      await earn(accountId);
      const browser = await signIn(service, account);
      await suspendAccount(database.store, { accountId, reason: "Under suspicion.", actorAccountId: null, nowMs: Date.now(), channel: undefined });
      assert.deepEqual(await close(browser, account, { forfeit }), { status: "closing", balance_usd: 0.034 });
      assert.equal(await balanceOf(accountId), forfeit ? 0 : 34_000);
      if (!forfeit) await setBalance(accountId, 0);
      await cleanUp();
      assert.deepEqual([(await readAccount(accountId)).email, await openHolds(accountId)], [email, 1], "the evidence stays");
      assert.equal((await changeHold(database.store, { accountId, to: "lift", reason: "Reviewed.", actorAccountId: null, nowMs: Date.now() })).kind, "lifted");
      await cleanUp();
      assert.equal((await readAccount(accountId)).email, `closed:${accountId}`);
      if (!forfeit) await setBalance(accountId, 34_000);
    }
  });

  it("waits for an open finding and for clicks that may still be reversed, and gives those up when they are confirmed", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email } = account;
    await earn(accountId);
    const click = { accountId, atMs: Date.now(), kind: "click" as const, ref: "ad_1", endpoint: "click", payer: "advertiser" as const, shareBps: 6_800, grossMicroUsd: 100_000, developerMicroUsd: 68_000 };
    const [seq] = await database.store.transact<NewEntry[], number[]>(append, [click]);
    const { campaignId } = await makeCampaign(database.store);
    const offerId = `ad_${accountId}`;
    const paid = { account_id: accountId, campaign_id: campaignId, creative_id: "crea", placement: "feed" as const, trust_band: "high" as const, price_micro: 100_000, developer_micro: 68_000 };
    await database.store.db.insertInto("clicks").values({ offer_id: offerId, ...paid, at: Date.now(), share_bps: 6_800, ledger_seq: seq!, status: "pending", settled_at: null, reversal_seq: null, reason: null }).execute();
    const finding = { id: `find_${accountId}`, account_id: accountId, code: "test", detail: "", opened_at: 1, closed_at: null, resolution: null };
    await database.store.db.insertInto("findings").values(finding).execute();
    const browser = await signIn(service, account);
    assert.deepEqual(await close(browser, account, { forfeit: true }), { status: "closing", balance_usd: 0.102 });
    assert.equal(await balanceOf(accountId), 68_000, "the click may still be reversed");
    await database.store.db.updateTable("clicks").set({ status: "confirmed", settled_at: Date.now() }).where("offer_id", "=", offerId).execute();
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, email, "the finding is open");
    await database.store.db.updateTable("findings").set({ closed_at: 2, resolution: "harmless" }).where("account_id", "=", accountId).execute();
    await database.store.db.updateTable("clicks").set({ status: "pending", settled_at: null }).where("offer_id", "=", offerId).execute();
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, email, "the click is pending");
    await database.store.db.updateTable("clicks").set({ status: "confirmed", settled_at: Date.now() }).where("offer_id", "=", offerId).execute();
    await cleanUp();
    assert.deepEqual([(await readAccount(accountId)).email, await balanceOf(accountId)], [`closed:${accountId}`, 0]);
    assert.equal((await verifyLedger(database.store)).ok, true);
  });

  it("waits for calls that may still be reversed, which nobody gives up before they are confirmed", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email } = account;
    await call(accountId);
    const browser = await signIn(service, account);
    assert.deepEqual(await close(browser, account, { forfeit: true }), { status: "closing", balance_usd: 0.034 });
    await cleanUp();
    assert.deepEqual([(await readAccount(accountId)).email, await balanceOf(accountId)], [email, 34_000]);
    await settleDayOf(database.store, accountId, Date.now());
    await cleanUp();
    assert.deepEqual([(await readAccount(accountId)).email, await balanceOf(accountId)], [`closed:${accountId}`, 0]);
  });

  it("with a payout under way waits for it; giving up cancels it before the export, and never touches it after", async () => {
    for (const status of ["proposed", "exported"] as const) {
      const account = await makeSignInAccount(database.store);
      const { accountId, email } = account;
      await earn(accountId);
      await earn(accountId);
      const payout = { id: `po_${accountId}`, account_id: accountId, month: "2026-01", amount_micro: 34_000, status, proposed_at: 1, payee: "planted" };
      await database.store.db.insertInto("payouts").values({ ...payout, approved_at: null, exported_at: null, paid_at: null, returned_at: null, note: null, payout_seq: null, returned_seq: null }).execute();
      const browser = await signIn(service, account);
      assert.equal((await close(browser, account, {}))["status"], "closing");
      const statusOf = async () => (await database.store.db.selectFrom("payouts").select("status").where("account_id", "=", accountId).executeTakeFirstOrThrow()).status;
      assert.equal(await statusOf(), status, "closing alone cancels nothing");
      const isExported = status === "exported";
      assert.equal((await close(browser, account, { forfeit: true }))["status"], isExported ? "closing" : "erased");
      assert.deepEqual([await statusOf(), await balanceOf(accountId)], isExported ? ["exported", 34_000] : ["cancelled", 0]);
      await cleanUp();
      assert.equal((await readAccount(accountId)).email, isExported ? email : `closed:${accountId}`);
    }
  });

  it("twice at once closes once; what reaches the account after its erasure is given up", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    await earn(accountId);
    const browser = await signIn(service, account);
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${auth}/close-account`, { password, confirmEmail: email, forfeit: true })));
    assert(answers.some(({ status }) => status === 200));
    // The others may come too late to find the password.
    for (const answer of answers) assert(answer.status === 200 ? answer.json()["status"] === "erased" : [401, 403].includes(answer.status), answer.text);
    assert.deepEqual((await auditOf(accountId)).toSorted(), ["account.close", "account.erase", "account.forfeit"]);
    assert.deepEqual((await readLedger(database.store, accountId)).map(({ kind }) => kind), ["call", "adjustment"]);
    // A call that another node had accepted.
    await earn(accountId);
    await cleanUp();
    assert.equal(await balanceOf(accountId), 0);
    assert.equal((await verifyLedger(database.store)).ok, true);
  });

  it("with a debt, erases nothing, even with forfeit", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    const charger = makeCharger(database.store, { nowMs: Date.now() }, { payer: "developer" });
    await charger.charge(makeCharge({ accountId, atMs: Date.now() }));
    await charger.drain();
    const browser = await signIn(service, account);
    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email, forfeit: true });
    assert.deepEqual(answer.json(), { status: "closing", balance_usd: -0.016 });
    assert.equal((await readAccount(accountId)).email, email);
  });
});
