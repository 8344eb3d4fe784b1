import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeAccount } from "../../test/make-account.ts";

describeBothStores("commands in an operator's name", (open) => {
  it("decide nothing about an account that named the operator's bank account, but with PAYOUT_FOUR_EYES=off [threat: own-interest]", async () => {
    const database = await open();
    const { store } = database;
    const assay = assayOn({ ...database, env: { PAYOUT_FOUR_EYES: "on" } });
    const by = "operator@example.com";
    const { id } = await assay.json<{ id: string }>("account", "create", "--email", by, "--tier", "Starter", "--operator");
    const { accountId, email } = await makeAccount(store);
    const mark = { kind: "bank" as const, mark: "one bank account", entered_at: 1 };
    await store.db.insertInto("payee_marks").values([id, accountId].map((account_id) => ({ ...mark, account_id }))).execute();
    const named = ["--email", email, "--operator", by];
    const commands = [
      ["hold", ...named, "--reason", "r"],
      ["hold", ...named, "--reason", "r", "--lift"],
      ["account", "suspend", ...named],
      ["account", "resume", ...named],
      ["account", "set-tier", ...named, "--tier", "Scale"],
      ["adjust", ...named, "--usd", "5", "--on", "earnings", "--reason", "r"],
      ["reverse", ...named, "--day", "2026-01-01", "--reason", "r"],
      ["finding", "open", ...named, "--reason", "r"],
      ["review", "set", ...named, "--monthly-usd", "5", "--reason", "r"],
    ];
    for (const command of commands) assert.match(await assay.refusal(...command), /own account.*same (payee|bank account)/is, command.join(" "));
    // Naming nobody is no way around it.
    const unnamed = [["suspend"], ["resume"], ["set-tier", "--tier", "Scale"]].map(([verb, ...rest]) => ["account", verb!, "--email", email, ...rest]);
    for (const command of unnamed) assert.match(await assay.refusal(...command), /own account.*same payee/is, command.join(" "));
    const other = "other@example.com";
    await assay.json("account", "create", "--email", other, "--tier", "Starter", "--operator");
    await assay.json("account", "suspend", "--email", email, "--operator", other);
    for (const command of unnamed) assert.match(await assay.refusal(...command), /own account.*--operator/is, `with two operators: ${command.join(" ")}`);
    const holds = () => store.db.selectFrom("money_holds").select("lifted_at").where("account_id", "=", accountId).execute();
    assert.deepEqual((await holds()).map((row) => row.lifted_at), [null], "nobody lifted what the suspension holds");
    const acted = await store.db.selectFrom("audit_log").select(["action", "actor_account_id"]).where("subject", "=", accountId).where("action", "like", "account.%").execute();
    assert.ok(acted.every(({ action, actor_account_id: actor }) => action === "account.create" || (actor !== null && actor !== id)), JSON.stringify(acted));
    await assay.json("account", "resume", "--email", email, "--operator", other);
    const stranger = await makeAccount(store);
    for (const verb of ["suspend", "resume"]) await assay.json("account", verb, "--email", stranger.email);
    await assay.json("account", "set-tier", "--email", stranger.email, "--tier", "Scale");
    const alone = assayOn({ ...database, env: { PAYOUT_FOUR_EYES: "off" } });
    assert.equal((await alone.json<{ outcome: string }>(...commands[0]!)).outcome, "opened");
  });
});
