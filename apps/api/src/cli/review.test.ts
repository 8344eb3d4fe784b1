import type { ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeEarner } from "../../test/money/make-earner.ts";
import { msPerDay } from "../formats/time.ts";

describeBothStores("review commands", (open) => {
  it("list what waits, set a sum in an operator's name, and refuse what is no amount or the operator's own account", async () => {
    const database = await open();
    const assay = assayOn({ ...database, env: { UNREVIEWED_MONTHLY_USD: "0.34", PAYOUT_MINIMUM_USD: "0.01", PAYOUT_FOUR_EYES: "on" } });
    const { email } = await makeEarner(database.store, { atMs: Date.now() - 90 * msPerDay, calls: 200 });
    await assay.json("account", "create", "--email", "operator@example.com", "--tier", "Starter", "--operator");
    const list = () => assay.json<ReviewsReply>("review", "list");
    const [waiting] = (await list()).waiting;
    assert.equal(waiting?.email, email);
    assert.match((await assay.run("review", "list")).stdout, new RegExp(`waits for a review: 1\\..*${email}`, "s"));
    const set = (who: string, monthlyUsd: string) => ["review", "set", "--email", who, "--monthly-usd", monthlyUsd, "--reason", "a shop that we know"];
    assert.match(await assay.refusal(...set(email, "-1")), /--monthly-usd must be an amount/);
    assert.match(await assay.refusal(...set("operator@example.com", "5")), /Nobody reviews its own account/);
    const reviewed = await assay.json(...set(email, String(waiting.suggested_monthly_usd)));
    assert.deepEqual(reviewed, { email, monthly_usd: waiting.suggested_monthly_usd, reason: "a shop that we know" });
    const after = await list();
    assert.deepEqual([after.waiting, after.reviewed.map((each) => [each.email, each.reviewed_by])], [[], [[email, "operator@example.com"]]]);
  });
});
