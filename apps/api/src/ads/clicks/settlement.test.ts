import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerDay, msPerMinute, startOfDay } from "../../formats/time.ts";
import { changeHold } from "../../money/holds/change-hold.ts";
import { verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { resumeAccount, suspendAccount } from "../../people/change-account.ts";
import type { Store } from "../../store/store.ts";
import type { Click, ClickOutcome } from "./decide-clicks.work.ts";
import { closeFinding, selectFindings } from "../../money/findings/findings.table.ts";
import { reverseClicks } from "./reverse-clicks.ts";
import { settleClicks } from "./settle-clicks.ts";
import { watchClicks } from "./watch-clicks.ts";

const decideClicks = new URL("./decide-clicks.work.ts", import.meta.url);
const nowMs = Date.now();
const priceMicroUsd = 100_000;
const operator = { actorAccountId: null, nowMs };

/** Clicks paid by the real transaction, one offer per time. */
async function makePaidClicks(store: Store, given: { accountId: string; atMs: readonly number[]; campaign?: Awaited<ReturnType<typeof makeCampaign>> }) {
  const campaign = given.campaign ?? (await makeCampaign(store, { budget_micro: 1_000_000_000, starts_at: 0 }));
  const offers = await Promise.all(
    given.atMs.map((atMs) => makeOffer(store, { accountId: given.accountId, campaign, atMs: atMs - msPerMinute, price_micro: priceMicroUsd })),
  );
  const clicks = offers.map((offer, index): Click => ({ offerId: offer.id, atMs: given.atMs[index]!, agent: "person" }));
  const outcomes = await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks });
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome?.verdict)), new Set(["paid"]));
  return { campaign, offerIds: offers.map((offer) => offer.id) };
}

const statusesOf = async (store: Store, accountId: string) =>
  (await store.db.selectFrom("clicks").select("status").where("account_id", "=", accountId).orderBy("at").execute()).map((row) => row.status);

