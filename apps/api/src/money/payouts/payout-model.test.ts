import fc from "fast-check";
import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { namePayee, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import type { Click, ClickOutcome } from "../../ads/clicks/decide-clicks.work.ts";
import { reverseClicks } from "../../ads/clicks/reverse-clicks.ts";
import { settleClicks } from "../../ads/clicks/settle-clicks.ts";
import { usdOf } from "../../formats/money.ts";
import { msPerDay, msPerMinute, startOfDay } from "../../formats/time.ts";
import { resumeAccount, suspendAccount } from "../../people/change-account.ts";
import type { CloseAccount, CloseOutcome } from "../../people/close-account.work.ts";
import { eraseSettledAccounts } from "../../people/close-account.ts";
import { openStore } from "../../store/open-store.ts";
import type { PayoutStatus } from "../../store/schema-payouts.ts";
import type { Store } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import { dayText } from "../days/day-refs.ts";
import { listCallDays } from "../days/list-days.ts";
import { reverseCalls } from "../days/reverse-calls.ts";
import { settleCalls } from "../days/settle-calls.ts";
import { changeHold } from "../holds/change-hold.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { makeStatement, monthOf } from "../statements/make-statement.ts";
import { waitReasonTexts } from "./money-states.ts";
import { explainMove, movePayoutTo } from "./move-payouts.ts";
import type { PayoutMove } from "./move-payouts.work.ts";
import { fundPlatform, readPlatformMoney } from "./platform-money.ts";
import { proposePayouts } from "./propose-payouts.ts";

const close = new URL("../../people/close-account.work.ts", import.meta.url);
const decideClicks = new URL("../../ads/clicks/decide-clicks.work.ts", import.meta.url);
const holdDays = 7;
const callHoldDays = 14;
const minimumMicroUsd = 40_000;
const clickMicroUsd = 68_000;
const accountsPerRun = 3;

const moves = { approve: "approved", export: "exported", pay: "paid", return: "returned", cancel: "cancelled" } as const;
const stateBefore = { approve: "proposed", export: "approved", pay: "exported", return: "paid", cancel: "proposed" } as const;
const actions = [
  "earn", "earn", "earn", "reverseDay", "reverseCall", "click", "reverse", "adjust", "fund", "deposit", "hold", "lift", "lift", "suspend", "resume", "resume", "close", "erase", "settle", "settle", "wait", "wait",
  "propose", "propose", "propose", "approve", "approve", "approve", "export", "export", "export", "pay", "pay", "pay", "return", "cancel",
] as const;

/** `who` names an account, `by` an operator, `node` a node; `twice`: the other node and operator do it at the same moment. */
const step = fc.record({
  action: fc.constantFrom(...actions),
  who: fc.nat(accountsPerRun - 1),
  by: fc.nat(1),
  node: fc.nat(1),
  twice: fc.boolean(),
  size: fc.integer({ min: 1, max: 4 }),
});
const still = { who: 0, by: 0, node: 0, twice: false, size: 3 };
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What the model knows of an account, from what was done alone. */
type Known = {
  accountId: string;
  calls: { sessionId: string; atMs: number; status: "pending" | "confirmed" | "reversed" }[];
  clicks: { offerId: string; atMs: number; status: "pending" | "confirmed" | "reversed" }[];
  adjusted: { atMs: number; microUsd: number }[];
  depositedMicroUsd: number;
  paidMicroUsd: number;
  payouts: Map<string, { status: PayoutStatus; microUsd: number; proposedBy: string }>;
  isSuspended: boolean;
  isHeldByOperator: boolean;
  isClosed: boolean;
  /** Whether it gave up its balance, or was erased. */
  mayGiveUp: boolean;
};

const isHeld = (account: Known) => account.isSuspended || account.isHeldByOperator;
const runsMin = 3;

/** The start of the first month whose earnings are not due yet. */
const dueBeforeMs = (nowMs: number) => {
  const at = new Date(nowMs - 14 * msPerDay);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
};
const endOfDay = (atMs: number) => startOfDay(atMs) + msPerDay;
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const openStatuses: ReadonlySet<PayoutStatus> = new Set(["proposed", "approved", "exported"]);

describeBothStores("payouts, whatever is done in whatever order by two operators on two nodes,", (open, dialect) => {
  it("pay no more than confirmed earnings, nothing that is held, nothing twice; every refusal names its reason", async () => {
    const database = await open();
    const other = dialect === "postgres" ? (await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} })).store : database.store;
    const nodes: readonly Store[] = [database.store, other];
    const { store } = database;
    const operators = [await makeAccount(store), await makeAccount(store)].map(({ accountId }) => accountId);
    const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000_000, starts_at: 0 });
    let nowMs = Date.parse("2026-01-10T12:00:00Z");
    let fundedMicroUsd = 0;
    const all: Known[] = [];

    /** Only what the rules allow to be paid: earned in months that are due, confirmed, less what was taken and paid. */
    function payableMicroUsd(account: Known): number {
      const calls = account.calls.filter(({ status, atMs }) => status === "confirmed" && atMs < dueBeforeMs(nowMs)).length * perCallMicroUsd;
      const clicks = account.clicks.filter(({ status, atMs }) => status === "confirmed" && atMs < dueBeforeMs(nowMs)).length * clickMicroUsd;
      // What an operator gave is due with its month; what was taken counts at once, hour by hour.
      const adjusted = [...Map.groupBy(account.adjusted, ({ atMs }) => atMs)].map(([atMs, some]) => {
        const microUsd = sum(some.map((each) => each.microUsd));
        return atMs < dueBeforeMs(nowMs) ? microUsd : Math.min(0, microUsd);
      });
      return calls + clicks + sum(adjusted) - account.paidMicroUsd;
    }
    const inHandMicroUsd = () => fundedMicroUsd + sum(all.map((account) => account.depositedMicroUsd));
    const promisedMicroUsd = () => sum(all.flatMap((account) => [...account.payouts.values()].filter(({ status }) => openStatuses.has(status)).map(({ microUsd }) => microUsd)));
    const paidMicroUsd = () => sum(all.map((account) => account.paidMicroUsd));

    async function propose(node: Store, by: string): Promise<void> {
      const { proposed, waiting } = await proposePayouts(node, { ...growthLimits, nowMs, minimumMicroUsd, actorAccountId: by });
      for (const { reason } of waiting) assert.ok(waitReasonTexts[reason], `a reason: ${reason}`);
      for (const payout of proposed) {
        const account = all.find((each) => each.accountId === payout.account_id)!;
        assert.ok(!isHeld(account), "nothing is proposed for a held account");
        assert.ok(![...account.payouts.values()].some(({ status }) => openStatuses.has(status)), "one at a time");
        assert.ok(payout.amount_micro <= payableMicroUsd(account), "no more than what is confirmed and due");
        account.payouts.set(payout.id, { status: "proposed", microUsd: payout.amount_micro, proposedBy: by });
      }
    }

    async function move(node: Store, by: string, account: Known, to: PayoutMove["to"]): Promise<void> {
      const [payoutId, known] = [...account.payouts].at(-1) ?? [];
      if (payoutId === undefined || !known) return;
      const before = known.status;
      const outcome = await movePayoutTo(node, { ...growthLimits, payoutId, to, note: "model", actorAccountId: by, fourEyes: true, nowMs });
      if (outcome.kind !== "moved") {
        assert.ok(explainMove(outcome).length > 10, "a refusal has a sentence");
        assert.ok(to !== "paid" || before !== "exported", "what the bank did is recorded");
        const isForward = to === "approved" || to === "exported";
        if (isForward && isHeld(account) && outcome.kind === "waits") assert.equal(outcome.reason, "held");
        return;
      }
      if (to === "approved") assert.notEqual(by, known.proposedBy, "four eyes");
      if (to === "paid") assert.equal(before, "exported", "only what the bank was given");
      if (to === "approved" || to === "exported") {
        assert.ok(!isHeld(account), `${to} while held`);
        assert.ok(known.microUsd <= payableMicroUsd(account), `${to} beyond what is confirmed and due`);
      }
      if (to === "paid") account.paidMicroUsd += known.microUsd;
      if (to === "returned" && before === "paid") account.paidMicroUsd -= known.microUsd;
      known.status = to;
    }

    async function click(node: Store, account: Known): Promise<void> {
      const offer = await makeOffer(node, { accountId: account.accountId, campaign, atMs: nowMs - msPerMinute, price_micro: 100_000, share_bps: 6_800, developer_micro: clickMicroUsd });
      const clicks: Click[] = [{ offerId: offer.id, atMs: nowMs, agent: "person" }];
      const [outcome] = await node.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks });
      if (outcome?.verdict === "paid") account.clicks.push({ offerId: offer.id, atMs: nowMs, status: "pending" });
    }

    async function correct(node: Store, operator: string, account: Known, kind: "adjustment" | "deposit", microUsd: number): Promise<void> {
      const { accountId } = account;
      await bookCorrection(node, { accountId, kind, on: "earnings", microUsd, reason: "model", actorAccountId: operator, mayCorrectOwn: false, nowMs });
      if (kind === "deposit") account.depositedMicroUsd += microUsd;
      else account.adjusted.push({ atMs: nowMs, microUsd });
    }

    const balanceOf = async ({ accountId }: Known) =>
      (await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow()).balance_micro;
    const isErased = async ({ accountId }: Known) =>
      (await store.db.selectFrom("account_closures").select("account_id").where("account_id", "=", accountId).where("erased_at", "is not", null).execute()).length > 0;

    /** Notes what `work` took from balances: only accounts that gave theirs up, or were erased, may lose anything. */
    async function giveUp(accounts: readonly Known[], work: () => Promise<unknown>): Promise<void> {
      const before = new Map<Known, { balance: number; isErased: boolean }>();
      for (const account of accounts) before.set(account, { balance: await balanceOf(account), isErased: await isErased(account) });
      await work();
      for (const [account, was] of before) {
        const isErasedNow = await isErased(account);
        if (isErasedNow && !was.isErased) {
          assert.ok(account.isClosed && !isHeld(account), "erased while held");
          assert.ok(![...account.clicks, ...account.calls].some(({ status }) => status === "pending"), "erased while something may be reversed");
          assert.ok(![...account.payouts.values()].some(({ status }) => openStatuses.has(status) && (status === "exported" || !account.mayGiveUp)), "erased with a payout under way");
          account.mayGiveUp = true;
        }
        const microUsd = (await balanceOf(account)) - was.balance;
        if (microUsd === 0) continue;
        assert.ok(account.mayGiveUp && microUsd < 0, "only what is given up is taken");
        account.adjusted.push({ atMs: nowMs, microUsd });
        for (const payout of account.payouts.values()) if (payout.status === "proposed" || payout.status === "approved") payout.status = "cancelled";
      }
    }

    /** One node after the other or, for what may race, both at once. */
    async function take({ action, who, by, node: at, twice, size }: Step, accounts: readonly Known[]): Promise<void> {
      const [account, node, operator] = [accounts[who]!, nodes[at]!, operators[by]!];
      const { accountId } = account;
      const both = async (work: (node: Store, operator: string) => Promise<void>) => {
        await work(node, operator);
        if (twice) await work(nodes[1 - at]!, operators[1 - by]!);
      };
      const actor = { accountId, reason: "model", actorAccountId: operator, nowMs };
      switch (action) {
        case "earn": {
          if (account.isClosed) return;
          const charger = makeCharger(node, { nowMs });
          const sessionIds = Array.from({ length: size }, () => idAt(nowMs));
          await Promise.all(sessionIds.map((sessionId) => charger.charge(makeCharge({ accountId, atMs: nowMs, ref: sessionId }))));
          account.calls.push(...sessionIds.map((sessionId) => ({ sessionId, atMs: nowMs, status: "pending" as const })));
          return;
        }
        case "reverseDay":
        case "reverseCall": {
          const first = account.calls.find(({ status, atMs }) => status === "pending" && endOfDay(atMs) <= nowMs);
          if (!first) return;
          const day = dayText(startOfDay(first.atMs));
          const calls = action === "reverseDay" ? { day } : { from_session: first.sessionId, to_session: first.sessionId };
          const outcomes = await Promise.allSettled([node, nodes[1 - at]!].map((each) => reverseCalls(each, { accountId, calls, reason: "model", actorAccountId: operator, nowMs })));
          assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"], "reversed once");
          for (const each of account.calls) {
            if (each === first || (action === "reverseDay" && each.status === "pending" && dayText(startOfDay(each.atMs)) === day)) each.status = "reversed";
          }
          return;
        }
        case "click":
          return click(node, account);
        case "reverse": {
          const pending = account.clicks.find(({ status }) => status === "pending");
          if (!pending) return;
          const outcomes = await Promise.all([node, nodes[1 - at]!].map((each) => reverseClicks(each, { offerIds: [pending.offerId], reason: "model", actorAccountId: operator, nowMs })));
          assert.equal(outcomes.flat().filter(({ outcome }) => outcome === "reversed").length, 1, "reversed once");
          pending.status = "reversed";
          return;
        }
        case "adjust":
          return correct(node, operator, account, "adjustment", (twice ? -1 : 1) * size * 10_000);
        case "deposit":
          return correct(node, operator, account, "deposit", size * 20_000);
        case "fund":
          await fundPlatform(node, { microUsd: size * 50_000, actorAccountId: operator, nowMs });
          fundedMicroUsd += size * 50_000;
          return;
        case "hold":
          await changeHold(node, { ...actor, to: "open" });
          account.isHeldByOperator = true;
          return;
        case "lift": {
          const outcome = await changeHold(node, { ...actor, to: "lift" });
          account.isHeldByOperator = false;
          if (outcome.kind === "lifted" && outcome.lifted.includes("suspension")) account.isSuspended = false;
          return;
        }
        case "suspend":
          if ((await suspendAccount(node, { ...actor, channel: undefined })) === "changed") account.isSuspended = true;
          return;
        case "resume":
          if ((await resumeAccount(node, { ...actor, channel: undefined })) === "changed") account.isSuspended = false;
          return;
        case "close":
          if (size < 4) return;
          account.isClosed = true;
          account.mayGiveUp ||= twice;
          return giveUp([account], () => node.transact<CloseAccount, CloseOutcome>(close, { accountId, forfeit: twice, nowMs }));
        case "erase":
          return giveUp(all, () => eraseSettledAccounts({ store: node, deleteMailFiles: async () => {} }, nowMs, () => false));
        case "settle":
          await settleClicks(node, { nowMs, holdDays, isOver: () => false });
          await Promise.all([node, nodes[1 - at]!].map((each) => settleCalls(each, { nowMs, holdDays: callHoldDays, isOver: () => false })));
          for (const each of all.filter((one) => !isHeld(one))) {
            for (const one of each.calls) if (one.status === "pending" && endOfDay(one.atMs) + callHoldDays * msPerDay <= nowMs) one.status = "confirmed";
            for (const one of each.clicks) if (one.status === "pending" && one.atMs <= nowMs - holdDays * msPerDay) one.status = "confirmed";
          }
          return;
        case "wait":
          nowMs += size * (twice ? 1 : 8) * msPerDay;
          return;
        case "propose":
          if (!twice) return propose(node, operator);
          await Promise.all([propose(node, operator), propose(nodes[1 - at]!, operators[1 - by]!)]);
          return;
        case "approve":
        case "cancel":
        case "export":
        case "pay":
        case "return": {
          // Mostly where it can succeed: chance alone would seldom bring a payout to its end.
          const ready = accounts.find((each) => [...each.payouts.values()].at(-1)?.status === stateBefore[action]);
          return both((each, actorId) => move(each, actorId, size > 1 && ready ? ready : account, moves[action]));
        }
      }
    }

    const run = async (steps: readonly Step[]) => {
      const accounts: Known[] = [];
      for (let each = 0; each < accountsPerRun; each += 1) {
        const { accountId } = await makeAccount(store, { nowMs });
        await namePayee(store, accountId);
        accounts.push({ accountId, calls: [], clicks: [], adjusted: [], depositedMicroUsd: 0, paidMicroUsd: 0, payouts: new Map(), isSuspended: false, isHeldByOperator: false, isClosed: false, mayGiveUp: false });
      }
      all.push(...accounts);
      // A run starts on a day on which something was earned and can be paid.
      for (const who of accounts.keys()) await take({ ...still, action: "earn", who }, accounts);
      await take({ ...still, action: "fund", size: 8 }, accounts);
      nowMs += 50 * msPerDay;
      await take({ ...still, action: "settle" }, accounts);
      for (const each of steps) {
        await take(each, accounts);
        assert.ok(promisedMicroUsd() + paidMicroUsd() <= inHandMicroUsd(), "never beyond the money in hand");
      }
      // Whatever happened: a round of payouts that pays what may be paid.
      await propose(nodes[0]!, operators[0]!);
      for (const account of accounts) {
        for (const to of ["approved", "exported", "paid"] as const) {
          for (const [at, operator] of operators.entries()) await move(nodes[at]!, operator, account, to);
        }
      }
      for (const account of accounts) {
        const entries = await readLedger(store, account.accountId);
        const refs = entries.map((entry) => `${entry.kind} ${entry.ref}`);
        assert.equal(new Set(refs).size, refs.length, "no entry is doubled");
        const booked = 0 - sum(entries.filter(({ kind }) => kind === "payout" || kind === "payout_returned").map((entry) => entry.developer_micro));
        assert.equal(booked, account.paidMicroUsd, "what was paid is what is booked");
        const earned = account.calls.filter(({ status }) => status !== "reversed").length * perCallMicroUsd + account.clicks.filter(({ status }) => status !== "reversed").length * clickMicroUsd;
        const adjusted = sum(account.adjusted.map(({ microUsd }) => microUsd));
        const expected = earned + adjusted + account.depositedMicroUsd - account.paidMicroUsd;
        assert.deepEqual([sum(entries.map((entry) => entry.developer_micro)), await balanceOf(account)], [expected, expected], "every sum equals the ledger");
        const statement = (await makeStatement(store, { accountId: account.accountId, month: monthOf(nowMs), nowMs }))!;
        assert.equal(statement.closing_balance_usd, usdOf(expected), "and the statement");
        const pendingMicroUsd = account.calls.filter(({ status }) => status === "pending").length * perCallMicroUsd;
        assert.equal((await listCallDays(store, { accountId: account.accountId, holdDays: callHoldDays })).pending_usd, usdOf(pendingMicroUsd), "what is pending");
        const stored = await store.db.selectFrom("payouts").select(["id", "status"]).where("account_id", "=", account.accountId).execute();
        assert.deepEqual(new Map(stored.map(({ id, status }) => [id, status])), new Map([...account.payouts].map(([id, { status }]) => [id, status])));
      }
      assert.ok((await readPlatformMoney(store)).availableMicroUsd >= 0, "what is promised is in hand");
    };
    let runs = 0;
    const enoughMs = performance.now() + 15_000;
    /** As many of the runs as there is time for, but always a few: a slow machine runs them as well. */
    const runInTime = async (steps: Parameters<typeof run>[0]) => {
      if (runs >= runsMin && performance.now() > enoughMs) return;
      runs += 1;
      await run(steps);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: "max" }), runInTime), { numRuns: 20, endOnFailure: true });
    const report = await verifyLedger(store);
    if (other !== store) await other.close();
    assert.deepEqual([report.ok, report.breaks], [true, []]);
    assert.ok(all.flatMap((account) => [...account.payouts.values()]).some(({ status }) => status === "paid"), "some runs went all the way");
  });
});
