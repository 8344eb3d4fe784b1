import type { NoticeTopic } from "@assay/contract/webhooks.ts";
import { sql } from "kysely";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeSignInAccount } from "../../../test/people/browser.ts";
import { waitUntil } from "../../../test/send.ts";
import { msPerDay, msPerHour, msPerMinute } from "../../formats/time.ts";
import type { Marks } from "../../secrets/read-sealed-key.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { deleteEventsBefore } from "../../webhooks/events/events.table.ts";
import { eventStatements, type NewEvent, operators } from "../../webhooks/events/write-events.ts";
import type { CloseAccount, CloseOutcome } from "../close-account.work.ts";
import { changeChoice, unsubscribe } from "./choices.ts";
import type { SendNotice, SentNotice } from "./send-notice.work.ts";
import { sendNotices } from "./send-notices.ts";

const startMs = Date.UTC(2026, 1, 14, 9, 30);
const publicUrl = "https://assay.example";
const marks: Marks = { mark: async (purpose, text) => `${purpose} ${text}` };
const interrupted = new URL("../../../test/people/fail-after-notice.work.ts", import.meta.url);

const lingering = new URL("../../../test/people/linger-after-notice.work.ts", import.meta.url);
const closeWork = new URL("../close-account.work.ts", import.meta.url);

const send = (store: Store, nowMs: number) => sendNotices(store, { marks, publicUrl, nowMs, isOver: () => false });
const write = (store: Store, event: NewEvent, nowMs: number) => store.write(eventStatements(store.db, event, { nowMs }));

const paid = (accountId: string, amount = 340): NewEvent => ({ audience: accountId, type: "payout.paid", data: { account_id: accountId, payout_id: "po_1", month: "2026-01", amount_usd: amount } });
const keyCreated = (accountId: string): NewEvent => ({ audience: accountId, type: "key.created", data: { account_id: accountId, key_id: "key_1", mode: "live", last_four: "x7Qa" } });
const limitNear = (accountId: string): NewEvent => ({ audience: accountId, type: "limit.near", data: { account_id: accountId, limit: "hour", calls: 1_000 } });
const payeeChanged = (accountId: string): NewEvent => ({ audience: accountId, type: "payee.changed", data: { account_id: accountId, fields: ["account"], rests_until: null, cancelled_payouts: [] } });
const holdOpened = (accountId: string): NewEvent => ({ audience: accountId, type: "hold.opened", data: { account_id: accountId, kind: "operator" } });
const jobFailing: NewEvent = { audience: operators, type: "job.failing", data: { job: "settle_calls", failures: 3 } };
const reviewNeeded: NewEvent = { audience: operators, type: "review.needed", data: { account_id: "acct_x", waiting_usd: 512.3 } };

const mailsTo = (store: Store, recipient: string) =>
  store.db.selectFrom("mails").select(["kind", "subject", "body_text as text", "body_html as html", "unsubscribe_url", "account_id"]).where("recipient", "=", recipient).where("kind", "=", "notice").orderBy("id").execute();
const cursorOf = (store: Store, audience: string) =>
  store.db.selectFrom("webhook_heads").select(["sequence", "noticed_sequence", "noticed_at"]).where("audience", "=", audience).executeTakeFirstOrThrow();
const choose = (store: Store, accountId: string, topic: NoticeTopic, wanted: boolean) => changeChoice(store, { accountId, operator: true }, { topic, wanted, nowMs: startMs });
const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));

/** A second node: on PostgreSQL with connections of its own. */
async function openOther(database: TestDatabase): Promise<Store> {
  return database.dialect === "postgres" ? (await openStore(database, { nowMs: startMs, onConnectionError: () => {} })).store : database.store;
}

