import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { plantFinding } from "../../../test/money/plant-finding.ts";
import { inForcedOrder } from "../../../test/store/hold-rows.ts";
import type { Click, ClickOutcome } from "../../ads/clicks/decide-clicks.work.ts";
import { reverseClicks } from "../../ads/clicks/reverse-clicks.ts";
import { moneyWrites } from "../../console/operator/money-writes.ts";
import { msPerMinute } from "../../formats/time.ts";
import { changeTier, resumeAccount, suspendAccount } from "../../people/change-account.ts";
import type { PayeeChange, PayeeChangeOutcome } from "../../people/change-payee.work.ts";
import type { Unlink, UnlinkOutcome } from "../../people/unlink-payee.work.ts";
import { decideFinding } from "../../scoring/traffic/close-finding.ts";
import type { PayoutStatus } from "../../store/schema-payouts.ts";
import type { Store } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import { reverseCalls } from "../days/reverse-calls.ts";
import { openOperatorFinding, reopenFinding } from "../findings/change-finding.ts";
import { setReview } from "../growth/set-review.ts";
import { changeHold } from "../holds/change-hold.ts";
import { movePayouts, movePayoutTo } from "../payouts/move-payouts.ts";
import type { PayoutMove } from "../payouts/move-payouts.work.ts";
import { allowWaiting, decideOnWaiting } from "../unexamined/change-waiting.ts";
import type { WaitingDecision } from "../unexamined/decide-waiting.work.ts";

const changePayee = new URL("../../people/change-payee.work.ts", import.meta.url);
const decideClicks = new URL("../../ads/clicks/decide-clicks.work.ts", import.meta.url);
const nowMs = Date.parse("2026-03-10T12:00:00Z");
const reason = "a test";

type Actor = { actorAccountId: string; fourEyes: boolean };
/** What happened in one word, or in a sentence. */
type Act = (store: Store, accountId: string, actor: Actor) => Promise<string>;

const isOwnRefusal = (said: string): boolean => /own_account|own_payout|own account/.test(said);

let planted = 0;
async function plantPayout(store: Store, accountId: string, status: PayoutStatus): Promise<string> {
  const id = `po_planted_${(planted += 1)}`;
  const times = { proposed_at: 1, approved_at: null, exported_at: null, paid_at: null, returned_at: null };
  // Each account has at most one open payout.
  await store.db.deleteFrom("payouts").where("account_id", "=", accountId).execute();
  await store.db.insertInto("payouts").values({ id, account_id: accountId, month: "2026-01", amount_micro: 1, status, ...times, note: null, payout_seq: null, returned_seq: null }).execute();
  return id;
}

const move = (from: PayoutStatus, to: PayoutMove["to"]): Act => async (store, accountId, actor) =>
  (await movePayoutTo(store, { ...growthLimits, ...actor, payoutId: await plantPayout(store, accountId, from), to, note: reason, nowMs })).kind;

/** One pending click per account. */
async function plantClick(store: Store, accountId: string): Promise<string> {
  const [known] = await store.db.selectFrom("clicks").select("offer_id").where("account_id", "=", accountId).where("status", "=", "pending").execute();
  if (known) return known.offer_id;
  const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000, starts_at: 0 });
  const { id } = await makeOffer(store, { accountId, campaign, atMs: nowMs - msPerMinute });
  await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks: [{ offerId: id, atMs: nowMs, agent: "person" }] });
  return id;
}

const unlinkModule = new URL("../../people/unlink-payee.work.ts", import.meta.url);
const bystanders = new Map<unknown, string>();
/** An account that a decision about two accounts is also about. */
async function addBystander(store: Store): Promise<void> {
  bystanders.set(store.db, (await makeAccount(store)).accountId);
}
const link = (to: Unlink["to"], isSubject: boolean): Act => (store, accountId, actor) => {
  const [one, other] = [accountId, bystanders.get(store.db)!];
  const pair = isSubject ? { accountId: one, fromAccountId: other } : { accountId: other, fromAccountId: one };
  return store.transact<Unlink, UnlinkOutcome>(unlinkModule, { ...actor, ...pair, to, reason, nowMs });
};

/** Something that waits, of which each account has one row at a time. */
const decide = (decision: WaitingDecision["decision"]): Act => async (store, accountId, actor) => {
  const waitingId = `wait_planted_${(planted += 1)}`;
  await store.db.deleteFrom("waiting_earnings").where("account_id", "=", accountId).execute();
  const detail = JSON.stringify({ kind: "crowded_network", clicks: 40, settled: 10 });
  await store.db.insertInto("waiting_earnings").values({ id: waitingId, account_id: accountId, reason: "crowded_network", day: 0, items: 1, developer_micro: 1, detail, at: 1 }).execute();
  await decideOnWaiting(store, { ...actor, waitingId, decision, reason, nowMs });
  return decision;
};

