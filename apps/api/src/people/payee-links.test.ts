import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { readTables } from "../../test/dump-database.ts";
import { growthLimits } from "../../test/money/growth-limits.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { type Browser, makeSignInAccount, signIn } from "../../test/people/browser.ts";
import type { TestService } from "../../test/start-service.ts";
import { openHold } from "../money/holds/holds.table.ts";
import { readMoneyOf } from "../money/payouts/read-account-money.ts";
import { selectEarlierSharers } from "../register/payees.table.ts";
import { readerOf, type Store } from "../store/store.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { PayeeChange, PayeeChangeOutcome } from "./change-payee.work.ts";
import { markPayees } from "./mark-payees.ts";
import { marksOf } from "./payee-marks.ts";

const changePayeeWork = new URL("./change-payee.work.ts", import.meta.url);
const bank = { legal_name: "Ada", address: "London", country: "DE", tax_id: null, method: "bank_transfer" as const, bank_code: null, bank_country: "AU" };
/** Valid account numbers, one for each test, so that no test is linked to another. */
let numbers = 0;
const newAccount = () => ({ account: `0004-${1_000_000 + (numbers += 1)}`, bank_code: "20-00-00" });

type Person = { accountId: string; email: string; password: string; browser: Browser };
type PayeeState = { changed_at: string | null; usable_from: string | null; linked_to: { account_id: string; email: string }[]; linked_from: { account_id: string }[] };

const marks: Marks = { mark: async (purpose, text) => `${purpose} ${text}` };

/** As the service does it, once the person is known to be the account's. */
async function enter(store: Store, accountId: string, profile: PayeeProfile): Promise<void> {
  const change = { accountId, profile, marks: await marksOf(marks, profile), restMs: 0, resetUrl: "https://assay.example/reset", nowMs: Date.now() };
  assert.equal((await store.transact<PayeeChange, PayeeChangeOutcome>(changePayeeWork, change)).kind, "changed");
}

