import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { makeEarner, settleDayOf } from "../../test/money/make-earner.ts";

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
    await settleDayOf(store, accountId, longAgoMs);
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
    const setAmount = (amount_micro: number) => store.db.updateTable("payouts").set({ amount_micro }).where("id", "=", payout.id).execute();
    await setAmount(680_001);
    assert.match(await assay.refusal("payout", "approve", payout.id), /can be paid 0\.68 USD at most/);
    await setAmount(680_000);
    assert.equal((await assay.json<PayoutJson>("payout", "approve", payout.id)).status, "approved");
    assert.match((await assay.json<{ csv: string }>("payout", "export")).csv, /ada@example\.com/);
    await store.db.insertInto("findings").values({ id: "find_late", account_id: accountId, code: "c", detail: "", opened_at: 1, closed_at: null, resolution: null }).execute();
    const paid = await assay.json<PayoutJson & { despite: string | null }>("payout", "mark-paid", payout.id, "--note", "bank 17");
    assert.match(paid.despite ?? "", /would not be exported now: finding_open/);
    assert.deepEqual([paid.status, /^21\.[0-9a-f]{64}$/.test(String(paid.receipt))], ["paid", true]);
    assert.deepEqual((await assay.json<PayoutJson[]>("payout", "list")).map((each) => each.status), ["paid"]);
    const { entries, accounts, ok } = await assay.json<{ entries: number; accounts: number; ok: boolean }>("ledger", "verify");
    assert.deepEqual([entries, accounts, ok], [22, 3, true]);
    for (const usd of ["0", "-1", "1.1234567", "x"]) assert.equal((await assay.run("fund", `--usd=${usd}`)).code, 1);
  });

  it("hold an account's money and lift it, and name the operator who acts where there are several", async () => {
    const database = await open();
    const { store } = database;
    const assay = assayOn({ ...database, env: { PAYOUT_MINIMUM_USD: "0.01", PAYOUT_FOUR_EYES: "on" } });
    const earners = [await makeEarner(store, { atMs: longAgoMs, calls: 1 }), await makeEarner(store, { atMs: longAgoMs, calls: 1 })];
    const createOperator = (email: string) => assay.json<{ id: string }>("account", "create", "--email", email, "--tier", "Starter", "--operator");
    const first = await createOperator("first@example.com");
    await assay.json("fund", "--usd", "1");
    await assay.json("payout", "propose");
    const second = await createOperator("second@example.com");
    const reason = ["--reason", "under review"];
    assert.match(await assay.refusal("hold", "--email", earners[0]!.email, ...reason), /more than one operator/);
    await assay.json("hold", "--email", earners[0]!.email, ...reason, "--operator", "second@example.com");
    const approve = (operator: string) => assay.run("payout", "approve", "--all", "--json", "--operator", operator);
    assert.equal((await approve("first@example.com")).code, 1, "it proposed them");
    const { outcomes } = JSON.parse((await approve("second@example.com")).stdout) as { outcomes: { outcome: string }[] };
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ["approved", "held"]);
    const lifted = await assay.json<{ lifted: string[] }>("hold", "--email", earners[0]!.email, "--lift", ...reason, "--operator", "second@example.com");
    assert.deepEqual(lifted.lifted, ["operator"]);
    const noted = await store.db.selectFrom("audit_log").select(["action", "actor_account_id"]).where("action", "in", ["hold.open", "payout.propose", "payout.approved"]).orderBy("action").execute();
    assert.deepEqual(noted.map((row) => [row.action, row.actor_account_id]), [["hold.open", second.id], ["payout.approved", second.id], ["payout.propose", first.id], ["payout.propose", first.id]]);
  });
});
