/** Attacks by closing an account that was paid, to be paid anew as somebody else. */
import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { dumpDatabase } from "../../test/dump-database.ts";
import { makeEarner as makeEarnerAt, perCallMicroUsd } from "../../test/money/make-earner.ts";
import { msPerDay } from "../formats/time.ts";
import { changeHold } from "../money/holds/change-hold.ts";
import { movePayoutTo } from "../money/payouts/move-payouts.ts";
import { fundPlatform } from "../money/payouts/platform-money.ts";
import { proposePayouts } from "../money/payouts/propose-payouts.ts";
import { readMoneyOf } from "../money/payouts/read-account-money.ts";
import { selectEarlierSharers } from "../register/payees.table.ts";
import { createMarks, type Marks } from "../secrets/read-sealed-key.ts";
import { createSealer } from "../secrets/sealer.ts";
import { sqliteFileName } from "../store/open-store.ts";
import { readerOf, type Store } from "../store/store.ts";
import type { PayeeChange, PayeeChangeOutcome } from "./change-payee.work.ts";
import { cleanUpAccounts, marksKeptMs } from "./clean-up-accounts.ts";
import type { CloseAccount, CloseOutcome } from "./close-account.work.ts";
import { marksOf } from "./payee-marks.ts";
import type { Unlink } from "./unlink-payee.work.ts";

const changePayeeWork = new URL("./change-payee.work.ts", import.meta.url);
const closeWork = new URL("./close-account.work.ts", import.meta.url);
const unlinkWork = new URL("./unlink-payee.work.ts", import.meta.url);

const year = 2026;
const inMonth = (month: number) => Date.UTC(year, month, 10, 12);
const paydayOf = (month: number) => Date.UTC(year, month + 1, 15);
const monthly = 10 * perCallMicroUsd;
const rules = { minimumMicroUsd: 1, unreviewedMonthlyMicroUsd: monthly, unreviewedTotalMonthlyMicroUsd: undefined };
const bank = { legal_name: "Grace Planted Hopper", address: "1 Planted Street", country: "DE", tax_id: "DE123456789", method: "bank_transfer" as const, account: "DE89370400440532013000", bank_code: "COBADEFFXXX", bank_country: "DE" };
/** The same bank account, written otherwise, and another name. */
const sameBank = { ...bank, legal_name: "Eve", address: "Elsewhere", tax_id: null, bank_code: null };

/** A dump includes the bytes of the file, from which SQLite removes nothing before a checkpoint. */
function moveLogIntoFile({ store, dataDir }: TestDatabase): void {
  if (store.dialect !== "sqlite") return;
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { timeout: 5_000 });
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
}

