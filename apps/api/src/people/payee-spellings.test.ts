/** Attacks that write one bank account in several ways, so that each account has an allowance of its own. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { makeEarner as makeEarnerAt, perCallMicroUsd } from "../../test/money/make-earner.ts";
import { makeSignInAccount, signIn } from "../../test/people/browser.ts";
import { movePayoutTo } from "../money/payouts/move-payouts.ts";
import { fundPlatform } from "../money/payouts/platform-money.ts";
import { proposePayouts } from "../money/payouts/propose-payouts.ts";
import { selectEarlierSharers } from "../register/payees.table.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { Store } from "../store/store.ts";
import { markPayees } from "./mark-payees.ts";
import { type Marked, marksOf } from "./payee-marks.ts";

const january = Date.parse("2026-01-10T12:00:00Z");
const payday = Date.UTC(2026, 1, 15);
const monthly = 10 * perCallMicroUsd;
const rules = { minimumMicroUsd: 1, unreviewedMonthlyMicroUsd: monthly, unreviewedTotalMonthlyMicroUsd: undefined, actorAccountId: null, nowMs: payday };
const marks: Marks = { mark: async (purpose, text) => `${purpose} ${text}` };

const person = { legal_name: "Ada", address: "Bonn", country: "DE", tax_id: null, method: "bank_transfer" as const };
const german = { ...person, account: "DE89370400440532013000", bank_code: null };
/** One bank account, as versions up to this one accepted it, with the mark that they made. The first was entered last. */
const spellings = [
  { account: "DE89370400440532013000", bank_code: null, mark: "iban DE89370400440532013000" },
  { account: "0532013000", bank_code: "37040044", mark: "account 532013000 37040044" },
  { account: "532-013-000", bank_code: "COBADEFF", mark: "account 532013000 COBADEFF" },
  { account: "0532013000", bank_code: "COBADEFFXXX", mark: "account 532013000 COBADEFFXXX" },
  { account: "370400440532013000", bank_code: "COBADEFF", mark: "account 370400440532013000 COBADEFF" },
  { account: "DE-89370400440532013000", bank_code: "X", mark: "account DE89370400440532013000 X" },
  { account: "00532013000", bank_code: "370 400 44 (Commerzbank)", mark: "account 532013000 37040044COMMERZBANK" },
];

/** As the migration leaves what the version before entered. */
async function enterBefore(store: Store, accountId: string, { mark, ...profile }: (typeof spellings)[number], enteredMs: number): Promise<void> {
  await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...person, ...profile, updated_at: enteredMs + 1_000, marked_at: -1 }).execute();
  await store.db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: `payee bank ${mark}`, entered_at: enteredMs }).execute();
}

const earlierOf = async (store: Store, accountId: string) => (await selectEarlierSharers(store.db, [accountId]).execute()).map((row) => row.earlier_id);
const proposedMicroUsd = async (store: Store) => (await proposePayouts(store, rules)).proposed.reduce((sum, payout) => sum + payout.amount_micro, 0);