describeBothStores("notices by mail", (open) => {
  it("gather for a while, then tell everything in one mail, in the reader's words", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, paid(accountId), startMs);
    await write(store, keyCreated(accountId), startMs + msPerMinute);
    await send(store, startMs + 2 * msPerMinute - 1);
    assert.deepEqual(await mailsTo(store, email), []);
    assert.deepEqual(await send(store, startMs + 2 * msPerMinute), { mails: 1, isMore: false });
    const [mail, ...more] = await mailsTo(store, email);
    assert.equal(more.length, 0);
    assert.equal(mail!.account_id, accountId);
    assert.equal(mail!.subject, "2 notices about your account: security and money");
    assert(mail!.text.includes("- 2026-02-14 09:30 UTC: Your payout of 340.00 USD was paid.\n"), mail!.text);
    assert(mail!.text.includes("- 2026-02-14 09:31 UTC: A live key ending in x7Qa was created.\n"), mail!.text);
    assert(mail!.text.indexOf("Security\n") < mail!.text.indexOf("Money\n"));
    for (const part of [`${publicUrl}/dashboard/`, mail!.unsubscribe_url!]) assert(mail!.text.includes(part) && mail!.html.includes(part));
    assert(!mail!.text.includes(email) && !mail!.unsubscribe_url!.includes("@"));
    assert.deepEqual(await send(store, startMs + 5 * msPerHour), { mails: 0, isMore: false });
  });

  it("are one mail for 30 events, with 20 lines and the number of the others", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    for (let index = 1; index <= 29; index += 1) await write(store, paid(accountId, index), startMs);
    await write(store, keyCreated(accountId), startMs);
    await send(store, startMs + msPerHour);
    const mails = await mailsTo(store, email);
    assert.equal(mails.length, 1);
    const lines = linesOf(mails[0]!.text);
    assert.equal(lines.length, 21);
    assert.equal(lines[20], "- and 10 more, which the dashboard shows");
    assert(lines[0]!.includes("x7Qa"), "a topic with one event is not crowded out");
    assert.deepEqual(await cursorOf(store, accountId), { sequence: 30, noticed_sequence: 30, noticed_at: startMs + msPerHour });
  });

  it("come once an hour at most, and sooner if they are about security", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, paid(accountId, 1), startMs);
    const firstMs = startMs + 2 * msPerMinute;
    await send(store, firstMs);
    await write(store, paid(accountId, 2), firstMs + msPerMinute);
    await write(store, paid(accountId, 3), firstMs + 40 * msPerMinute);
    await send(store, firstMs + msPerHour - 1);
    assert.equal((await mailsTo(store, email)).length, 1);
    await send(store, firstMs + msPerHour);
    const [, second] = await mailsTo(store, email);
    assert.deepEqual(linesOf(second!.text).map((line) => /of (\d)\.00/.exec(line)?.[1]), ["2", "3"]);
    const secondMs = firstMs + msPerHour;
    await write(store, paid(accountId, 4), secondMs + msPerMinute);
    await write(store, keyCreated(accountId), secondMs + 3 * msPerMinute);
    await send(store, secondMs + 10 * msPerMinute - 1);
    assert.equal((await mailsTo(store, email)).length, 2);
    await send(store, secondMs + 10 * msPerMinute);
    const third = (await mailsTo(store, email))[2]!;
    assert.equal(linesOf(third.text).length, 2, "what has gathered meanwhile comes along");
    const thirdMs = secondMs + 10 * msPerMinute;
    await write(store, paid(accountId, 5), thirdMs + msPerMinute);
    await write(store, payeeChanged(accountId), thirdMs + 2 * msPerMinute);
    await send(store, thirdMs + msPerHour - 1);
    assert.equal((await mailsTo(store, email)).length, 3, "what has a mail of its own hurries nothing");
    await send(store, thirdMs + msPerHour);
    assert.equal((await mailsTo(store, email)).length, 4);
  });

  it("tell what was chosen; what nobody wants by mail only moves the cursor", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, limitNear(accountId), startMs);
    await send(store, startMs);
    assert.deepEqual(await cursorOf(store, accountId), { sequence: 1, noticed_sequence: 1, noticed_at: null });
    await choose(store, accountId, "limits", true);
    await choose(store, accountId, "money", false);
    await write(store, limitNear(accountId), startMs);
    await write(store, paid(accountId), startMs);
    await send(store, startMs + msPerHour);
    const [mail, ...more] = await mailsTo(store, email);
    assert.equal(more.length, 0);
    assert.equal(mail!.subject, "80 % of your limit of 1,000 calls per hour is used up.");
    assert(!mail!.text.includes("payout"));
  });

  it("end with the link of a mail, except those about security, which have none", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    assert.equal(await unsubscribe(store, { accountId, topics: ["money"] }, startMs), "changed");
    await write(store, paid(accountId), startMs);
    await send(store, startMs + msPerHour);
    assert.deepEqual(await mailsTo(store, email), []);
    // Even a row that somebody put there does not switch security off.
    await store.db.insertInto("notice_choices").values({ account_id: accountId, topic: "security", wanted: 0, changed_at: startMs }).execute();
    await write(store, keyCreated(accountId), startMs + msPerHour);
    await send(store, startMs + 2 * msPerHour);
    const [mail] = await mailsTo(store, email);
    assert.equal(mail!.unsubscribe_url, null);
    assert(!mail!.text.includes("/unsubscribe"));
    await assert.rejects(choose(store, accountId, "security", false), /cannot be switched off/);
  });

  it("are not sent for what has a mail of its own", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, holdOpened(accountId), startMs);
    await send(store, startMs + msPerHour);
    assert.deepEqual(await mailsTo(store, email), []);
    assert.equal((await cursorOf(store, accountId)).noticed_sequence, 1);
  });

  it("go to a suspended account, and to no closed, unverified or demo account", async () => {
    const { store } = await open();
    const suspended = await makeSignInAccount(store);
    const closed = await makeSignInAccount(store);
    const unverified = await makeSignInAccount(store, { verified: false });
    const demo = await makeSignInAccount(store);
    await store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", suspended.accountId).execute();
    await store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", closed.accountId).execute();
    await store.db.updateTable("accounts").set({ demo: 1 }).where("id", "=", demo.accountId).execute();
    for (const { accountId } of [suspended, closed, unverified, demo]) await write(store, keyCreated(accountId), startMs);
    assert.equal((await send(store, startMs + msPerHour)).mails, 1);
    assert.equal((await mailsTo(store, suspended.email)).length, 1);
    for (const { accountId } of [closed, unverified, demo]) assert.equal((await cursorOf(store, accountId)).noticed_sequence, 1);
  });

  it("go to each operator by that operator's own choices, and to nobody else", async () => {
    const { store } = await open();
    const developer = await makeSignInAccount(store);
    const [all, noMoney, nothing, suspended] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    await choose(store, noMoney.accountId, "money", false);
    for (const topic of ["money", "operations"] as const) await choose(store, nothing.accountId, topic, false);
    await store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", suspended.accountId).execute();
    await write(store, jobFailing, startMs);
    await write(store, reviewNeeded, startMs);
    assert.equal((await send(store, startMs + msPerHour)).mails, 2);
    const linesTo = async ({ email }: { email: string }) => (await mailsTo(store, email)).flatMap(({ text }) => linesOf(text).map((line) => line.slice(line.indexOf("UTC: ") + 5)));
    const [job, review] = ["The job settle_calls has failed 3 times in a row.", "512.30 USD of account acct_x waits for a review."];
    assert.deepEqual(await linesTo(all), [review, job]);
    assert.deepEqual(await linesTo(noMoney), [job]);
    for (const other of [nothing, suspended, developer]) assert.deepEqual(await linesTo(other), []);
  });

  it("are sent once when two nodes send at once", async () => {
    const database = await open();
    const { store } = database;
    const other = await openOther(database);
    const accounts = await Promise.all(Array.from({ length: 12 }, () => makeSignInAccount(store)));
    for (const { accountId } of accounts) for (const amount of [1, 2]) await write(store, paid(accountId, amount), startMs);
    const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => send(index % 2 === 0 ? store : other, startMs + msPerHour)));
    assert.equal(sent.reduce((sum, { mails }) => sum + mails, 0), 12);
    for (const { email } of accounts) assert.deepEqual((await mailsTo(store, email)).map(({ text }) => linesOf(text).length), [2]);
    if (other !== store) await other.close();
  });

  it("leave no mail behind if the account is erased at the same moment", async () => {
    const { store, dialect } = await open();
    const { accountId } = await makeSignInAccount(store);
    await write(store, paid(accountId), startMs);
    const nowMs = startMs + msPerHour;
    const sending = store.transact<SendNotice, SentNotice>(lingering, { audience: accountId, nowMs, publicUrl, unsubscribeKey: "key" });
    const asleep = sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()`;
    if (dialect === "postgres") await waitUntil(async () => (await asleep.execute(store.db)).rows.length > 0, "the notice is queued and not committed");
    await store.transact<CloseAccount, CloseOutcome>(closeWork, { accountId, forfeit: false, nowMs });
    assert.deepEqual(await sending, { mails: 1, isMore: false });
    assert.deepEqual(await store.db.selectFrom("mails").select("id").where("kind", "=", "notice").execute(), []);
  });

  it("are neither lost nor sent twice if a node is interrupted", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, paid(accountId), startMs);
    const notice = { audience: accountId, nowMs: startMs + msPerHour, publicUrl, unsubscribeKey: "key" };
    await assert.rejects(store.transact<SendNotice, never>(interrupted, notice), /interrupted after 1 mails/);
    assert.deepEqual(await mailsTo(store, email), []);
    assert.deepEqual(await cursorOf(store, accountId), { sequence: 1, noticed_sequence: 0, noticed_at: null });
    for (const laterMs of [1, 2, 3]) await send(store, startMs + msPerHour + laterMs);
    assert.equal((await mailsTo(store, email)).length, 1);
  });

  it("tell nothing of events that were deleted meanwhile, and do not look for them again", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    await write(store, paid(accountId), startMs);
    await deleteEventsBefore(store.db, { id: "evt_~", limit: 10 }).execute();
    await send(store, startMs + 31 * msPerDay);
    assert.deepEqual(await mailsTo(store, email), []);
    assert.equal((await cursorOf(store, accountId)).noticed_sequence, 1);
  });

  it("take a flood in bounded steps: what does not fit into one mail comes with the next", async () => {
    const { store } = await open();
    const { accountId, email } = await makeSignInAccount(store);
    for (let left = 501; left > 0; left -= 1) await write(store, paid(accountId), startMs);
    await send(store, startMs + msPerHour);
    assert.equal((await cursorOf(store, accountId)).noticed_sequence, 500);
    await send(store, startMs + 2 * msPerHour);
    assert.deepEqual((await mailsTo(store, email)).map(({ text }) => linesOf(text).at(-1)!.slice(2, 9)), ["and 480", "2026-02"]);
    await choose(store, accountId, "money", false);
    for (let left = 501; left > 0; left -= 1) await write(store, paid(accountId), startMs + 3 * msPerHour);
    assert.deepEqual(await send(store, startMs + 4 * msPerHour), { mails: 0, isMore: true });
    assert.deepEqual(await send(store, startMs + 4 * msPerHour), { mails: 0, isMore: false });
  });
});