describeBothStores("an account that was paid and erased", (open) => {
  async function begin() {
    const database = await open();
    const { store } = database;
    await fundPlatform(store, { microUsd: 1_000_000_000, actorAccountId: null, nowMs: inMonth(0) });
    return { database, store, marks: createMarks({ store, nowMs: () => inMonth(0), sealer: createSealer({ secretKey: "0123456789abcdef0123456789abcdef", previous: [] }) }) };
  }

  async function earn(store: Store, marks: Marks, { month, calls, profile = bank, enteredMs = inMonth(month) }: { month: number; calls: number; profile?: PayeeProfile; enteredMs?: number }): Promise<string> {
    const { accountId } = await makeEarnerAt(store, { atMs: inMonth(month), calls, payee: false });
    const change = { accountId, profile, marks: await marksOf(marks, profile), restMs: 0, resetUrl: "https://assay.example/reset", nowMs: enteredMs };
    assert.equal((await store.transact<PayeeChange, PayeeChangeOutcome>(changePayeeWork, change)).kind, "changed");
    return accountId;
  }

  /** What the bank is sent. */
  async function pay(store: Store, nowMs: number, steps: readonly ("approved" | "exported" | "paid" | "returned")[] = ["approved", "exported", "paid"]): Promise<number> {
    const { proposed } = await proposePayouts(store, { ...rules, nowMs, actorAccountId: null });
    for (const { id } of proposed) {
      for (const to of steps) assert.equal((await movePayoutTo(store, { ...rules, payoutId: id, to, note: null, actorAccountId: null, fourEyes: false, nowMs })).kind, "moved", to);
    }
    return proposed.reduce((sum, payout) => sum + payout.amount_micro, 0);
  }

  const close = async (store: Store, accountId: string, nowMs: number, forfeit = false) =>
    (await store.transact<CloseAccount, Exclude<CloseOutcome, "last_operator" | "overtaken">>(closeWork, { accountId, forfeit, nowMs })).erasure.kind;
  const marksLeft = async (store: Store, accountId: string) => (await store.db.selectFrom("payee_marks").select("mark").where("account_id", "=", accountId).execute()).length;
  const earlierOf = async (store: Store, accountId: string) => (await selectEarlierSharers(store.db, [accountId]).execute()).map((row) => row.earlier_id);
  const cleanUp = ({ store }: TestDatabase, nowMs: number) => cleanUpAccounts({ store, deleteMailFiles: () => Promise.resolve() }, nowMs);

  it("leaves its allowance used: who names its bank account next has what is left of it, and shares its holds [threat: erased-and-back]", async () => {
    const { store, marks } = await begin();
    const erased = await earn(store, marks, { month: 0, calls: 8 });
    assert.equal(await pay(store, paydayOf(0)), 8 * perCallMicroUsd);
    assert.equal(await close(store, erased, paydayOf(0)), "erased");
    const back = await earn(store, marks, { month: 0, calls: 15, profile: sameBank, enteredMs: paydayOf(0) });
    assert.deepEqual(await earlierOf(store, back), [erased]);
    assert.equal(await pay(store, paydayOf(0)), 2 * perCallMicroUsd, "what the first one left of the month");
    await changeHold(store, { accountId: erased, to: "open", reason: "found later", actorAccountId: null, nowMs: paydayOf(0) });
    const [money] = await readMoneyOf(readerOf(store), { ...rules, accountIds: [back], nowMs: paydayOf(0) });
    assert.equal(money!.facts.isLinkedToHeld, true);
  });

  it("every month anew is paid no more in a year than one that stays [threat: erased-and-back]", async () => {
    const { database, store, marks } = await begin();
    const paid: number[] = [];
    for (let month = 0; month < 12; month += 1) {
      const accountId = await earn(store, marks, { month, calls: 10, profile: month % 2 === 0 ? bank : sameBank });
      paid.push(await pay(store, paydayOf(month)));
      await cleanUp(database, paydayOf(month));
      await close(store, accountId, paydayOf(month), true);
    }
    assert.deepEqual(paid.map((each) => each / monthly), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0], "ten times the limit in all, as of one account");
  });

  it("leaves keyed hashes of its bank account and tax number for twelve months, and nothing else", async () => {
    const { database, store, marks } = await begin();
    const first = { ...bank, account: "GB29NWBK60161331926819", bank_code: null, bank_country: "GB", legal_name: "Grace Before", address: "2 Planted Street", tax_id: null };
    const accountId = await earn(store, marks, { month: 0, calls: 8, profile: first });
    await pay(store, paydayOf(0));
    const change = { accountId, profile: bank, marks: await marksOf(marks, bank), restMs: 0, resetUrl: "https://assay.example/reset", nowMs: paydayOf(0) };
    await store.transact<PayeeChange, PayeeChangeOutcome>(changePayeeWork, change);
    const { email } = await store.db.selectFrom("accounts").select("email").where("id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(await close(store, accountId, paydayOf(0)), "erased");
    await store.db.deleteFrom("mails").execute();
    moveLogIntoFile(database);
    const { text } = await dumpDatabase(database);
    const planted = [email, ...[bank, first].flatMap(({ legal_name, address, tax_id, account, bank_code }) => [legal_name, address, tax_id, account, account.slice(4), bank_code])].filter((value) => value !== null);
    assert.deepEqual(planted.filter((value) => text.includes(value)), []);
    assert.ok((await marksLeft(store, accountId)) > 0);

    const judged = await earn(store, marks, { month: 0, calls: 1, profile: sameBank, enteredMs: paydayOf(0) + 1 });
    const unlink = { accountId: judged, fromAccountId: accountId, to: "unlink" as const, reason: "The bank has a new owner.", actorAccountId: null, nowMs: paydayOf(0) };
    assert.equal(await store.transact<Unlink, string>(unlinkWork, unlink), "unlinked");
    assert.deepEqual(await earlierOf(store, judged), []);
    await cleanUp(database, paydayOf(0) + marksKeptMs - 1);
    assert.ok((await marksLeft(store, accountId)) > 0);
    assert.deepEqual(await earlierOf(store, judged), [], "what an operator decided stays as long");
    assert.equal(marksKeptMs, 365 * msPerDay);
    await cleanUp(database, paydayOf(0) + marksKeptMs);
    assert.equal(await marksLeft(store, accountId), 0);
    assert.deepEqual(await store.db.selectFrom("payee_unlinks").select("account_id").execute(), []);
    assert.ok((await marksLeft(store, judged)) > 0, "an account that is not erased keeps its own");
  });

  it("is unlike one that nobody paid: of that one, or of one whose only payout came back, nothing is kept", async () => {
    const { store, marks } = await begin();
    const unpaid = await earn(store, marks, { month: 0, calls: 8 });
    assert.equal(await close(store, unpaid, paydayOf(0), true), "erased");
    const cancelled = await earn(store, marks, { month: 0, calls: 8 });
    await pay(store, paydayOf(0), ["approved"]);
    assert.equal(await close(store, cancelled, paydayOf(0), true), "erased");
    const returned = await earn(store, marks, { month: 0, calls: 8 });
    await pay(store, paydayOf(0), ["approved", "exported", "paid", "returned"]);
    assert.equal(await close(store, returned, paydayOf(0), true), "erased");
    for (const accountId of [unpaid, cancelled, returned]) assert.equal(await marksLeft(store, accountId), 0);
    const next = await earn(store, marks, { month: 0, calls: 10 });
    assert.deepEqual(await earlierOf(store, next), []);
    assert.equal(await pay(store, paydayOf(0)), monthly);
  });
});