describeBothStores("linked accounts", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let operator: Person;
  before(async () => {
    database = await open();
    service = await database.serve({ env: { PAYOUT_FOUR_EYES: "on" } });
    operator = await makePerson({ operator: true });
  });

  async function makePerson(options: { operator?: boolean } = {}): Promise<Person> {
    const account = await makeSignInAccount(database.store, options);
    return { ...account, browser: await signIn(service, account) };
  }

  async function save({ browser, password }: Person, profile: object): Promise<void> {
    const answer = await browser.request("PUT", "/dashboard/api/payee", { ...bank, ...profile, password });
    assert.equal(answer.status, 200, answer.text);
  }

  const hold = ({ accountId }: Person) => openHold(database.store.db, { accountId, kind: "operator", reason: "Under review.", openedBy: null, nowMs: Date.now() }).execute();
  const earlierOf = async (accountId: string, store = database.store) => (await selectEarlierSharers(store.db, [accountId]).execute()).map((row) => row.earlier_id).toSorted();
  const isLinkedToHeld = async ({ accountId }: Person) =>
    (await readMoneyOf(readerOf(database.store), { ...growthLimits, accountIds: [accountId], nowMs: Date.now(), minimumMicroUsd: 0 }))[0]!.facts.isLinkedToHeld;
  const stateOf = async ({ accountId }: Person) => (await operator.browser.get(`/dashboard/api/operator/accounts/${accountId}/payee-state`)).json() as PayeeState;

  it("are those that named the same bank account or tax number later, however it was written", async () => {
    const [first, second, third, stranger] = [await makePerson(), await makePerson(), await makePerson(), await makePerson()];
    const { account, bank_code: bankCode } = newAccount();
    await save(first, { account, bank_code: bankCode, tax_id: "DE 123/456" });
    await save(second, { account: account.replace("0004-", "4 "), bank_code: "200000" });
    await save(third, { ...newAccount(), tax_id: "123456" });
    await save(stranger, { ...newAccount(), country: "AT", tax_id: "123456" });
    assert.deepEqual([await earlierOf(first.accountId), await earlierOf(second.accountId), await earlierOf(third.accountId), await earlierOf(stranger.accountId)], [[], [first.accountId], [first.accountId], []]);
    const state = await stateOf(first);
    assert.deepEqual([state.linked_to, state.linked_from.map((each) => each.account_id)], [[], [second.accountId, third.accountId].toSorted()]);
    assert.deepEqual((await stateOf(second)).linked_to, [{ account_id: first.accountId, email: first.email }]);
    await database.store.db.updateTable("payee_marks").set({ entered_at: 7 }).where("account_id", "in", [first.accountId, second.accountId]).execute();
    const [smaller, larger] = first.accountId < second.accountId ? [first, second] : [second, first];
    assert.deepEqual([await earlierOf(smaller.accountId), await earlierOf(larger.accountId)], [[], [smaller.accountId]], "of two at the same moment, the smaller id is the first");
  });

  it("change nothing for the one that was first: entering a victim's bank account does not touch the victim [threat: victims-bank-account]", async () => {
    // No service: its jobs touch every account.
    const { store, dataDir } = await open();
    const [victim, attacker] = [(await makeSignInAccount(store)).accountId, (await makeSignInAccount(store)).accountId];
    const nowMs = Date.now();
    const profile = { ...bank, ...newAccount(), tax_id: "V1" };
    const holdOf = (accountId: string) => openHold(store.db, { accountId, kind: "operator", reason: "Under review.", openedBy: null, nowMs }).execute();
    const moneyOf = async (accountId: string) => (await readMoneyOf(readerOf(store), { ...growthLimits, accountIds: [accountId], nowMs, minimumMicroUsd: 0 }))[0]!;
    await enter(store, victim, profile);
    const charger = makeCharger(store, { nowMs });
    await charger.charge(makeCharge({ accountId: victim, atMs: nowMs }));
    await charger.drain();
    const readAll = async () => ({
      rows: [...(await readTables({ store, dataDir }))].map(([name, rows]) => [name, rows.filter((row) => row.includes(victim))]),
      money: await moneyOf(victim),
    });
    const untouched = await readAll();
    await enter(store, attacker, profile);
    await holdOf(attacker);
    assert.deepEqual(await readAll(), untouched);
    assert.equal((await moneyOf(attacker)).facts.isLinkedToHeld, false, "nor does its own hold count as another's");
    await holdOf(victim);
    assert.equal((await moneyOf(attacker)).facts.isLinkedToHeld, true, "the later one shares the holds of the earlier one");
  });

  it("stay linked when the one that is held, or was ever paid, names another bank account; otherwise it takes its mark along", async () => {
    for (const [why, keeps] of [["held", true], ["finding", true], ["paid", true], ["cancelled", false], ["nothing", false]] as const) {
      const [first, second] = [await makePerson(), await makePerson()];
      const account = newAccount();
      await save(first, account);
      await save(second, account);
      if (why === "held") await hold(first);
      if (why === "finding") {
        await database.store.db.insertInto("findings").values({ id: `find_${first.accountId}`, account_id: first.accountId, code: "test", detail: "", opened_at: 1, closed_at: null, resolution: null }).execute();
      }
      if (why === "paid" || why === "cancelled") {
        const isPaid = why === "paid";
        const payout = { id: `po_${first.accountId}`, account_id: first.accountId, month: "2026-01", amount_micro: 1, status: why, proposed_at: 1, paid_at: isPaid ? 2 : null, payout_seq: isPaid ? 1 : null };
        await database.store.db.insertInto("payouts").values({ ...payout, approved_at: null, exported_at: null, returned_at: null, note: null, returned_seq: null }).execute();
      }
      await save(first, newAccount());
      assert.deepEqual(await earlierOf(second.accountId), keeps ? [first.accountId] : [], why);
      assert.equal(await isLinkedToHeld(second), why === "held" || why === "finding", why);
    }
  });

  it("can be unlinked by an operator with a reason, until the account names another bank account", async () => {
    const [attacker, owner] = [await makePerson(), await makePerson()];
    const account = newAccount();
    await save(attacker, account);
    await hold(attacker);
    await save(owner, account);
    assert.equal(await isLinkedToHeld(owner), true, "the attacker was first");
    const unlink = (who: Person, from: string) => operator.browser.post(`/dashboard/api/operator/accounts/${who.accountId}/unlink`, { from, reason: "The bank confirmed the owner." });
    assert.equal((await unlink(owner, "acct_unknown")).status, 400);
    assert.equal((await unlink(attacker, owner.accountId)).status, 400, "it is not linked that way round");
    const answer = await unlink(owner, attacker.accountId);
    assert.deepEqual([answer.status, (answer.json() as PayeeState).linked_to], [200, []]);
    assert.equal(await isLinkedToHeld(owner), false);
    const noted = await database.store.db.selectFrom("audit_log").select(["actor_account_id", "detail"]).where("action", "=", "payee.unlink").executeTakeFirstOrThrow();
    assert.deepEqual([noted.actor_account_id, JSON.parse(noted.detail)], [operator.accountId, { from: attacker.accountId, reason: "The bank confirmed the owner." }]);

    const other = newAccount();
    await save(attacker, other);
    await save(owner, other);
    assert.equal(await isLinkedToHeld(owner), true, "the operator judged the bank account of that time");
    const changes = (await operator.browser.get("/dashboard/api/operator/payee-changes")).json() as { changes: { account_id: string; usable_from: string }[] };
    assert.deepEqual(changes.changes.slice(0, 2).map((each) => each.account_id), [owner.accountId, attacker.accountId]);
    assert.equal(typeof (await stateOf(owner)).usable_from, "string");
  });

  it("end for whoever proves to an operator that the bank account is its own, though a stranger entered it first; who proved it is then the earlier [threat: victims-bank-account]", async () => {
    const [stranger, owner, third] = [await makePerson(), await makePerson(), await makePerson()];
    const account = newAccount();
    for (const each of [stranger, owner, third]) await save(each, account);
    await hold(stranger);
    assert.deepEqual([await earlierOf(owner.accountId), await isLinkedToHeld(owner)], [[stranger.accountId], true]);
    const decide = async (who: Person, verb: "unlink" | "relink", body: object) => {
      const answer = await operator.browser.post(`/dashboard/api/operator/accounts/${who.accountId}/${verb}`, { reason: "A statement of the bank.", ...body });
      return { status: answer.status, state: answer.json() as PayeeState & { unlinked: { account_id: string; proven: boolean }[] } };
    };
    const mailsTo = async ({ email }: Person) =>
      (await database.store.db.selectFrom("mails").select(["kind", "subject", "body_text"]).where("recipient", "=", email).where("kind", "=", "link_decided").orderBy("created_at").orderBy("id").execute());

    assert.equal((await decide(owner, "relink", { from: stranger.accountId })).status, 400, "nothing was decided yet");
    const proven = await decide(owner, "unlink", { from: stranger.accountId, proven: true });
    assert.deepEqual([proven.status, proven.state.linked_to, proven.state.unlinked.map((each) => [each.account_id, each.proven])], [200, [], [[stranger.accountId, true]]]);
    assert.deepEqual([await earlierOf(owner.accountId), await isLinkedToHeld(owner)], [[], false]);
    assert.deepEqual(await earlierOf(stranger.accountId), [owner.accountId], "the stranger is the linked one");
    assert.deepEqual(await earlierOf(third.accountId), [stranger.accountId, owner.accountId].toSorted(), "nothing changes for others");
    await hold(owner);
    assert.equal(await isLinkedToHeld(stranger), true, "it shares the owner's holds");
    const [[told], [toldStranger]] = [await mailsTo(owner), await mailsTo(stranger)];
    assert.match(told!.body_text, /your proof[^]*A statement of the bank\./);
    assert.ok([owner.email, owner.accountId, "A statement"].every((each) => !toldStranger!.body_text.includes(each)), "the stranger learns nothing about the owner");

    // The stranger gains nothing by leaving the bank account and coming back, nor by a proof that is not accepted.
    await save(stranger, newAccount());
    await save(stranger, account);
    assert.deepEqual([await earlierOf(owner.accountId), await earlierOf(stranger.accountId)], [[], [owner.accountId]]);

    const back = await decide(owner, "relink", { from: stranger.accountId });
    assert.deepEqual([back.status, back.state.unlinked], [200, []]);
    assert.deepEqual([await earlierOf(owner.accountId), await earlierOf(stranger.accountId)], [[stranger.accountId], []], "as it was before");
    assert.deepEqual([(await mailsTo(owner)).length, (await mailsTo(stranger)).length], [2, 2]);

    // A later proof of the other one replaces an earlier one: the two are never linked to each other at once.
    await decide(owner, "unlink", { from: stranger.accountId, proven: true });
    await decide(stranger, "unlink", { from: owner.accountId, proven: true });
    assert.deepEqual([await earlierOf(owner.accountId), await earlierOf(stranger.accountId)], [[stranger.accountId], []]);
    await decide(owner, "unlink", { from: stranger.accountId, proven: true });
    await save(owner, newAccount());
    await save(owner, account);
    assert.deepEqual(await earlierOf(owner.accountId).then((ids) => ids.includes(stranger.accountId)), true, "a proof is about the bank account of that time");
  });

  it("are not turned round by a proof where the earlier one was paid: its limits would begin anew [threat: victims-bank-account]", async () => {
    const [earlier, later] = [await makePerson(), await makePerson()];
    const account = newAccount();
    for (const each of [earlier, later]) await save(each, account);
    const payout = { id: `po_${earlier.accountId}`, account_id: earlier.accountId, month: "2026-01", amount_micro: 1, status: "paid" as const, proposed_at: 1, paid_at: 2, payout_seq: 1 };
    await database.store.db.insertInto("payouts").values({ ...payout, approved_at: null, exported_at: null, returned_at: null, note: null, returned_seq: null }).execute();
    const unlink = (more: object) => operator.browser.post(`/dashboard/api/operator/accounts/${later.accountId}/unlink`, { from: earlier.accountId, reason: "A letter of the bank.", ...more });
    const proven = await unlink({ proven: true });
    assert.equal(proven.status, 400);
    assert.match(proven.text, /was paid there.*unlink it without a proof/);
    assert.deepEqual(await earlierOf(later.accountId), [earlier.accountId]);
    assert.equal((await unlink({})).status, 200, "without a proof it ends, and no limit begins anew");
  });

  it("cannot be unlinked by an operator who is one of them, and are none any more when the earlier one is erased", async () => {
    const person = await makePerson();
    const account = newAccount();
    await save(operator, account);
    await save(person, account);
    const unlink = (accountId: string, from: string) => operator.browser.post(`/dashboard/api/operator/accounts/${accountId}/unlink`, { from, reason: "mine" });
    assert.equal((await unlink(person.accountId, operator.accountId)).status, 400);
    assert.deepEqual(await earlierOf(person.accountId), [operator.accountId]);
    const [first, second] = [await makePerson(), await makePerson()];
    const shared = newAccount();
    await save(first, shared);
    await save(second, shared);
    assert.equal((await first.browser.post("/dashboard/api/auth/close-account", { password: first.password, confirmEmail: first.email })).json()["status"], "erased");
    assert.deepEqual(await earlierOf(second.accountId), []);
  });

  it("of earlier versions get their marks from a job, as of when they were saved", async () => {
    // No service: its job would be the first to mark them.
    const { store } = await open();
    const [old, saved] = [(await makeSignInAccount(store)).accountId, (await makeSignInAccount(store)).accountId];
    const account = newAccount();
    const oldProfile = { ...bank, ...account, tax_id: "OLD 1" };
    await store.db.insertInto("payee_profiles").values({ account_id: old, ...oldProfile, updated_at: 5_000 }).execute();
    await enter(store, saved, { ...bank, ...account });
    const marksFor = (accountId: string) => store.db.selectFrom("payee_marks").selectAll().where("account_id", "=", accountId).orderBy("kind").execute();
    const marked = await marksFor(saved);
    assert.deepEqual(await markPayees({ store, marks }, () => true), { marked: 0, isMore: true });
    assert.deepEqual(await markPayees({ store, marks }, () => false), { marked: 1, isMore: false });
    assert.deepEqual(await markPayees({ store, marks }, () => false), { marked: 0, isMore: false });
    assert.deepEqual(await earlierOf(saved, store), [old], "it was saved earlier");
    assert.deepEqual((await marksFor(old)).map((each) => [each.mark, each.entered_at]), (await marksOf(marks, oldProfile)).map(({ mark }) => [mark, 5_000]));
    assert.deepEqual(await marksFor(saved), marked);
  });
});
