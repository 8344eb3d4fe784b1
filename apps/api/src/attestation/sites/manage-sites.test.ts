import { siteIdPattern } from "@assay/contract/attestation.ts";
import { sitesMax } from "@assay/contract/dashboard/site-limits.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { Failure, type FailureCode } from "../../failure/failure.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { suspendAccount } from "../../people/change-account.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { firstSummedDay, listSites } from "./describe-site.ts";
import { changeSite, createSite, removeSite } from "./manage-sites.ts";
import { addToSiteDays, markSitesSeen, selectChangedSites, selectSite } from "./sites.table.ts";

const nowMs = 1_800_000_000_000;
const origins = ["https://shop.example"];

const failsWith = (code: FailureCode, message: RegExp) => (error: unknown) => {
  assert(error instanceof Failure, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

describeBothStores("sites", (open) => {
  let database: TestDatabase;
  let store: Store;

  before(async () => {
    database = await open();
    ({ store } = database);
  });

  const newAccount = async () => (await makeAccount(store)).accountId;
  const asked = (accountId: string, atMs = nowMs) => ({ accountId, actorAccountId: accountId, nowMs: atMs });
  const create = async (accountId: string, more: { name?: string; origins?: string[]; atMs?: number; on?: Store } = {}) =>
    (await createSite(more.on ?? store, { ...asked(accountId, more.atMs), name: more.name ?? "Shop", origins: more.origins ?? origins })).siteId;
  const rowOf = (siteId: string) => store.db.selectFrom("sites").selectAll().where("id", "=", siteId).executeTakeFirstOrThrow();
  const notesOf = (subject: string) => store.db.selectFrom("audit_log").select(["action", "actor_account_id", "account_id", "detail"]).where("subject", "=", subject).orderBy("seq").execute();
  const listed = async (accountId: string, atMs = nowMs) => listSites(store, { accountId, nowMs: atMs });

  it("have a public id of their own, canonical origins, and are listed with the newest first", async () => {
    const accountId = await newAccount();
    const first = await create(accountId, { name: "  Shop ", origins: ["https://Shop.example/", "http://localhost:3000", "https://shop.example:443"] });
    const second = await create(accountId, { atMs: nowMs + 1 });
    assert.match(first, new RegExp(siteIdPattern));
    assert.notEqual(first, second);
    const sites = await listed(accountId);
    assert.deepEqual(sites.map(({ site_id: id }) => id), [second, first]);
    assert.deepEqual(sites[1], { site_id: first, name: "Shop", origins: ["https://shop.example", "http://localhost:3000"], created_at: new Date(nowMs).toISOString(), last_seen_at: null, sessions: 0, refused: 0, calls: 0, attested_calls: 0 });
    assert.deepEqual(await listed(await newAccount()), []);
    await assert.rejects(create(accountId, { origins: ["https://a.example", "https://a.example/path"] }), failsWith("invalid_request", /^origins\.1 must be an origin/));
    assert.equal((await listed(accountId)).length, 2);
  });

  it("number at most fifty per account, however many are created at once on two nodes", async () => {
    const [accountId, otherId] = [await newAccount(), await newAccount()];
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs, onConnectionError: () => {} })).store : store;
    const outcomes = await Promise.allSettled(Array.from({ length: sitesMax + 6 }, (_, index) => create(accountId, { on: index % 2 === 0 ? store : other })));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, sitesMax);
    for (const outcome of outcomes) if (outcome.status === "rejected") failsWith("forbidden", /at most 50 sites/)(outcome.reason);
    await create(otherId);
    // A deleted one makes room.
    const [one] = await listed(accountId);
    await removeSite(store, { ...asked(accountId), siteId: one!.site_id });
    await create(accountId);
    await assert.rejects(create(accountId), failsWith("forbidden", /at most 50 sites/));
    assert.equal((await listed(accountId)).length, sitesMax);
    if (other !== store) await other.close();
  });

  it("are made by verified and active accounts only, and stay when an account is suspended", async () => {
    const accountId = await newAccount();
    const siteId = await create(accountId);
    await suspendAccount(store, { accountId, reason: "a test", actorAccountId: null, nowMs, channel: undefined });
    await assert.rejects(create(accountId), failsWith("forbidden", /^Only an active account/));
    assert.deepEqual((await listed(accountId)).map(({ site_id: id }) => id), [siteId]);
    const unverified = await newAccount();
    await store.db.updateTable("accounts").set({ verified_at: null }).where("id", "=", unverified).execute();
    await assert.rejects(create(unverified), failsWith("forbidden", /^Verify your e-mail address/));
    await assert.rejects(create("acct_nobody"), failsWith("forbidden", /^Only an active account/));
    assert.deepEqual(await listed(unverified), []);
  });

  it("change their name and origins, and nobody else's", async () => {
    const [accountId, otherId] = [await newAccount(), await newAccount()];
    const siteId = await create(accountId);
    await changeSite(store, { ...asked(accountId, nowMs + 5), siteId, name: " Renamed " });
    assert.deepEqual([(await listed(accountId))[0]!.name, (await listed(accountId))[0]!.origins], ["Renamed", origins]);
    await changeSite(store, { ...asked(accountId, nowMs + 6), siteId, origins: ["https://new.example:443"] });
    const { changed_at: changedAt, created_at: createdAt, deleted_at: deletedAt, ...rest } = await rowOf(siteId);
    assert.deepEqual([rest.name, rest.origins, createdAt, changedAt, deletedAt], ["Renamed", '["https://new.example"]', nowMs, nowMs + 6, null]);
    const unknown = failsWith("not_found", /^No site of this account/);
    await assert.rejects(changeSite(store, { ...asked(otherId), siteId, name: "Taken" }), unknown);
    await assert.rejects(removeSite(store, { ...asked(otherId), siteId }), unknown);
    await assert.rejects(changeSite(store, { ...asked(accountId), siteId: "site_unknown", name: "x" }), unknown);
    await assert.rejects(changeSite(store, { ...asked(accountId), siteId }), failsWith("invalid_request", /^Say what to change/));
    await assert.rejects(changeSite(store, { ...asked(accountId), siteId, origins: ["null"] }), failsWith("invalid_request", /^origins\.0/));
    assert.equal((await rowOf(siteId)).changed_at, nowMs + 6);
  });

  it("are gone for their owner once they are deleted, and every node can still read that they are", async () => {
    const accountId = await newAccount();
    const [siteId, kept] = [await create(accountId), await create(accountId)];
    await removeSite(store, { ...asked(accountId, nowMs + 9), siteId });
    assert.deepEqual((await listed(accountId)).map(({ site_id: id }) => id), [kept]);
    assert.equal(await selectSite(store.db, siteId).executeTakeFirst(), undefined);
    assert.equal((await selectSite(store.db, kept).executeTakeFirst())!.account_id, accountId);
    const changes = (await selectChangedSites(store.db, { sinceMs: nowMs }).execute()).filter(({ account_id: id }) => id === accountId);
    assert.deepEqual(changes.map(({ id, changed_at: at, deleted_at: deletedAt }) => [id, at, deletedAt]), [[kept, nowMs, null], [siteId, nowMs + 9, nowMs + 9]]);
    assert.deepEqual((await selectChangedSites(store.db, { sinceMs: nowMs + 9, limit: 1 }).execute()).map(({ id }) => id), [siteId]);
    assert.deepEqual(await selectChangedSites(store.db, { sinceMs: nowMs + 10 }).execute(), []);
    const unknown = failsWith("not_found", /^No site of this account/);
    await assert.rejects(removeSite(store, { ...asked(accountId), siteId }), unknown);
    await assert.rejects(changeSite(store, { ...asked(accountId), siteId, name: "Back" }), unknown);
    assert.equal((await rowOf(siteId)).name, "Shop");
  });

  it("note every change, and only changes, without names and origins", async () => {
    const accountId = await newAccount();
    const siteId = await create(accountId, { name: "Ada Lovelace", origins: ["https://ada.example", "https://www.ada.example"] });
    await changeSite(store, { ...asked(accountId), actorAccountId: null, siteId, name: "Ada", origins: ["https://ada.example"] });
    await assert.rejects(changeSite(store, { ...asked(await newAccount()), siteId, name: "Ada" }));
    await removeSite(store, { ...asked(accountId), siteId });
    await assert.rejects(removeSite(store, { ...asked(accountId), siteId }));
    const notes = await notesOf(siteId);
    assert.deepEqual(
      notes.map((note) => [note.action, note.actor_account_id, note.account_id, JSON.parse(note.detail)]),
      [
        ["site.created", accountId, accountId, { origins: 2 }],
        ["site.changed", null, accountId, { changed: ["name", "origins"] }],
        ["site.deleted", accountId, accountId, {}],
      ],
    );
    assert.doesNotMatch(JSON.stringify(notes), /ada/i);
  });

  it("add up what happened on them in the last 30 days, and when a session was last used", async () => {
    const accountId = await newAccount();
    const [siteId, quiet] = [await create(accountId), await create(accountId, { atMs: nowMs - 1 })];
    const today = startOfDay(nowMs);
    const counts = (day: number, sessions: number, calls: number, attested: number) => ({ site_id: siteId, day, sessions, calls, attested_calls: attested });
    assert.equal(firstSummedDay(nowMs), today - 29 * msPerDay);
    await addToSiteDays(store.db, [counts(today - 30 * msPerDay, 1_000, 1_000, 1_000), counts(today - 29 * msPerDay, 100, 20, 10), counts(today, 3, 2, 1)]).execute();
    await addToSiteDays(store.db, [counts(today, 5, 4, 3)]).execute();
    await markSitesSeen(store.db, { siteIds: [siteId], atMs: nowMs - 5 }).execute();
    await markSitesSeen(store.db, { siteIds: [siteId], atMs: nowMs - 9 }).execute();
    const [site, other] = await listed(accountId);
    assert.deepEqual([site!.sessions, site!.refused, site!.calls, site!.attested_calls, site!.last_seen_at], [14, 94, 26, 14, new Date(nowMs - 5).toISOString()]);
    assert.deepEqual([other!.site_id, other!.sessions, other!.refused, other!.calls, other!.attested_calls, other!.last_seen_at], [quiet, 0, 0, 0, 0, null]);
    // They began on the day before the first.
    await addToSiteDays(store.db, [{ ...counts(today, 0, 9, 9), site_id: quiet }]).execute();
    assert.deepEqual((await listed(accountId)).map(({ sessions, refused }) => [sessions, refused]), [[14, 94], [9, 0]]);
    await markSitesSeen(store.db, { siteIds: [siteId, quiet, "site_unknown"], atMs: nowMs }).execute();
    assert.deepEqual((await listed(accountId)).map((each) => each.last_seen_at), [new Date(nowMs).toISOString(), new Date(nowMs).toISOString()]);
  });
});
