import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Browser, makeSignInAccount, signIn } from "../../test/people/browser.ts";
import { readMails } from "../../test/people/read-mails.ts";
import type { TestService } from "../../test/start-service.ts";
import { whileHeld } from "../../test/store/hold-rows.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { PayoutStatus } from "../store/schema-payouts.ts";

const dayMs = 86_400_000;
const bank = { legal_name: "Ada Planted", address: "1 Planted Lane", country: "GB", tax_id: "GB 123 456", method: "bank_transfer", account: "GB29NWBK60161331926819", bank_code: null };
const otherIban = "DE89370400440532013000";

type Person = { accountId: string; email: string; password: string; browser: Browser };

describeBothStores("a payee profile", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve({ env: { PAYEE_CHANGE_HOLD_DAYS: "7" } });
  });

  async function makePerson(): Promise<Person> {
    const account = await makeSignInAccount(database.store);
    return { ...account, browser: await signIn(service, account) };
  }

  async function save({ browser, password }: Person, profile: object): Promise<Record<string, unknown>> {
    const answer = await browser.request("PUT", "/dashboard/api/payee", { ...profile, password });
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  }

  /** How long the profile rests from its last change on; 0: not at all. */
  async function restOf({ accountId }: Person): Promise<number> {
    const row = await database.store.db.selectFrom("payee_profiles").select(["updated_at", "usable_from"]).where("account_id", "=", accountId).executeTakeFirstOrThrow();
    return row.usable_from === 0 ? 0 : row.usable_from - row.updated_at;
  }

  const auditOf = async (accountId: string) =>
    (await database.store.db.selectFrom("audit_log").select(["action", "actor_account_id", "detail"]).where("subject", "=", accountId).where("action", "!=", "account.create").orderBy("seq").execute()).map((row) => ({
      ...row,
      detail: JSON.parse(row.detail) as { fields: string[]; cancelled: string[] },
    }));

  const payoutRow = (accountId: string, status: PayoutStatus) => ({
    id: timeOrderedId("po", Date.now()),
    account_id: accountId,
    month: "2026-01",
    amount_micro: 60_000_000,
    status,
    proposed_at: 1_000,
    approved_at: status === "proposed" ? null : 2_000,
    exported_at: status === "exported" || status === "paid" ? 3_000 : null,
    paid_at: status === "paid" ? 4_000 : null,
    returned_at: null,
    note: null,
    payout_seq: status === "paid" ? 1 : null,
    returned_seq: null,
  });

  async function addPayout(accountId: string, status: PayoutStatus): Promise<string> {
    const row = payoutRow(accountId, status);
    await database.store.db.insertInto("payouts").values(row).execute();
    return row.id;
  }

  const readPayout = (id: string) => database.store.db.selectFrom("payouts").select(["status", "cancelled_at", "note"]).where("id", "=", id).executeTakeFirstOrThrow();

  it("counts at once when first entered; every later change of where the money goes rests anew, other changes do not", async () => {
    const person = await makePerson();
    const first = await save(person, bank);
    assert.deepEqual([await restOf(person), first["usable_from"], first["change_hold_days"]], [0, null, 7]);
    await save(person, { ...bank, legal_name: "Ada Planted Ltd", address: "2 Planted Lane", country: "IE" });
    assert.equal(await restOf(person), 0, "a name, an address and a country do not rest");

    const moved = { ...bank, tax_id: null, account: otherIban };
    const profiles = [{ ...bank, tax_id: null }, moved, { ...moved, bank_code: "DEUTDEFF" }, { ...moved, method: "paypal", account: "ada@example.com" }];
    for (const profile of profiles) {
      const saved = await save(person, profile);
      assert.equal(await restOf(person), 7 * dayMs, JSON.stringify(profile));
      assert.equal(typeof saved["usable_from"], "string");
    }
    await database.store.db.updateTable("payee_profiles").set({ usable_from: 5, updated_at: 4 }).where("account_id", "=", person.accountId).execute();
    await save(person, { ...bank, legal_name: "Ada Planted Ltd" });
    assert.equal(await restOf(person), 7 * dayMs, "back to the first bank account: it rests as well");
    const { usable_from: restBefore } = await database.store.db.selectFrom("payee_profiles").select("usable_from").where("account_id", "=", person.accountId).executeTakeFirstOrThrow();
    await save(person, { ...bank, legal_name: "Ada", tax_id: "GB 123 456" });
    const { usable_from: restAfter } = await database.store.db.selectFrom("payee_profiles").select("usable_from").where("account_id", "=", person.accountId).executeTakeFirstOrThrow();
    assert.equal(restAfter, restBefore, "a new name neither ends nor prolongs a rest");
  });

  it("is audited without its values and mailed to the account when it changes, and not when nothing does", async () => {
    const person = await makePerson();
    await save(person, bank);
    await save(person, bank);
    await save(person, { ...bank, account: otherIban, legal_name: "Eve Planted" });
    const audit = await auditOf(person.accountId);
    assert.deepEqual(audit.map(({ action, actor_account_id, detail }) => [action, actor_account_id, detail.fields]), [
      ["payee.change", person.accountId, ["legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country"]],
      ["payee.change", person.accountId, ["legal_name", "account", "bank_country"]],
    ]);
    assert.doesNotMatch(JSON.stringify(audit), /Planted|GB29NWBK|DE893704|GB 123/);
    const mails = (await readMails(database.store, person.email)).filter(({ kind }) => kind === "payee_changed");
    assert.deepEqual(mails.map(({ subject }) => subject), ["Your payout details were entered", "Your payout details were changed"]);
    assert.match(mails[1]!.text, /reset-password/);
    assert.match(mails[1]!.text, /No payout is made to the new details before \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    assert.doesNotMatch(mails[1]!.text, /DE89/);
  });

  it("cancels payouts that are proposed or approved when the bank account changes, and no others [threat: payee-after-approval]", async () => {
    for (const status of ["proposed", "approved", "exported"] as const) {
      const person = await makePerson();
      await save(person, bank);
      const payoutId = await addPayout(person.accountId, status);
      const paidId = await addPayout(person.accountId, "paid");
      await save(person, { ...bank, address: "3 Planted Lane" });
      assert.equal((await readPayout(payoutId)).status, status, "a new address cancels nothing");
      await save(person, { ...bank, account: otherIban });
      const isCancelled = status !== "exported";
      assert.equal((await readPayout(payoutId)).status, isCancelled ? "cancelled" : "exported");
      assert.equal((await readPayout(payoutId)).cancelled_at !== null, isCancelled);
      assert.equal((await readPayout(paidId)).status, "paid");
      assert.deepEqual((await auditOf(person.accountId)).at(-1)!.detail.cancelled, isCancelled ? [payoutId] : []);
      assert.deepEqual((await auditOf(payoutId)).map(({ action }) => action), isCancelled ? ["payout.cancelled"] : []);
      const [mail] = (await readMails(database.store, person.email)).filter(({ kind }) => kind === "payee_changed").slice(-1);
      assert.equal(/was cancelled/.test(mail!.text), isCancelled);
    }
  });

  it("cannot be changed by an account that is suspended", async () => {
    const person = await makePerson();
    await save(person, bank);
    await database.store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", person.accountId).execute();
    const answer = await person.browser.request("PUT", "/dashboard/api/payee", { ...bank, account: otherIban, password: person.password });
    assert.deepEqual([answer.status, answer.json()["error"]], [403, "forbidden"]);
  });

  // SQLite has one writer: nothing overlaps there.
  if (dialect === "postgres") {
    it("cancels a payout that is proposed at the same moment, and does not change once the account was closed at that moment", async () => {
      const person = await makePerson();
      await save(person, bank);
      const row = payoutRow(person.accountId, "proposed");
      const names = Object.keys(row);
      const lock = { text: "SELECT 1 FROM ledger_heads WHERE account_id = $1 FOR UPDATE", values: [person.accountId] };
      // As a proposal does it: the chain first, then the payout.
      const propose = { text: `INSERT INTO payouts (${names.join(", ")}) VALUES (${names.map((_name, at) => `$${at + 1}`).join(", ")})`, values: Object.values(row) };
      await whileHeld(database.databaseUrl, [lock, propose], () => save(person, { ...bank, account: otherIban }));
      assert.equal((await readPayout(row.id)).status, "cancelled");

      const close = { text: "UPDATE accounts SET status = 'closed' WHERE id = $1", values: [person.accountId] };
      const put = () => person.browser.request("PUT", "/dashboard/api/payee", { ...bank, password: person.password });
      const answer = await whileHeld(database.databaseUrl, [lock, close], put);
      assert.deepEqual([answer.status, answer.json()["error"]], [403, "forbidden"]);
      const { account } = await database.store.db.selectFrom("payee_profiles").select("account").where("account_id", "=", person.accountId).executeTakeFirstOrThrow();
      assert.equal(account, otherIban);
    });
  }
});
