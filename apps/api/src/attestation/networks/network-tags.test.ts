import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { dumpDatabase } from "../../../test/dump-database.ts";
import { msPerDay, msPerHour, msPerMinute } from "../../formats/time.ts";
import { sqliteFileName } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { deleteOldSalts } from "../delete-old-attestation.ts";
import { windowSpanMs } from "./crowds.ts";
import { openNetworkTagger } from "./network-tags.ts";
import { selectSalts } from "./networks.table.ts";

const midnight = Date.UTC(2026, 2, 15);
const address = "203.0.113.77";

/** What the node's clock says, and a tagger that reads it. Its own timer does not run in a test: it is opened anew instead. */
async function openAt(store: Store, atMs: number) {
  const tagger = await openNetworkTagger(store, {
    nowMs: () => atMs,
    spanMs: windowSpanMs,
    onError(error) {
      throw error;
    },
  });
  tagger.stop();
  return tagger;
}

const saltsIn = (store: Store) => selectSalts(store.db).execute();

describeBothStores("network tags", (open, dialect) => {
  it("come from one salt a day, which all nodes share", async () => {
    const { store } = await open();
    const nodes = await Promise.all(Array.from({ length: 8 }, () => openAt(store, midnight - 2 * msPerHour)));
    const tags = nodes.map((node) => node.tagsOf(address, midnight - 2 * msPerHour));
    assert.match(tags[0]!.today, /^[0-9a-f]{16}$/);
    for (const each of tags) assert.deepEqual(each, tags[0]);
    assert.deepEqual((await saltsIn(store)).map(({ day }) => day), [midnight - msPerDay]);
    // Tomorrow's is made an hour ahead, once.
    await Promise.all(Array.from({ length: 8 }, () => openAt(store, midnight - 30 * msPerMinute)));
    const salts = await saltsIn(store);
    assert.deepEqual(salts.map(({ day }) => day), [midnight, midnight - msPerDay]);
    assert.equal(new Set(salts.map(({ salt }) => salt)).size, 2);
    for (const { salt } of salts) assert.equal(Buffer.from(salt, "base64url").length, 32);
  });

  it("are remembered without the headers that the addresses were read from [threat: beat-flood]", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { store } = await open();
    const tagger = await openAt(store, midnight);
    const headerBytes = 14_000;
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let nth = 0; nth < 4_000; nth += 1) {
      // What a client sent comes first, and a proxy adds the address.
      const header = Buffer.from(`${"1".repeat(headerBytes)}, 2001:db8:1:2::${nth.toString(16)}`).toString("latin1");
      tagger.tagsOf(header.slice(headerBytes + 2), midnight);
    }
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 4_000_000, `${grown} bytes are remembered`);
  });

  it("are the same for all addresses of a network, and others for every other network and every day", async () => {
    const { store } = await open();
    const noon = midnight + msPerDay / 2;
    const [today, tomorrow] = [await openAt(store, noon), await openAt(store, noon + msPerDay)];
    const tagOf = (text: string) => today.tagsOf(text, noon)!.today;
    assert.equal(tagOf("::ffff:203.0.113.9"), tagOf(address));
    assert.equal(tagOf("2001:db8:1:2::3"), tagOf("2001:db8:1:ffff::4"));
    const others = ["203.0.114.77", "203.1.113.77", "2001:db8:1::", "2001:db8:2::", "unknown"].map(tagOf);
    assert.equal(new Set([tagOf(address), ...others]).size, 6);
    assert.equal(tagOf("no address"), tagOf("unknown"), "texts that are no address share one tag");
    assert.notEqual(tomorrow.tagsOf(address, noon + msPerDay)!.today, tagOf(address));
  });

  it("include yesterday's while windows reach back over midnight, and then no longer", async () => {
    const { store } = await open();
    const evening = (await openAt(store, midnight - 10 * msPerMinute)).tagsOf(address, midnight - 10 * msPerMinute)!;
    assert.equal(evening.yesterday, undefined);
    const early = await openAt(store, midnight);
    for (const atMs of [midnight, midnight + 10 * msPerMinute, midnight + windowSpanMs - 1]) {
      assert.equal(early.tagsOf(address, atMs)!.yesterday, evening.today);
      assert.notEqual(early.tagsOf(address, atMs)!.today, evening.today);
    }
    assert.equal(early.tagsOf(address, midnight + windowSpanMs)!.yesterday, undefined);
    // A node that was opened in the evening made tomorrow's salt ahead, and needs no store at midnight.
    const through = await openAt(store, midnight - 10 * msPerMinute);
    assert.deepEqual(through.tagsOf(address, midnight + 1), early.tagsOf(address, midnight + 1));
  });

  it("go on with the newest salt, and count no network twice, while the store is away at midnight", async () => {
    const { store } = await open();
    await openAt(store, midnight - msPerDay - msPerHour * 2);
    const node = await openAt(store, midnight - 2 * msPerHour);
    const evening = node.tagsOf(address, midnight - 2 * msPerHour)!;
    assert.deepEqual(node.tagsOf(address, midnight + 1), { today: evening.today, yesterday: undefined });
  });

  it("cannot be computed again after two days: nothing has the salt any more, deleted space included [threat: address-disclosure]", async () => {
    const database: TestDatabase = await open();
    const { store } = database;
    const dumped = async () => (await dumpDatabase(database)).text;
    const evening = midnight - 30 * msPerMinute;
    await openAt(store, evening);
    const salts = await saltsIn(store);
    assert.equal(salts.length, 2);
    const inDump = async () => {
      const text = await dumped();
      const bytesOf = (salt: string) => Buffer.from(salt, "base64url");
      return salts.map(({ salt }) => [salt, bytesOf(salt).toString("hex"), bytesOf(salt).toString("base64"), bytesOf(salt).toString("latin1")].some((form) => text.includes(form)));
    };
    assert.deepEqual(await inDump(), [true, true]);
    // Yesterday's stays, for windows over midnight.
    for (const atMs of [midnight, midnight + windowSpanMs, midnight + msPerDay - 1]) await deleteOldSalts(store, atMs);
    assert.deepEqual(await inDump(), [true, true]);
    await openAt(store, midnight + msPerDay);
    await deleteOldSalts(store, midnight + msPerDay);
    assert.deepEqual(await inDump(), [true, false], "48 hours after its day began");
    assert.deepEqual((await saltsIn(store)).map(({ day }) => day), [midnight + msPerDay, midnight]);
    await deleteOldSalts(store, midnight + 9 * msPerDay);
    assert.deepEqual(await inDump(), [false, false]);
    assert.deepEqual(await saltsIn(store), []);
  });

  // PostgreSQL has a log of its own, which the service cannot empty: docs/security.md says so.
  if (dialect === "sqlite") {
    it("lose their salt although somebody reads the file meanwhile: it is blank at once, and its row goes later", async () => {
      const database = await open();
      const { store, dataDir } = database;
      await openAt(store, midnight - 2 * msPerHour);
      const [{ salt } = { salt: "" }] = await saltsIn(store);
      const reader = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM network_salts").get();
      await deleteOldSalts(store, midnight + 5 * msPerDay);
      assert.deepEqual((await saltsIn(store)).map((row) => row.salt), [""]);
      assert.ok(await openAt(store, midnight), "a blank salt is no salt");
      reader.exec("COMMIT");
      reader.close();
      await deleteOldSalts(store, midnight + 5 * msPerDay);
      assert.deepEqual(await saltsIn(store), []);
      assert(!(await dumpDatabase(database)).text.includes(salt));
    });
  }
});