describeBothStores("one bank account, written in several ways,", (open) => {
  it("gives accounts of earlier versions one allowance: the first to enter it has it, and nothing is proposed before that is known [threat: five-spellings]", async () => {
    const { store } = await open();
    await fundPlatform(store, { microUsd: 1_000_000_000, actorAccountId: null, nowMs: january });
    const accountIds: string[] = [];
    for (const [index, spelling] of spellings.entries()) {
      const { accountId } = await makeEarnerAt(store, { atMs: january, calls: 15, payee: false });
      await enterBefore(store, accountId, spelling, 10_000 - index);
      accountIds.push(accountId);
    }
    await assert.rejects(proposedMicroUsd(store), { code: "overloaded" });
    assert.deepEqual(await markPayees({ store, marks }, () => true), { marked: 0, isMore: true });
    let asked = 0;
    assert.deepEqual(await markPayees({ store, marks }, () => (asked += 1) > 1), { marked: 5, isMore: true });
    await assert.rejects(proposedMicroUsd(store), { code: "overloaded" });
    assert.deepEqual(await markPayees({ store, marks }, () => false), { marked: 2, isMore: false });
    const rows = await store.db.selectFrom("payee_marks").selectAll().orderBy("account_id").orderBy("mark").execute();
    assert.deepEqual(await markPayees({ store, marks }, () => false), { marked: 0, isMore: false });
    assert.deepEqual(await store.db.selectFrom("payee_marks").selectAll().orderBy("account_id").orderBy("mark").execute(), rows);
    const [latest, ...others] = accountIds;
    assert.deepEqual([(await earlierOf(store, others.at(-1)!)).length, (await earlierOf(store, latest!)).length], [0, 6], "the earlier entry stays the earlier one");
    assert.equal(await proposedMicroUsd(store), monthly, "one allowance");
    const { bank_country: bankCountry } = await store.db.selectFrom("payee_profiles").select("bank_country").where("account_id", "=", accountIds[1]!).executeTakeFirstOrThrow();
    assert.equal(bankCountry, "DE", "what can be derived is known now");
  });

  it("is known to whoever enters it after the upgrade, also where the account that was paid has moved on [threat: five-spellings]", async () => {
    const { store } = await open();
    const [moved, unpaid] = [await makeEarnerAt(store, { atMs: january, calls: 1, payee: false }), await makeEarnerAt(store, { atMs: january, calls: 1, payee: false })];
    const nothingYet = { approved_at: 1, exported_at: 1, paid_at: 1, returned_at: null, note: null, payout_seq: 1, returned_seq: null };
    const payee = JSON.stringify({ ...person, account: spellings[1]!.account, bank_code: spellings[1]!.bank_code });
    await store.db.insertInto("payouts").values({ id: "po_1", account_id: moved.accountId, month: "2026-01", amount_micro: 1, status: "paid", proposed_at: 5, payee, ...nothingYet }).execute();
    await enterBefore(store, moved.accountId, { account: "GB29NWBK60161331926819", bank_code: null, mark: "iban GB29NWBK60161331926819" }, 7);
    await enterBefore(store, unpaid.accountId, { account: "FR1420041010050500013M02606", bank_code: null, mark: "iban FR1420041010050500013M02606" }, 7);
    await markPayees({ store, marks }, () => false);
    const known = new Set((await store.db.selectFrom("payee_marks").select("mark").where("account_id", "=", moved.accountId).execute()).map(({ mark }) => mark));
    const own = await marksOf(marks, german);
    assert.ok(own.some(({ mark }) => known.has(mark)), "the account that it was paid to before");
  });

  it("is refused where it is no IBAN and could be, and linked where it can be written in two ways", async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve();
    try {
      const makePerson = async () => {
        const account = await makeSignInAccount(store);
        return { account, browser: await signIn(service, account) };
      };
      const stranger = await makePerson();
      const save = async (profile: object, who?: typeof stranger) => {
        const { account, browser } = who ?? (await makePerson());
        const answer = await browser.request("PUT", "/dashboard/api/payee", { ...person, ...profile, password: account.password });
        const { profile: saved, usable_from: usableFrom } = answer.json() as { profile?: { bank_country: string | null }; usable_from?: string | null };
        return { ...account, status: answer.status, saved, usableFrom };
      };
      const first = await save({ account: german.account, bank_code: "COBADEFFXXX" });
      assert.deepEqual([first.status, first.saved?.bank_country], [200, "DE"]);
      for (const { account, bank_code } of spellings.slice(1)) for (const country of [undefined, "DE"]) {
        assert.equal((await save({ account, bank_code, ...(country && { bank_country: country }) }, stranger)).status, 400, account);
      }
      const again = await save({ account: "de89 3704 0044 0532 0130 00", bank_code: "COBADEFF", country: "AT", bank_country: "DE" });
      assert.deepEqual(await earlierOf(store, again.accountId), [first.accountId]);
      const australian = { account: "123-456 789", bank_code: "062-000", bank_country: "AU" };
      const bsb = await save(australian, stranger);
      for (const bank_code of ["CTBAAU2S", null]) assert.equal((await save({ ...australian, bank_code }, stranger)).status, 400);
      const territory = await save({ account: "0123456789", bank_code: "062 000", bank_country: "CX" });
      assert.deepEqual([bsb.status, await earlierOf(store, territory.accountId)], [200, [bsb.accountId]]);
      const singaporean = { account: "123-456 789", bank_code: "DBSSSGSG" };
      const bic = await save(singaporean);
      const bicOfBranch = await save({ account: "0123456789", bank_code: "DBSSSGSGXXX" });
      assert.deepEqual(await earlierOf(store, bicOfBranch.accountId), [bic.accountId]);
      const rests = [];
      for (const bankCountry of ["AU", "SG"]) rests.push(typeof (await save({ ...australian, bank_country: bankCountry }, stranger)).usableFrom);
      assert.deepEqual(rests, ["object", "string"], "a change of the bank's country rests");
    } finally {
      await service.stop();
    }
  });

  it("does not leave with a payout that was proposed before the upgrade, until the marks are made", async () => {
    const { store } = await open();
    await fundPlatform(store, { microUsd: 1_000_000_000, actorAccountId: null, nowMs: january });
    const { accountId } = await makeEarnerAt(store, { atMs: january, calls: 3 });
    const [{ id } = { id: "" }] = (await proposePayouts(store, rules)).proposed;
    await store.db.updateTable("payee_profiles").set({ marked_at: -1 }).where("account_id", "=", accountId).execute();
    const move = (to: "approved" | "exported" | "paid") => movePayoutTo(store, { ...rules, payoutId: id, to, fourEyes: false, note: null });
    await assert.rejects(move("approved"), { code: "overloaded" });
    await markPayees({ store, marks }, () => false);
    assert.equal((await move("approved")).kind, "moved");
    await store.db.updateTable("payee_profiles").set({ marked_at: -1 }).where("account_id", "=", accountId).execute();
    await assert.rejects(move("exported"), { code: "overloaded" });
    await markPayees({ store, marks }, () => false);
    assert.equal((await move("exported")).kind, "moved");
    await store.db.updateTable("payee_profiles").set({ marked_at: -1 }).where("account_id", "=", accountId).execute();
    assert.equal((await move("paid")).kind, "moved", "what the bank did is recorded all the same");
  });
});

