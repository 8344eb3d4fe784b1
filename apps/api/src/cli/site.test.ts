import { siteIdPattern } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Assay, assayOn } from "../../test/cli/run-assay.ts";
import { makeAccount } from "../../test/make-account.ts";

type Created = { site_id: string; name: string; origins: string[]; script: string; snippet: string };
type Listed = { site_id: string; owner: string; name: string; origins: string[]; created_at: string; last_seen_at: string | null };

describeBothStores("site commands", (open) => {
  let database: TestDatabase;
  let assay: Assay;
  let email: string;

  before(async () => {
    database = await open();
    assay = assayOn({ ...database, env: { PUBLIC_URL: "https://assay.example" } });
    ({ email } = await makeAccount(database.store));
  });

  const create = (...words: string[]) => assay.json<Created>("site", "create", "--email", email, ...words);
  const list = (...words: string[]) => assay.json<Listed[]>("site", "list", ...words);

  it("create a site with its origins, and print the line that its pages need", async () => {
    const created = await create("--origin", "https://Shop.example/", "--origin", "http://localhost:3000", "--name", "My shop");
    assert.match(created.site_id, new RegExp(siteIdPattern));
    const script = "https://assay.example/c/v1/collector.js";
    assert.deepEqual(created, {
      site_id: created.site_id,
      name: "My shop",
      origins: ["https://shop.example", "http://localhost:3000"],
      script,
      snippet: `<script src="${script}" data-site="${created.site_id}" data-endpoint="/signals" defer></script>`,
    });
    const { stdout } = await assay.run("site", "create", "--email", email, "--origin", "https://shop.example:8443/");
    assert.match(stdout, /Name +shop\.example:8443\n/);
    assert.match(stdout, /<script src="https:\/\/assay\.example\/c\/v1\/collector\.js" data-site="site_\w{20}"/);
    const local = await assayOn({ ...database, env: { HOST: "127.0.0.1", PORT: "9123" } }).json<Created>("site", "create", "--email", email, "--origin", "https://shop.example");
    assert.equal(local.script, "http://127.0.0.1:9123/c/v1/collector.js");
    for (const { site_id: id } of await list()) await assay.json("site", "remove", id);
  });

  it("list everybody's sites or one account's, and remove them", async () => {
    const other = await makeAccount(database.store);
    const own = await create("--origin", "https://shop.example");
    const { site_id: others } = await assay.json<Created>("site", "create", "--email", other.email, "--origin", "https://game.example");
    const summary = (sites: Listed[]) => sites.map((site) => `${site.site_id} ${site.owner} ${site.origins.join(" ")}`).toSorted();
    const expected = [`${own.site_id} ${email} https://shop.example`, `${others} ${other.email} https://game.example`];
    assert.deepEqual(summary(await list()), expected.toSorted());
    assert.deepEqual(summary(await list("--email", email)), [expected[0]]);
    assert.match((await assay.run("site", "list")).stdout, new RegExp(`${own.site_id}.*never.*shop\\.example`));
    assert.deepEqual(await assay.json("site", "remove", own.site_id), { site_id: own.site_id, removed: true });
    assert.match(await assay.refusal("site", "remove", own.site_id), /no site has the id site_/);
    assert.deepEqual(await list("--email", email), []);
    assert.deepEqual((await list()).map((site) => site.site_id), [others]);
    assert.match((await assay.run("site", "remove", others)).stdout, /is removed/);
  });

  it("refuse with one clear line", async () => {
    const shop = ["--origin", "https://shop.example"];
    assert.match(await assay.refusal("site", "create", "--email", "nobody@example.com", ...shop), /no account has the e-mail address/);
    assert.match(await assay.refusal("site", "create", "--email", email, ...shop, "--origin", "http://shop.example"), /origins\.1 must start with https/);
    assert.match(await assay.refusal("site", "create", "--email", email, ...shop, "--name", "a\nb"), /1 to 80 characters on one line/);
    assert.match((await assay.run("site", "create", "--email", email)).stderr, /--origin <origin>' not specified/);
    const [unverified, suspended] = [await makeAccount(database.store), await makeAccount(database.store)];
    await database.store.db.updateTable("accounts").set({ verified_at: null }).where("id", "=", unverified.accountId).execute();
    await database.store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", suspended.accountId).execute();
    assert.match(await assay.refusal("site", "create", "--email", unverified.email, ...shop), /not verified yet/);
    assert.match(await assay.refusal("site", "create", "--email", suspended.email, ...shop), /is suspended/);
    assert.deepEqual(await list(), []);
  });
});
