import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { makeAccount } from "../../test/make-account.ts";
import { msPerDay, msPerHour, startOfDay } from "../formats/time.ts";
import { deleteExpired } from "../operations/delete-expired.ts";
import type { Store } from "../store/store.ts";
import { insertSalt, selectNetworkDays, selectSalts, setNetworkDays } from "./networks/networks.table.ts";
import { createSite, removeSite } from "./sites/manage-sites.ts";
import { addToSiteDays } from "./sites/sites.table.ts";

const today = startOfDay(1_800_000_000_000);
const nowMs = today + msPerHour;

describeBothStores("what attestation keeps", (open) => {
  let store: Store;
  before(async () => {
    ({ store } = await open());
  });

  const deleteAt = (atMs: number, isOver = () => false) => deleteExpired(store, { nowMs: atMs, retentionDays: 90, isOver });
  const dayOf = (siteId: string, day: number) => ({ site_id: siteId, day, sessions: 1, calls: 1, attested_calls: 1 });
  const siteIds = async () => (await store.db.selectFrom("sites").select("id").execute()).map(({ id }) => id);
  const daysOf = async (siteId: string) => (await store.db.selectFrom("site_days").select("day").where("site_id", "=", siteId).orderBy("day").execute()).map(({ day }) => day);

  it("is today's and yesterday's salt, of which the first one written counts; older ones go, even where nothing else may be deleted yet", async () => {
    const dayBefore = (days: number) => today - days * msPerDay;
    for (const days of [3, 2, 1, 0]) await insertSalt(store.db, { day: dayBefore(days), salt: `salt of ${days}` }).execute();
    await insertSalt(store.db, { day: today, salt: "another node's" }).execute();
    const days = async () => (await selectSalts(store.db).execute()).map(({ day, salt }) => [day, salt]);
    assert.deepEqual((await days())[0], [today, "salt of 0"]);
    await deleteAt(today, () => true);
    assert.deepEqual(await days(), [[today, "salt of 0"], [dayBefore(1), "salt of 1"]]);
    await deleteAt(today + msPerDay - 1);
    assert.equal((await days()).length, 2);
    await deleteAt(today + 2 * msPerDay - 1);
    assert.deepEqual(await days(), [[today, "salt of 0"]]);
    await deleteAt(today + 2 * msPerDay);
    assert.deepEqual(await days(), []);
  });

  it("is a deleted site for two days, then neither it nor its counts, and nothing of others", async () => {
    const { accountId } = await makeAccount(store);
    const create = async () => (await createSite(store, { accountId, actorAccountId: null, name: "Shop", origins: ["https://shop.example"], nowMs })).siteId;
    const [kept, gone] = [await create(), await create()];
    await addToSiteDays(store.db, [kept, gone].toSorted().map((siteId) => dayOf(siteId, today))).execute();
    await removeSite(store, { siteId: gone, accountId, actorAccountId: null, nowMs });
    await deleteAt(nowMs + 2 * msPerDay);
    assert.deepEqual((await siteIds()).toSorted(), [kept, gone].toSorted());
    assert.deepEqual(await daysOf(gone), [today]);
    assert.deepEqual(await deleteAt(nowMs + 2 * msPerDay + 1), { deleted: 2, isMore: false });
    assert.deepEqual([await siteIds(), await daysOf(gone), await daysOf(kept)], [[kept], [], [today]]);
  });

  it("is 400 days of counts, of sites and of networks", async () => {
    const { accountId } = await makeAccount(store);
    const { siteId } = await createSite(store, { accountId, actorAccountId: null, name: "Shop", origins: ["https://shop.example"], nowMs });
    const [oldest, older] = [today - 400 * msPerDay, today - 401 * msPerDay];
    await addToSiteDays(store.db, [dayOf(siteId, older), dayOf(siteId, oldest)]).execute();
    const part = (day: number, name: string, calls: number) => ({ account_id: accountId, day, part: name, calls, networks: 1, top_calls: calls });
    await setNetworkDays(store.db, [part(older, "a", 1), part(oldest, "a", 2), part(today, "a", 3), part(today, "b", 4)]).execute();
    // A process writes what it has counted so far over what it wrote before.
    await setNetworkDays(store.db, [{ ...part(today, "a", 7), networks: 5, top_calls: 6 }]).execute();
    await deleteAt(nowMs);
    assert.deepEqual(await daysOf(siteId), [oldest]);
    const read = async (fromDay: number) => (await selectNetworkDays(store.db, { accountId, fromDay }).execute()).map((row) => [row.day, row.part, row.calls, row.networks, row.top_calls]);
    assert.deepEqual(await read(0), [[oldest, "a", 2, 1, 2], [today, "a", 7, 5, 6], [today, "b", 4, 1, 4]]);
    assert.deepEqual((await read(oldest + 1)).length, 2);
  });
});
