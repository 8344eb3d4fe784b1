import type { CorrectionsReply, OperatedCorrectionsReply } from "@assay/contract/dashboard/corrections.ts";
import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { inOneDay } from "../../../test/in-one-day.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { receiptOf } from "../../../test/read-ledger.ts";
import { predict, send } from "../../../test/send.ts";
import { verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { issueKey } from "../../access/keys/issue-key.ts";

const root = "/dashboard/api/operator";

describeBothStores("deposits and adjustments in the operator's console", (open) => {
  it("let calls pass that were 402, are audited, and are read with their reasons by both sides [threat: self-correction]", () => inOneDay(async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve({ env: { CALL_PAYER: "developer", CREDIT_LIMIT_USD: "0", PAYOUT_FOUR_EYES: "on", OPERATOR_SECOND_FACTOR: "off" } });
    const [operatorAccount, developerAccount] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store)];
    const [operator, developer] = [await signIn(service, operatorAccount), await signIn(service, developerAccount)];
    const { accountId } = developerAccount;
    const { key } = await issueKey(store, { accountId, mode: "live", name: "live", nowMs: Date.now() });
    const post = (path: string, body: unknown, id = accountId) => operator.post(`${root}/accounts/${id}/${path}`, body);

    const { prepaid_from: prepaidFrom } = (await send(service, "/api/status")).json();
    assert.ok(Date.parse(String(prepaidFrom)) <= Date.now());
    const refused = await predict(service, key, { headers: { "idempotency-key": "one" } });
    assert.deepEqual([refused.status, refused.json().error, receiptOf(refused)], [402, "payment_required", undefined]);
    const deposited = await post("deposits", { usd: 0.07 });
    assert.deepEqual([deposited.status, deposited.json().spendable_usd], [201, 0.07]);
    const paid = await predict(service, key, { headers: { "idempotency-key": "one" } });
    assert.deepEqual([paid.status, receiptOf(paid)?.seq], [200, 2]);
    assert.equal((await predict(service, key)).status, 402);
    assert.equal((await predict(service, key, { headers: { "idempotency-key": "one" } })).status, 200, "a stored answer costs nothing");

    const refund = await post("adjustments", { usd: -0.02, reason: "  The rest of the deposit was sent back.  " });
    assert.deepEqual([refund.status, refund.json().spendable_usd, refund.json().balance_usd], [201, 0, 0.034]);
    assert.deepEqual((await post("adjustments", { usd: 3, reason: "May was short.", on: "earnings" })).json().spendable_usd, 0);
    for (const [path, body] of [["deposits", { usd: -1 }], ["deposits", { usd: 0 }], ["adjustments", { usd: 1 }], ["adjustments", { usd: 1, reason: " " }], ["adjustments", { usd: 0, reason: "x" }], ["adjustments", { usd: 0.0000001, reason: "x" }]] as const) {
      assert.equal((await post(path, body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await post("deposits", { usd: 1 }, "acct_unknown")).status, 404);
    const own = await post("adjustments", { usd: 1_000, reason: "For me." }, operatorAccount.accountId);
    assert.deepEqual([own.status, own.json().error], [403, "forbidden"], "nobody gives money to itself");

    const shown = (await operator.get(`${root}/accounts/${accountId}/corrections`)).json() as OperatedCorrectionsReply;
    assert.deepEqual(shown.corrections.map(({ kind, on, usd, reason, booked_by: by }) => [kind, on, usd, reason, by === operatorAccount.email]), [
      ["adjustment", "earnings", 3, "May was short.", true],
      ["adjustment", "prepaid", -0.02, "The rest of the deposit was sent back.", true],
      ["deposit", "prepaid", 0.07, null, true],
    ]);
    const own2 = (await developer.get("/dashboard/api/corrections")).json() as CorrectionsReply;
    assert.deepEqual(own2.corrections, shown.corrections.map(({ booked_by: _by, ...correction }) => correction));
    const month = new Date().toISOString().slice(0, 7);
    const statement = (await send(service, `/api/statements/${month}`, { headers: { "x-api-key": key } })).json();
    assert.deepEqual([statement.deposits_usd, statement.adjustments_usd, statement.prepaid, statement.closing_balance_usd], [0.07, 2.98, { opening_usd: 0, closing_usd: 0.034 }, 3.034]);
    assert.deepEqual(statement.corrections, own2.corrections.toReversed());
    const csv = (await developer.get(`/dashboard/api/statements/${month}.csv`)).text.trimEnd().split("\r\n").slice(1);
    assert.ok(csv.some((line) => line.endsWith(",3.000000,May was short.")), csv.join("\n"));
    const changes = csv.map((line) => Math.round(Number(line.split(",")[9]) * 1_000_000));
    assert.equal(changes.pop(), changes.reduce((sum, each) => sum + each, 0));
    const revenue = (await developer.get("/dashboard/api/revenue")).json() as RevenueReply;
    assert.deepEqual([revenue.adjustments_usd, revenue.prepaid, revenue.earned_usd, revenue.balance_usd], [3, { deposits_usd: 0.07, adjustments_usd: -0.02, spendable_usd: 0 }, 3.034, 3.034]);
    const { actions } = (await operator.get(`${root}/audit`)).json() as { actions: { action: string; subject: string }[] };
    assert.deepEqual(actions.filter(({ subject }) => subject === accountId).map(({ action }) => action), ["account.adjust", "account.adjust", "account.deposit", "account.create"]);
    assert.equal((await verifyLedger(store)).ok, true);

    const { testKey } = await makeAccount(store);
    assert.equal((await predict(service, testKey)).status, 200, "test keys need no money");
    await service.stop();
  }));
});
