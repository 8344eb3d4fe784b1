import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";

type PayoutJson = { id: string; status: string; amount_usd: number; receipt?: string | null };
const longAgoMs = Date.now() - 90 * 24 * 3_600_000;

describeBothStores("payout commands", (open) => {
  it("fund, propose, approve, export and pay, and the ledger verifies", async () => {
    const database = await open();
    const { store } = database;
    const assay = assayOn({ ...database, env: { PAYOUT_MINIMUM_USD: "0.5" } });
    await assay.json("account", "create", "--email", "first@example.com", "--tier", "Starter", "--operator");
    const { accountId } = await makeAccount(store, { nowMs: longAgoMs });
    const charger = makeCharger(store, { nowMs: longAgoMs });
    await Promise.all(Array.from({ length: 20 }, () => charger.charge(makeCharge({ accountId, atMs: longAgoMs }))));
    const propose = () => assay.json<{ proposed: PayoutJson[]; held: { account_id: string; reason: string }[] }>("payout", "propose");

    const unknownPayee = await propose();
    assert.deepEqual([unknownPayee.proposed, unknownPayee.held.map((each) => each.reason)], [[], ["payee_missing"]]);
    const payee = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "paypal" as const, account: "ada@example.com", bank_code: null };
    await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...payee, updated_at: longAgoMs }).execute();
    assert.deepEqual((await propose()).held.map((each) => each.reason), ["not_funded"]);
    const funding = await assay.json<{ available_usd: number }>("fund", "--usd", "1.5");
    assert.equal(funding.available_usd, 1.5);

    const [payout] = (await propose()).proposed;
    assert.equal(payout?.amount_usd, 0.68);
    assert.match(await assay.refusal("payout", "mark-paid", payout.id), /The payout is proposed/);
    assert.equal((await assay.json<PayoutJson>("payout", "approve", payout.id)).status, "approved");
    assert.match((await assay.json<{ csv: string }>("payout", "export")).csv, /ada@example\.com/);
    const setAmount = (amount_micro: number) => store.db.updateTable("payouts").set({ amount_micro }).where("id", "=", payout.id).execute();
    await setAmount(680_001);
    assert.match(await assay.refusal("payout", "mark-paid", payout.id), /can be paid 0\.68 USD at most/);
    await setAmount(680_000);
    const paid = await assay.json<PayoutJson>("payout", "mark-paid", payout.id, "--note", "bank 17");
    assert.deepEqual([paid.status, /^21\.[0-9a-f]{64}$/.test(String(paid.receipt))], ["paid", true]);
    assert.deepEqual((await assay.json<PayoutJson[]>("payout", "list")).map((each) => each.status), ["paid"]);
    assert.deepEqual(await assay.json("ledger", "verify"), { entries: 22, accounts: 2, ok: true, breaks: [] });
    for (const usd of ["0", "-1", "1.1234567", "x"]) assert.equal((await assay.run("fund", `--usd=${usd}`)).code, 1);
  });
});
