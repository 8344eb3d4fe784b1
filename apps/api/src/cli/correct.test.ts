import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeSignInAccount } from "../../test/people/browser.ts";

type BookedJson = { ref: string; receipt: string; kind: string; on: string; usd: number; balance_usd: number; spendable_usd: number };

describeBothStores("deposit and adjust", (open) => {
  it("book money of both signs in an operator's name, with a reason", async () => {
    const database = await open();
    const { store } = database;
    const assay = assayOn(database);
    const { email, accountId } = await makeAccount(store);
    assert.match(await assay.refusal("deposit", "--email", email, "--usd", "10"), /no active operator can act/);
    const operator = await makeSignInAccount(store, { operator: true });
    const { ref, receipt, ...deposit } = await assay.json<BookedJson>("deposit", "--email", email, "--usd", "10");
    assert.deepEqual(deposit, { kind: "deposit", on: "prepaid", usd: 10, balance_usd: 10, spendable_usd: 10 });
    assert.match(`${ref} ${receipt}`, /^dep_\w+ 1\.[0-9a-f]{64}$/);
    const earned = await assay.json<BookedJson>("adjust", "--email", email, "--usd", "2.5", "--reason", "May was short.", "--operator", operator.email);
    assert.deepEqual([earned.on, earned.balance_usd, earned.spendable_usd], ["earnings", 12.5, 10]);
    const refund = await assayOn({ ...database, env: { CALL_PAYER: "developer" } }).json<BookedJson>("adjust", "--email", email, "--usd", "-4", "--reason", "Sent back.");
    assert.deepEqual([refund.on, refund.balance_usd, refund.spendable_usd], ["prepaid", 8.5, 6]);
    assert.match((await assay.run("adjust", "--email", email, "--usd", "-20", "--on", "earnings", "--reason", "Too much in June.")).stdout, /Balance of \S+: -11\.500000 USD, of which calls can spend 6\.000000 USD/);
    for (const usd of ["0", "-1", "x"]) assert.equal((await assay.run("deposit", "--email", email, `--usd=${usd}`)).code, 1);
    assert.match(await assay.refusal("adjust", "--email", email, "--usd", "1", "--reason", " "), /An adjustment needs a reason/);
    const notes = await store.db.selectFrom("audit_log").select(["action", "actor_account_id"]).where("subject", "=", accountId).where("action", "!=", "account.create").orderBy("action").execute();
    assert.deepEqual(notes.map((note) => note.action), ["account.adjust", "account.adjust", "account.adjust", "account.deposit"]);
    assert.ok(notes.every((note) => note.actor_account_id === operator.accountId));
    assert.equal((await assay.json<{ ok: boolean }>("ledger", "verify")).ok, true);
  });
});
