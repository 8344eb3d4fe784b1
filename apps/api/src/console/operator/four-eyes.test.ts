import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeEarner } from "../../../test/money/make-earner.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { msPerDay } from "../../formats/time.ts";
import { fundPlatform } from "../../money/payouts/platform-money.ts";

const root = "/dashboard/api/operator";
const earnedMs = Date.now() - 90 * msPerDay;

describeBothStores("two operators in the console", (open) => {
  it("share a payout's steps: who proposed gets 403 with the remedy, the other approves many at once, a hold stops one", async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve({ env: { PAYOUT_MINIMUM_USD: "0.01", PAYOUT_FOUR_EYES: "on" } });
    const [first, second] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    const [one, other] = [await signIn(service, first), await signIn(service, second)];
    const earners = await Promise.all([1, 2, 3].map(() => makeEarner(store, { atMs: earnedMs, calls: 1 })));
    await fundPlatform(store, { microUsd: 10_000_000, actorAccountId: null, nowMs: earnedMs });
    const { proposed } = (await one.post(`${root}/payouts/propose`, {})).json() as { proposed: { id: string; account_id: string; proposed_by: string }[] };
    assert.deepEqual(proposed.map((each) => each.proposed_by), [first.email, first.email, first.email]);

    const refused = await one.post(`${root}/payouts/${proposed[0]!.id}/approve`, {});
    assert.equal(refused.status, 403);
    assert.match(refused.text, /account create --operator.*PAYOUT_FOUR_EYES=off/);
    assert.equal((await one.post(`${root}/accounts/${earners[0]!.accountId}/hold`, { reason: "under review" })).status, 200);
    const approved = await other.post(`${root}/payouts/approve`, { ids: [...proposed.map((each) => each.id), "po_none"] });
    const { outcomes } = approved.json() as { outcomes: { id: string; outcome: string; message: string | null }[] };
    const expected = proposed.map((each) => (each.account_id === earners[0]!.accountId ? "held" : "approved"));
    assert.deepEqual(outcomes.map(({ outcome }) => outcome), [...expected, "unknown"]);
    assert.match(outcomes.find(({ outcome }) => outcome === "held")!.message!, /on hold.*Lift the hold/);

    const held = proposed.find((each) => each.account_id === earners[0]!.accountId)!;
    const alone = await other.post(`${root}/payouts/${held.id}/approve`, {});
    assert.deepEqual([alone.status, alone.text.startsWith('{"error":"invalid_request","message":"held: ')], [400, true]);
    const cancelled = await other.post(`${root}/payouts/${held.id}/cancel`, { reason: "under review" });
    assert.deepEqual([cancelled.status, (cancelled.json() as { status: string; note: string }).note], [200, "under review"]);
    const file = await one.post(`${root}/payouts/export`, {});
    assert.match(String(file.headers["content-disposition"]), /payouts-export_\w+\.csv/);
    const again = await other.post(`${root}/payouts/export`, { again: true });
    assert.equal(again.text, file.text);

    const money = (await one.get(`${root}/money`)).json() as { four_eyes: string; states: { confirmed: { waiting: { reason: string }[]; in_payout_usd: number } } };
    assert.deepEqual([money.four_eyes, money.states.confirmed.waiting.map(({ reason }) => reason), money.states.confirmed.in_payout_usd], ["on", ["held"], 0.068]);
    const waits = (await one.get(`${root}/payouts/candidates`)).json() as { candidates: { account_id: string; held: string | null }[] };
    assert.equal(waits.candidates.find((each) => each.account_id === held.account_id)?.held, "held");
  });
});
