import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { openApp } from "../../test/open-app.ts";
import { insertTier } from "../register/tiers.table.ts";

describeBothStores("the status", (open) => {
  it("is read once for all who ask meanwhile, and is not older than their questions [threat: status-flood]", async (t) => {
    const { dataDir, databaseUrl } = await open();
    let queries = 0;
    const opened = await openApp(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }, {
      dataDir,
      adapt(deps) {
        const db = deps.store.db.withPlugin({
          transformQuery({ node }) {
            queries += 1;
            return node;
          },
          transformResult: async ({ result }) => result,
        });
        return { ...deps, store: { ...deps.store, db } };
      },
    });
    t.after(() => opened.close());
    const get = () => opened.app.inject({ url: "/api/status" });
    await get();
    const asked = queries;
    await get();
    const each = queries - asked;
    const answers = await Promise.all(Array.from({ length: 500 }, get));
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
    assert.ok(each > 0 && queries - asked <= 10 * each, `${queries - asked} queries for 500 answers, and ${each} for one`);
    const named = async () => (await get()).json<{ tiers: { name: string }[] }>().tiers.map(({ name }) => name);
    const known = await named();
    await insertTier(opened.deps.store.db, { name: "new", per_hour: 7, per_minute: 7, share_bps: 6_800 }).execute();
    assert.deepEqual((await named()).toSorted(), [...known, "new"].toSorted());
  });
});