const spentBy = async (store: Store, campaignId: string) =>
  (await store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", campaignId).executeTakeFirstOrThrow()).spent_micro;

describeBothStores("settlement of clicks", (open) => {
  it("confirms clicks that have been pending long enough, once, and leaves the rest", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: nowMs - 30 * msPerDay });
    await makePaidClicks(store, { accountId, atMs: [nowMs - 9 * msPerDay, nowMs - 8 * msPerDay, nowMs - 6 * msPerDay] });
    const nodes = await Promise.all([1, 2, 3].map(() => settleClicks(store, { nowMs, holdDays: 7, isOver: () => false })));
    assert.equal(nodes.reduce((sum, { confirmed }) => sum + confirmed, 0), 2);
    assert.deepEqual(await statusesOf(store, accountId), ["confirmed", "confirmed", "pending"]);
  });

  it("confirms nothing while a finding about the account is open", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: nowMs - 30 * msPerDay });
    await makePaidClicks(store, { accountId, atMs: [nowMs - 9 * msPerDay] });
    const finding = { id: "find_1", account_id: accountId, code: "clicks_too_regular", detail: "", opened_at: nowMs, closed_at: null, resolution: null };
    await store.db.insertInto("findings").values(finding).execute();
    assert.deepEqual(await settleClicks(store, { nowMs, holdDays: 7, isOver: () => false }), { confirmed: 0, isMore: false });
    await closeFinding(store.db, { findingId: "find_1", decision: "dismissed", decidedBy: null, resolution: "cleared", nowMs }).execute();
    assert.deepEqual(await settleClicks(store, { nowMs, holdDays: 7, isOver: () => false }), { confirmed: 1, isMore: false });
  });

  it("confirms nothing of a suspended account, whose clicks can still be reversed, and goes on once it is resumed [threat: suspension-outwaited]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: nowMs - 30 * msPerDay });
    const { offerIds } = await makePaidClicks(store, { accountId, atMs: [nowMs - 9 * msPerDay, nowMs - 8 * msPerDay, nowMs - 6 * msPerDay] });
    const change = { accountId, reason: "a test", channel: undefined, ...operator };
    const settle = () => settleClicks(store, { nowMs, holdDays: 7, isOver: () => false });
    await suspendAccount(store, change);
    assert.deepEqual(await settle(), { confirmed: 0, isMore: false });
    assert.deepEqual(await reverseClicks(store, { offerIds: offerIds.slice(0, 1), reason: "made by a script", ...operator }), [{ offerId: offerIds[0], outcome: "reversed" }]);
    await resumeAccount(store, change);
    assert.deepEqual(await settle(), { confirmed: 1, isMore: false });
    assert.deepEqual(await statusesOf(store, accountId), ["reversed", "confirmed", "pending"], "not before its days are over");
  });

  it("confirms nothing of an account that is linked to one with an open hold", async () => {
    const { store } = await open();
    const [earlier, linked] = [await makeAccount(store, { nowMs: nowMs - 30 * msPerDay }), await makeAccount(store, { nowMs: nowMs - 30 * msPerDay })];
    await makePaidClicks(store, { accountId: linked.accountId, atMs: [nowMs - 9 * msPerDay] });
    const mark = { kind: "bank" as const, mark: "the same bank account" };
    await store.db.insertInto("payee_marks").values([{ ...mark, account_id: earlier.accountId, entered_at: 1 }, { ...mark, account_id: linked.accountId, entered_at: 2 }]).execute();
    const hold = (to: "open" | "lift") => changeHold(store, { accountId: earlier.accountId, to, reason: "a test", ...operator });
    const settle = () => settleClicks(store, { nowMs, holdDays: 7, isOver: () => false });
    await hold("open");
    assert.deepEqual(await settle(), { confirmed: 0, isMore: false });
    await hold("lift");
    assert.deepEqual(await settle(), { confirmed: 1, isMore: false });
  });

  it("reverses a pending click once: reversal entry, refund to budget and day, and removal from reports", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: nowMs - 30 * msPerDay });
    const { campaign, offerIds } = await makePaidClicks(store, { accountId, atMs: [nowMs - 2 * msPerDay, nowMs - msPerDay] });
    assert.equal(await spentBy(store, campaign.campaignId), 2 * priceMicroUsd);
    const reversal = { offerIds: [offerIds[0]!, "ad_none"], reason: "made by a script", ...operator };
    const rounds = await Promise.all(Array.from({ length: 5 }, () => reverseClicks(store, reversal)));
    const outcomes = rounds.flat().filter((each) => each.offerId === offerIds[0]).map((each) => each.outcome);
    assert.deepEqual(outcomes.toSorted(), [...Array.from({ length: 4 }, () => "already_reversed"), "reversed"]);
    assert.equal(rounds[0]?.find((each) => each.offerId === "ad_none")?.outcome, "unknown");

    assert.equal(await spentBy(store, campaign.campaignId), priceMicroUsd);
    const days = await store.db.selectFrom("campaign_days").select("spent_micro").where("campaign_id", "=", campaign.campaignId).orderBy("day").execute();
    assert.deepEqual(days.map((day) => day.spent_micro), [0, priceMicroUsd]);
    const hours = await store.db.selectFrom("ad_hours").select(["valid_clicks", "spend_micro"]).where("account_id", "=", accountId).execute();
    assert.equal(hours.reduce((sum, hour) => sum + hour.valid_clicks, 0), 1);
    assert.equal(hours.reduce((sum, hour) => sum + hour.spend_micro, 0), priceMicroUsd);
    const rates = await store.db.selectFrom("click_rates").select("clicks").where("creative_id", "=", campaign.creativeId).execute();
    assert.equal(rates.reduce((sum, rate) => sum + rate.clicks, 0), 1, "the auction does not learn from it");
    const entries = await readLedger(store, accountId);
    assert.deepEqual(entries.map((entry) => entry.kind), ["click", "click", "reversal"]);
    assert.equal(entries.reduce((sum, entry) => sum + entry.gross_micro, 0), await spentBy(store, campaign.campaignId), "the spend equals the ledger");
    const [click, , back] = entries;
    assert.deepEqual([back!.gross_micro, back!.developer_micro, back!.platform_micro], [-click!.gross_micro, -click!.developer_micro, -click!.platform_micro], "each gives back its own part");
    assert.equal((await verifyLedger(store)).ok, true);
    const noted = await store.db.selectFrom("audit_log").select(["action", "subject"]).where("action", "=", "click.reverse").execute();
    assert.deepEqual(noted.map((row) => ({ ...row })), [{ action: "click.reverse", subject: offerIds[0] }]);
  });

  it("reverses no confirmed click, and requires a reason", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: nowMs - 30 * msPerDay });
    const { offerIds } = await makePaidClicks(store, { accountId, atMs: [nowMs - 8 * msPerDay] });
    await settleClicks(store, { nowMs, holdDays: 7, isOver: () => false });
    assert.deepEqual(await reverseClicks(store, { offerIds, reason: "late", ...operator }), [{ offerId: offerIds[0], outcome: "already_confirmed" }]);
    await assert.rejects(reverseClicks(store, { offerIds, reason: "  ", ...operator }), /reason/);
    assert.equal((await readLedger(store, accountId)).length, 1);
  });

  it("opens one finding about clicks that a timer made for three days, and none about those of people", async () => {
    const { store } = await open();
    const { next: random } = createSeededRandom(5);
    const [timer, people] = [await makeAccount(store, { nowMs: nowMs - 30 * msPerDay }), await makeAccount(store, { nowMs: nowMs - 30 * msPerDay })];
    const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000, starts_at: 0 });
    const days = [3, 2, 1].map((back) => startOfDay(nowMs) - back * msPerDay);
    const byTimer = days.flatMap((day) => Array.from({ length: 30 }, (_, index) => day + index * 10 * msPerMinute));
    await makePaidClicks(store, { accountId: timer.accountId, campaign, atMs: byTimer });
    const atRandom = days.flatMap((day) => Array.from({ length: 30 }, () => Math.round(day + random() * 0.9 * msPerDay)).toSorted((a, b) => a - b));
    await makePaidClicks(store, { accountId: people.accountId, campaign, atMs: atRandom });
    // Enough impressions that neither rate stands out.
    await store.db.updateTable("ad_hours").set({ impressions: 1_000 }).execute();
    const isOver = () => false;
    assert.deepEqual(await watchClicks(store, { nowMs: days[2]! + msPerDay, isOver }), { days: 4, opened: 0, isMore: false }, "the last day is not complete yet");
    assert.deepEqual(await watchClicks(store, { nowMs: days[2]! + 2 * msPerDay - 1, isOver }), { days: 2, opened: 1, isMore: false });
    assert.deepEqual(await watchClicks(store, { nowMs, isOver }), { days: 0, opened: 0, isMore: false }, "each day counts once");
    const findings = await selectFindings(store.db, { accountId: undefined, limit: 10 }).execute();
    assert.deepEqual(findings.map((each) => [each.account_id, each.code]), [[timer.accountId, "regular_clicks"]]);
  });
});