describe("the marks of a payee", () => {
  const texts = async (profile: Partial<Marked>, kind: "bank" | "tax") => (await marksOf(marks, { ...german, ...profile })).filter((each) => each.kind === kind).map(({ mark }) => mark);
  async function share(one: Partial<Marked>, other: Partial<Marked>, kind: "bank" | "tax" = "bank"): Promise<boolean> {
    const known = new Set(await texts(one, kind));
    return (await texts(other, kind)).some((mark) => known.has(mark));
  }
  const paypal = (account: string) => ({ method: "paypal" as const, account, bank_code: null });

  it("are shared by a sort code with account number and the IBAN that contains them", async () => {
    const iban = { account: "GB29NWBK60161331926819" };
    assert.equal(await share(iban, { account: "31926819", bank_code: "60-16-13", country: "GB" }), true);
    assert.equal(await share(iban, { account: "31926819", bank_code: "601613", country: "US", bank_country: "GB" }), true);
    assert.equal(await share(iban, { account: "60161331926819", bank_code: "NWBKGB2L", country: "GB" }), true);
    assert.equal(await share({ account: "IE29AIBK93115212345678" }, { account: "12345678", bank_code: "931152", country: "IE" }), true);
    assert.equal(await share(iban, { account: "31926819", bank_code: "NWBKGB2LXXX", country: "DE" }), true, "by its number, where the bank has only a BIC");
  });

  it("are shared by an account number with its bank and the IBAN in other countries", async () => {
    const pairs: [string, Partial<Marked>][] = [
      ["NL91ABNA0417164300", { account: "417164300", bank_code: "ABNANL2A" }],
      ["FR1420041010050500013M02606", { account: "010050500013M02606", bank_code: "20041", country: "FR" }],
      ["FR1420041010050500013M02606", { account: "0500013M026", bank_code: "PSSTFRPPPAR" }],
      ["ES9121000418450200051332", { account: "0200051332", bank_code: "CAIXESBB" }],
      ["IT60X0542811101000000123456", { account: "000000123456", bank_code: "BLOPIT22" }],
      ["AT611904300234573201", { account: "00234573201", bank_code: "19043", country: "AT" }],
      ["CH9300762011623852957", { account: "011623852957", bank_code: "00762", country: "CH" }],
      ["PL61109010140000071219812874", { account: "0000071219812874", bank_code: "10901014", country: "PL" }],
      ["SE4550000000058398257466", { account: "58398257466", bank_code: "500", country: "SE" }],
      ["NO9386011117947", { account: "8601 11 17947", bank_code: "DNBANOKK" }],
    ];
    for (const [account, plain] of pairs) assert.equal(await share({ account }, plain), true, account);
  });

  it("are not shared by different bank accounts", async () => {
    assert.equal(await share({ account: "GB29NWBK60161331926819" }, { account: "31926818", bank_code: "601613", country: "GB" }), false);
    assert.equal(await share({ account: "0532013000", bank_code: "37040044" }, { account: "0532013001", bank_code: "37040044" }), false);
    assert.equal(await share({ account: "123456789", bank_code: "110000000", bank_country: "US" }, { account: "123456789", bank_code: "062000", bank_country: "AU" }), false);
    const isSharedOnly = (await marksOf(marks, german)).filter(({ ifShared }) => ifShared).length;
    assert.ok(isSharedOnly > 0, "the number alone counts only where somebody gave nothing else");
    const inAustralia = { bank_code: "062000", bank_country: "AU" };
    assert.equal(await share({ account: "123456", ...inAustralia }, { account: "123456", bank_code: "CTBAAU2S" }), false, "a number too short to tell");
  });

  it("are shared by one American account under several routing numbers of its bank, which all work", async () => {
    const us = { account: "123456789", bank_country: "US" };
    assert.equal(await share({ ...us, bank_code: "021000021" }, { ...us, account: "000123456789", bank_code: "322271627" }), true);
    assert.equal(await share({ ...us, bank_code: "021000021" }, { account: "123456789", bank_code: "CHASUS33XXX" }), true, "as of before");
  });

  it("are shared by a short number at a bank and at its branch, with or without zeros before it", async () => {
    const inSingapore = { account: "12345", bank_code: "DBSSSGSG", bank_country: "SG" };
    assert.equal(await share(inSingapore, { ...inSingapore, bank_code: "DBSSSGSGXXX" }), true);
    assert.equal(await share({ ...inSingapore, bank_code: "7171" }, { ...inSingapore, account: "0012345", bank_code: "71-71" }), true);
    assert.equal(await share(inSingapore, { ...inSingapore, account: "0012345", bank_code: "DBSSSGSGXXX" }), true);
  });

  it("are shared by a number and one that begins with its bank's code, in the countries whose codes are certain", async () => {
    const pairs: Record<string, [string, string][]> = {
      US: [["123456789", "021000021"], ["021000021123456789", "021000021"], ["322271627123456789", "CHASUS33"]],
      AU: [["12345678", "062000"], ["06200012345678", "CTBAAU2S"], ["062-000 12345678", "062000"], ["6200012345678", "CTBAAU2SXXX"], ["12345678", "CTBAAU2S"]],
      CA: [["1234567", "000312345"], ["1234567", "12345003"], ["12345-003-1234567", "ROYCCAT2"], ["000312345 1234567", "ROYCCAT2"], ["12345 1234567", "000312345"], ["00312345 1234567", "12345003"]],
      NZ: [["12-3136-0193583-00", ""], ["12-3136-0193583-000", ""], ["1231360193583", "ASBBNZ2A"], ["0193583-00", "123136"]],
      MX: [["032180000118359719", ""], ["032180000118359719", "BNMXMXMM"]],
    };
    for (const [country, [first, ...others]] of Object.entries(pairs)) {
      const profileOf = ([account, code]: [string, string]) => ({ account, bank_code: code === "" ? null : code, bank_country: country });
      for (const other of others) assert.equal(await share(profileOf(first!), profileOf(other)), true, `${country} ${other.join(" ")}`);
    }
    const short = { bank_country: "CA", account: "123456" };
    assert.equal(await share({ ...short, bank_code: "000312345" }, { ...short, bank_code: "12345-003" }), true, "one code, though the number is short");
    assert.equal(await share({ ...short, bank_code: "000312345" }, { ...short, bank_code: "12346-003" }), false);
    const zealand = { bank_country: "NZ", bank_code: null };
    assert.equal(await share({ ...zealand, account: "12-3136-0193583-00" }, { ...zealand, account: "12-3136-0193584-00" }), false);
  });

  it("are of the number alone where a whole one says its bank, once somebody gave nothing else", async () => {
    const pairs: [string, string, string, string][] = [
      ["MX", "032180000118359719", "118359 71", "BNMXMXMM"], ["MX", "032180000118359719", "180 00011835971", "BNMXMXMM"], ["MX", "032180000118359719", "1835971", "BNMXMXMM"],
      ["AR", "2850590940090418135201", "4009041813520", "BACOARBA"], ["AR", "2850590940090418135201", "4009041813520-1", "BACOARBA"],
      ["NZ", "12-3136-1193583-00", "1193583-00", "ASBBNZ2A"], ["NZ", "12-3136-1193583-00", "1193583", "ASBBNZ2A"],
      ["NZ", "12-3136-0193583-000", "193583-00", "ASBBNZ2A"], ["NZ", "12-3136-0193583-00", "193583-000", "ASBBNZ2A"],
    ];
    for (const [country, whole, number, code] of pairs) {
      const [one, other] = [{ account: whole, bank_code: null, bank_country: country }, { account: number, bank_code: code, bank_country: country }];
      assert.equal(await share(one, other), true, country);
      const onlyIfShared = new Set((await marksOf(marks, { ...german, ...one })).filter(({ ifShared }) => ifShared).map(({ mark }) => mark));
      assert.ok((await texts(other, "bank")).some((mark) => onlyIfShared.has(mark)), country);
    }
  });

  it("tell a whole number's bank: the same number at another bank is another account, and the bank's code before it makes it whole", async () => {
    /** Those that link accounts by themselves. */
    const sure = async (account: string, country: string, code: string | null = null) => {
      const found = await marksOf(marks, { ...german, account, bank_code: code, bank_country: country });
      return new Set(found.filter(({ ifShared }) => !ifShared).map(({ mark }) => mark));
    };
    const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].some((mark) => other.has(mark));
    for (const [country, one, other] of [
      ["MX", "032180000118359719", "058180000118359719"],
      ["AR", "2850590940090418135201", "0720000740090418135201"],
      ["NZ", "12-3136-1193583-00", "01-3136-1193583-00"],
    ] as const) assert.equal(overlap(await sure(one, country), await sure(other, country)), false, country);
    const whole = await sure("12-3136-1193583-00", "NZ");
    for (const number of ["1193583-00", "1193583-000", "1193583"]) assert.ok(overlap(whole, await sure(number, "NZ", "12-3136")), number);
    assert.equal(await share({ account: "1193583-00", bank_code: "ASBBNZ2A", bank_country: "NZ" }, { account: "1193583-000", bank_code: "ASBBNZ2AXXX", bank_country: "NZ" }), true, "a suffix of two digits or of three");
  });

  it("are those of the country that a territory belongs to, whichever of them its owner names", async () => {
    const pairs: [Partial<Marked>, Partial<Marked>][] = [
      [{ account: "123456", bank_code: "021000021", bank_country: "US" }, { account: "123456", bank_code: "021000021", bank_country: "PR" }],
      [{ account: "123456", bank_code: "062000", bank_country: "AU" }, { account: "123456", bank_code: "062000", bank_country: "CX" }],
      [{ account: "FR1420041010050500013M02606" }, { account: "GP1420041010050500013M02606" }],
      [{ account: "FR1420041010050500013M02606" }, { account: "0500013M026", bank_code: "SOGEGPGX", country: "GP" }],
      [{ account: "31926819", bank_code: "601613", bank_country: "GB" }, { account: "31926819", bank_code: "601613", bank_country: "JE" }],
      [{ account: "12-3136-0193583-00", bank_country: "NZ" }, { account: "12-3136-0193583-00", bank_country: "TK" }],
    ];
    for (const [home, territory] of pairs) {
      const of = async (profile: Partial<Marked>) => (await texts({ bank_code: null, ...profile }, "bank")).slice(1);
      const known = new Set(await of(home));
      assert.ok((await of(territory)).some((mark) => known.has(mark)), JSON.stringify(territory));
    }
  });

  it("are shared by addresses of PayPal that surely reach one mailbox, and by no others", async () => {
    assert.equal(await share(paypal("Ada.Love+pay@Gmail.com"), paypal("adalove@googlemail.com")), true);
    assert.equal(await share(paypal("ada+1@outlook.com"), paypal("ADA@outlook.com")), true);
    assert.equal(await share(paypal("ada@exämple.de"), paypal("ada@xn--exmple-cua.de")), true);
    assert.equal(await share(paypal("ada@example.com."), paypal("ada@example.com")), true);
    assert.equal(await share(paypal("a\u200Bd\u00ADa@example.com"), paypal("ada@example.com")), true, "as of before");
    assert.equal(await share(paypal("ａda@example.com"), paypal("ada@example.com")), true, "as of before");
    assert.equal(await share(paypal("a.da@example.com"), paypal("ada@example.com")), false);
    assert.equal(await share(paypal("ada+1@example.com"), paypal("ada@example.com")), false);
    assert.equal(await share(paypal("ada@gmail.com"), paypal("ada@outlook.com")), false);
  });

  it("are shared by a tax number however it is written, and by a VAT number wherever its owner lives", async () => {
    const tax = (taxId: string, country: string) => ({ tax_id: taxId, country });
    assert.equal(await share(tax("DE 123.456.789", "DE"), tax("123-456-789", "DE"), "tax"), true);
    assert.equal(await share(tax("DE123456789", "DE"), tax("DE 123 456 789", "AT"), "tax"), true);
    assert.equal(await share(tax("EL123456789", "GR"), tax("123456789", "GR"), "tax"), true);
    assert.equal(await share(tax("１２３４５６", "DE"), tax("123456", "DE"), "tax"), true, "full-width digits");
    assert.equal(await share(tax("123456", "DE"), tax("123456", "AT"), "tax"), false);
  });
});
