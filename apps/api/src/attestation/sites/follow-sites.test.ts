import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { waitUntil } from "../../../test/send.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { followSites, type SiteDirectory } from "./follow-sites.ts";
import { changeSite, createSite, removeSite } from "./manage-sites.ts";
import { eraseSites, insertSite } from "./sites.table.ts";

const onError = (error: unknown): never => {
  throw error;
};

describeBothStores("nodes that follow sites", (open) => {
  let database: TestDatabase;
  let nodes: { store: Store; sites: SiteDirectory }[];
  let accountId: string;

  before(async () => {
    database = await open();
    ({ accountId } = await makeAccount(database.store));
    nodes = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const { store } = await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} });
      nodes.push({ store, sites: await followSites(store, { onError }) });
    }
  });
  after(async () => {
    for (const { store, sites } of nodes ?? []) {
      sites.stop();
      await store.close();
    }
  });

  const asked = () => ({ accountId, actorAccountId: null, nowMs: Date.now() });
  const onAll = (holds: (sites: SiteDirectory) => boolean, what: string) => waitUntil(() => nodes.every(({ sites }) => holds(sites)), what);

  it("learn of new, changed and removed ones by themselves, whichever node changed them", async () => {
    const { siteId } = await createSite(nodes[0]!.store, { ...asked(), name: "Shop", origins: ["https://a.example", "https://b.example"] });
    await onAll((sites) => sites.find(siteId) !== undefined, "every node knows the site");
    for (const { sites } of nodes) {
      assert.deepEqual([sites.find(siteId)?.accountId, [...sites.find(siteId)!.origins]], [accountId, ["https://a.example", "https://b.example"]]);
      assert.deepEqual(["https://a.example", "https://b.example", "https://c.example", "null", ""].map(sites.isKnownOrigin), [true, true, false, false, false]);
    }
    await changeSite(nodes[1]!.store, { ...asked(), siteId, origins: ["https://c.example"] });
    await onAll((sites) => sites.isKnownOrigin("https://c.example"), "every node knows the new origin");
    for (const { sites } of nodes) assert.deepEqual([[...sites.find(siteId)!.origins], sites.isKnownOrigin("https://a.example")], [["https://c.example"], false]);
    await removeSite(nodes[0]!.store, { ...asked(), siteId });
    await onAll((sites) => sites.find(siteId) === undefined, "every node has forgotten the site");
    for (const { sites } of nodes) assert.equal(sites.isKnownOrigin("https://c.example"), false);
  });

  it("know an origin for as long as any site has it", async () => {
    const origins = ["https://shared.example"];
    const sites: string[] = [];
    for (let nth = 0; nth < 2; nth += 1) sites.push((await createSite(nodes[0]!.store, { ...asked(), name: "Shop", origins })).siteId);
    await onAll((known) => sites.every((siteId) => known.find(siteId) !== undefined), "both are known");
    await removeSite(nodes[0]!.store, { ...asked(), siteId: sites[0]! });
    await onAll((known) => known.find(sites[0]!) === undefined, "one is forgotten");
    for (const node of nodes) assert.equal(node.sites.isKnownOrigin(origins[0]!), true);
    await removeSite(nodes[0]!.store, { ...asked(), siteId: sites[1]! });
    await onAll((known) => !known.isKnownOrigin(origins[0]!), "and so is the origin");
  });

  it("forget the sites of a closed account", async () => {
    const closed = await makeAccount(database.store);
    const { siteId } = await createSite(nodes[0]!.store, { ...asked(), accountId: closed.accountId, name: "Shop", origins: ["https://closed.example"] });
    await onAll((sites) => sites.find(siteId) !== undefined, "every node knows the site");
    await eraseSites(nodes[1]!.store.db, { accountId: closed.accountId, nowMs: Date.now() }).execute();
    await onAll((sites) => sites.find(siteId) === undefined && !sites.isKnownOrigin("https://closed.example"), "every node has forgotten the site");
  });

  it("learn of a change that was committed later than others of the same moment", async () => {
    const row = (siteId: string, changedMs: number) => ({ id: siteId, account_id: accountId, name: "Shop", origins: '["https://late.example"]', created_at: changedMs, changed_at: changedMs, deleted_at: null, last_seen_at: null });
    const nowMs = Date.now();
    const [newest, late] = [`site_${"N".repeat(20)}`, `site_${"L".repeat(20)}`];
    await insertSite(nodes[0]!.store.db, row(newest, nowMs)).execute();
    await onAll((sites) => sites.find(newest) !== undefined, "the newest is known");
    await insertSite(nodes[0]!.store.db, row(late, nowMs - 20_000)).execute();
    await onAll((sites) => sites.find(late) !== undefined, "so is one whose time is older");
  });
});