/** Every decision of an operator about one account's money or standing, by the console's route for it. */
const decisions: Record<string, Record<string, Act>> = {
  "POST /accounts/:account_id/hold": { "open a hold": async (store, accountId, actor) => (await changeHold(store, { ...actor, accountId, to: "open", reason, nowMs })).kind },
  "POST /accounts/:account_id/lift-hold": { "lift a hold": async (store, accountId, actor) => (await changeHold(store, { ...actor, accountId, to: "lift", reason, nowMs })).kind },
  "POST /accounts/:account_id/suspend": { suspend: (store, accountId, actor) => suspendAccount(store, { ...actor, accountId, reason, nowMs, channel: undefined }) },
  "POST /accounts/:account_id/resume": { resume: (store, accountId, actor) => resumeAccount(store, { ...actor, accountId, reason, nowMs, channel: undefined }) },
  "POST /accounts/:account_id/tier": {
    "change the tier": async (store, accountId, actor) => (await changeTier(store, { ...actor, accountId, tier: "Scale", nowMs, channel: undefined })).kind,
  },
  "POST /tier-requests/:request_id": {
    "refuse a tier": async (store, accountId, actor) =>
      (await changeTier(store, { ...actor, accountId, tier: "Scale", requestId: "treq_none", isRefusal: true, nowMs, channel: undefined })).kind,
  },
  "POST /accounts/:account_id/deposits": {
    deposit: async (store, accountId, { actorAccountId, fourEyes }) =>
      (await bookCorrection(store, { accountId, kind: "deposit", on: "prepaid", microUsd: 1, reason: undefined, actorAccountId, mayCorrectOwn: !fourEyes, nowMs })).ref,
  },
  "POST /accounts/:account_id/adjustments": {
    adjust: async (store, accountId, { actorAccountId, fourEyes }) =>
      (await bookCorrection(store, { accountId, kind: "adjustment", on: "earnings", microUsd: 1, reason, actorAccountId, mayCorrectOwn: !fourEyes, nowMs })).ref,
    refund: async (store, accountId, { actorAccountId, fourEyes }) =>
      (await bookCorrection(store, { accountId, kind: "adjustment", on: "prepaid", microUsd: -1, reason, actorAccountId, mayCorrectOwn: !fourEyes, nowMs })).ref,
  },
  "POST /accounts/:account_id/review": { review: async (store, accountId, actor) => (await setReview(store, { ...actor, accountId, monthlyMicroUsd: 1, reason, nowMs })).kind },
  "POST /accounts/:account_id/waiting-allowance": {
    "allow what waits": async (store, accountId, actor) => {
      await allowWaiting(store, { ...actor, accountId, waitingReason: "unexamined", dailyMicroUsd: 1, reason, nowMs });
      return "allowed";
    },
  },
  "POST /waiting/:waiting_id/decide": { "settle what waits": decide("settled"), "reverse what waits": decide("reversed") },
  "POST /findings": {
    "open a finding": async (store, accountId, actor) => (await openOperatorFinding(store, { ...actor, accountId, reason, days: [], nowMs })).findingId,
  },
  "POST /findings/:finding_id/decide": {
    "dismiss a finding": async (store, accountId, actor) => {
      const { findingId } = await plantFinding(store, { accountId, nowMs, calls: 1 });
      return JSON.stringify(await decideFinding(store, { ...actor, findingId, decision: "dismissed", reason, reverse: undefined, nowMs }));
    },
  },
  "POST /findings/:finding_id/reopen": {
    "reopen a finding": async (store, accountId, actor) => {
      await store.db.updateTable("findings").set({ closed_at: 1, decision: "dismissed", resolution: reason }).where("account_id", "=", accountId).execute();
      await reopenFinding(store, { ...actor, findingId: `find_${accountId}`, reason, nowMs });
      return "reopened";
    },
  },
  "POST /accounts/:account_id/reverse-calls": {
    "reverse calls": async (store, accountId, actor) => JSON.stringify((await reverseCalls(store, { ...actor, accountId, calls: { day: "2026-03-09" }, reason, nowMs })).refs),
  },
  "POST /clicks/reverse": {
    "reverse clicks": async (store, accountId, actor) => JSON.stringify(await reverseClicks(store, { ...actor, offerIds: [await plantClick(store, accountId)], reason, nowMs })),
  },
  "POST /payouts/:payout_id/approve": { "approve a payout": move("proposed", "approved") },
  "POST /payouts/approve": {
    "approve payouts at once": async (store, accountId, actor) =>
      (await movePayouts(store, { ...growthLimits, ...actor, payoutIds: ["po_none", await plantPayout(store, accountId, "proposed")], to: "approved", note: null, nowMs }))[1]!.kind,
  },
  "POST /payouts/export": { "export a payout": move("approved", "exported") },
  "POST /payouts/:payout_id/return": { "return a payout": move("exported", "returned"), "return what was paid": move("paid", "returned") },
  "POST /payouts/:payout_id/cancel": { "cancel a payout": move("proposed", "cancelled") },
  "POST /accounts/:account_id/unlink": {
    unlink: link("unlink", true),
    "unlink another from it": link("unlink", false),
    "accept its proof": link("prove", true),
    "accept another's proof": link("prove", false),
  },
  "POST /accounts/:account_id/relink": { relink: link("relink", true) },
};
const actions: Record<string, Act> = Object.assign({}, ...Object.values(decisions));

