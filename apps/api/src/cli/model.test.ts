import type { OperatorComparison } from "@assay/contract/dashboard/models.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assayOn } from "../../test/cli/run-assay.ts";
import { idAt } from "../../test/id-at.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { msPerHour } from "../formats/time.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";

const versions = releasedModels.map(({ model }) => model.version);
const [first, newest] = [versions[0]!, versions.at(-1)!];

describe("assay model", () => {
  const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
  const assay = assayOn(settings);
  let store: Store;
  let accountId: string;

  before(async () => {
    ({ store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} }));
    ({ accountId } = await makeAccount(store));
    const atMs = Date.now() - msPerHour;
    const charger = makeCharger(store, { nowMs: atMs });
    await Promise.all([1, 2, 3].map(() => charger.charge(makeCharge({ accountId, atMs, ref: idAt(atMs) }))));
    assert.equal((await assay.run("account", "create", "--email", "op@example.com", "--tier", "Starter", "--verified", "--operator")).code, 0);
  });
  after(() => store.close());

  it("lists the models, sets a shadow in an operator's name, and lists it", async () => {
    type Listed = { models: { version: string; released: string; sunset: string | null }[]; shadow: string | null };
    const listed = await assay.json<Listed>("model", "list");
    assert.deepEqual([listed.models.map(({ version }) => version), listed.shadow], [versions, null]);
    assert.deepEqual(await assay.json("model", "shadow", first), { shadow: first });
    assert.equal((await assay.json<Listed>("model", "list")).shadow, first);
    const { stdout } = await assay.run("model", "list");
    for (const version of versions) assert.ok(stdout.includes(version));
    assert.match(stdout, new RegExp(`${first}.*shadow`));
    assert.deepEqual(await assay.json("model", "shadow", "off"), { shadow: null });
    const noted = await store.db.selectFrom("audit_log as l").innerJoin("accounts as a", "a.id", "l.actor_account_id").select(["l.subject", "a.email"]).where("l.action", "=", "model.shadow").orderBy("l.id").execute();
    assert.deepEqual(noted.map(({ subject, email }) => [subject, email]), [[first, "op@example.com"], ["off", "op@example.com"]]);
  });

  it("compares what was answered with the shadow, or with a model that is named", async () => {
    assert.match(await assay.refusal("model", "compare"), /no shadow model is set/);
    await assay.run("model", "shadow", newest);
    const report = await assay.json<OperatorComparison>("model", "compare");
    assert.deepEqual([report.total.other, report.total.sessions, report.accounts.map(({ account_id: id }) => id)], [newest, 3, [accountId]]);
    assert.equal((await assay.json<OperatorComparison>("model", "compare", "--model", first)).total.other, first);
    assert.deepEqual((await assay.json<OperatorComparison>("model", "compare", "--account", "acct_none")).total.sessions, 0);
    assert.equal((await assay.json<OperatorComparison>("model", "compare", "--to", "2026-01-08")).total.sessions, 0);
    const { stdout, code } = await assay.run("model", "compare", "--account", accountId);
    assert.equal(code, 0);
    assert.match(stdout, /^Sessions +3$/m);
  });

  it("refuses what is not shipped, and names what is", async () => {
    for (const words of [["shadow", "made-up"], ["compare", "--model", "made-up"]]) {
      const refusal = await assay.refusal("model", ...words);
      for (const version of versions) assert.ok(refusal.includes(version), refusal);
    }
    assert.match(await assay.refusal("model", "compare", "--model", first, "--from", "yesterday"), /from must be an ISO 8601/);
  });
});