/** What moves money and is no decision about one account. */
const aboutNobody: Record<string, string> = {
  "POST /funding": "it is the platform's own money",
  "POST /payouts/propose": "it selects nobody: the rules do",
  "POST /payouts/:payout_id/paid": "what the bank did is recorded, whoever records it",
  "POST /campaigns": "whoever's clicks come are paid",
  "PATCH /campaigns/:id": "whoever's clicks come are paid",
  "POST /campaigns/:id/state": "whoever's clicks come are paid",
};

const mark = (store: Store, accountId: string, name = "one bank account") =>
  store.db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: name, entered_at: 1 }).execute();

describe("the routes that move money", () => {
  it("are each tried here as decisions about one account, or are about nobody", () => {
    const tried = [...Object.keys(decisions), ...Object.keys(aboutNobody)].map((route) => route.replace(" ", " /dashboard/api/operator"));
    assert.deepEqual(tried.toSorted(), [...moneyWrites].toSorted());
  });
});

describeBothStores("an operator's decisions about money and standing", (open, dialect) => {
  it("are nobody's about its own account or a linked one, whatever the decision is, but with PAYOUT_FOUR_EYES=off [threat: own-interest]", async () => {
    const { store } = await open();
    const [operator, linked, stranger] = [await makeAccount(store), await makeAccount(store), await makeAccount(store)];
    await addBystander(store);
    // Whoever came first, and whatever an operator unlinked.
    for (const { accountId } of [linked, operator]) await mark(store, accountId);
    await store.db.insertInto("payee_unlinks").values({ account_id: operator.accountId, from_account_id: linked.accountId, unlinked_at: 1 }).execute();
    const subjects = { own: operator, linked, stranger };
    const wrong: string[] = [];
    for (const fourEyes of [true, false]) {
      for (const [relation, { accountId }] of Object.entries(subjects)) {
        for (const [name, act] of Object.entries(actions)) {
          const isExpected = fourEyes && relation !== "stranger";
          const audited = async () => (await store.db.selectFrom("audit_log").select("id").execute()).length;
          const before = await audited();
          const said = await act(store, accountId, { actorAccountId: operator.accountId, fourEyes }).catch((error: Error) => error.message);
          if (isOwnRefusal(said) !== isExpected) wrong.push(`${name}, ${relation}, four eyes ${fourEyes}: ${said}`);
          if (isExpected && (await audited()) !== before) wrong.push(`${name}, ${relation}: it is refused and changes something`);
        }
        // Findings and calls of one account serve one round.
        await store.db.deleteFrom("findings").execute();
        await store.db.deleteFrom("integrity_evidence").execute();
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("are refused where the link was being made while the decision was asked for [threat: own-interest]", async () => {
    // SQLite has one writer.
    if (dialect === "sqlite") return;
    for (const changing of ["operator", "subject"] as const) {
      const database = await open();
      const { store } = database;
      const [operator, subject] = [await makeAccount(store), await makeAccount(store)];
      await addBystander(store);
      await plantFinding(store, { accountId: subject.accountId, nowMs, calls: 1 });
      await plantClick(store, subject.accountId);
      const changer = changing === "operator" ? operator : subject;
      await mark(store, (changing === "operator" ? subject : operator).accountId, "shared");
      for (const [name, act] of Object.entries(actions)) {
        if (name === "dismiss a finding") continue;
        await store.db.deleteFrom("payee_profiles").execute();
        await store.db.deleteFrom("payee_marks").where("account_id", "=", changer.accountId).execute();
        const profile = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "paypal" as const, account: `${name.replaceAll(/\W/g, "-")}@example.com`, bank_code: null };
        const change: PayeeChange = { accountId: changer.accountId, profile, marks: [{ kind: "bank", mark: "shared" }], restMs: 0, resetUrl: "https://assay.example", nowMs };
        const [, said] = await inForcedOrder(database, {
          held: { text: "INSERT INTO audit_log (id, at, action, subject, detail) VALUES ('act_held', 0, 'test.hold', 'test', '{}')", values: [] },
          first: (patient) => patient.transact<PayeeChange, PayeeChangeOutcome>(changePayee, change),
          second: (patient) => act(patient, subject.accountId, { actorAccountId: operator.accountId, fourEyes: true }).catch((error: Error) => error.message),
        });
        assert.ok(isOwnRefusal(said), `${name}, while the ${changing} changes its payee: ${said}`);
      }
    }
  });
});
