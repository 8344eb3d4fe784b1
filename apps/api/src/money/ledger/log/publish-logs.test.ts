import { hashRange, type Tile } from "@assay/tlog/tiles.ts";
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import { describeBothStores } from "../../../../test/both-stores.ts";
import { addEntries, extend } from "../../../../test/log/log-context.ts";
import { makeAccount } from "../../../../test/make-account.ts";
import { makeTestFolder } from "../../../../test/start-service.ts";
import type { Db } from "../../../store/schema.ts";
import type { Store } from "../../../store/store.ts";
import { publishLogs } from "./publish-logs.ts";
import { readTile } from "./read-log.ts";
import { openTileFiles } from "./tile-files.ts";
import { hashBytes, hashChildren, tileWidth } from "./tree.ts";

/** Two complete tiles, and 188 hashes at the edge. */
const entries = 700;

/** The database with its queries counted. */
function counting({ db }: Pick<Store, "db">): { db: Db; queries: () => number } {
  let queries = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: counted, queries: () => queries };
}

/** What a node publishes; `db`: in place of the store's. */
async function start(store: Pick<Store, "db">, more: { folder?: string; filesMax?: number } = {}) {
  const { folder = join(makeTestFolder(), "log-tiles"), filesMax = 100 } = more;
  const errors: unknown[] = [];
  const files = await openTileFiles(folder, { onError: (error) => errors.push(error), filesMax });
  const { db, queries } = counting(store);
  const logs = publishLogs({ db }, { files, readKeys: () => Promise.resolve([]) });
  let readers = 0;
  const read = async ({ level, index, width }: Tile) => {
    const hashes = await logs.findTile(1, { level, index, width }, `reader ${(readers += 1)}`);
    return hashes && Buffer.from(hashes).toString("hex");
  };
  return { logs, folder, errors, queries, read };
}

/** Every tile of a log of that size, in every width that it has or had. */
function tilesOf(size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; tileWidth ** level <= size; level += 1) {
    const hashes = Math.floor(size / tileWidth ** level);
    for (let at = 0; at < hashes; at += 1) tiles.push({ level, index: Math.floor(at / tileWidth), width: (at % tileWidth) + 1 });
  }
  return tiles;
}

describeBothStores("what everybody may read of the log", (open) => {
  let store: Store;
  let accountId: string;

  before(async () => {
    ({ store } = await open());
    ({ accountId } = await makeAccount(store));
    await addEntries(store, accountId, entries);
    await extend(store);
  });

  const truth = async (tile: Tile) => Buffer.from(await readTile(store, { log: 1, ...tile })).toString("hex");

  it("costs a handful of queries however many ask for however many tiles, and later none [threat: tile-flood]", async () => {
    const { read, queries } = await start(store);
    const tiles = tilesOf(entries);
    const answers = await Promise.all([...tiles, ...tiles, ...tiles].map(read));
    // Twice the logs, twice the checkpoint, two complete tiles, and three or two for each edge.
    assert.ok(queries() <= 11, `${queries()} queries for ${answers.length} tiles`);
    for (const [nth, tile] of tiles.entries()) assert.equal(answers[nth], await truth(tile), JSON.stringify(tile));
    const asked = queries();
    for (const tile of tiles) await read(tile);
    assert.equal(queries(), asked);
  });

  it("is made one by one, and each tile once, when all tiles are asked for one after the other [threat: tile-flood]", async () => {
    const { read, queries } = await start(store);
    for (const tile of tilesOf(entries).toReversed()) await read(tile);
    assert.ok(queries() <= 11, `${queries()} queries`);
  });

  it("has the right bytes while the log grows, also of tiles that were not full before", async () => {
    const { store: own } = await open();
    const { accountId: ownId } = await makeAccount(own);
    const { read, logs, queries } = await start(own);
    assert.equal(await logs.findCheckpoint(undefined), undefined);
    assert.equal(await read({ level: 0, index: 0, width: 1 }), undefined, "nothing is logged");
    let size = 0;
    for (const more of [3, 200, 60, 300, 1]) {
      await addEntries(own, ownId, more);
      await extend(own);
      size += more;
      const asked = queries();
      for (const tile of tilesOf(size)) assert.equal(await read(tile), Buffer.from(await readTile(own, { log: 1, ...tile })).toString("hex"), JSON.stringify(tile));
      assert.ok(queries() - asked <= 20, `${queries() - asked} queries`);
      const { size: seen, root } = (await logs.findCheckpoint(undefined))!;
      assert.equal(seen, size);
      const fetched = async (tile: Tile) => Buffer.from((await read(tile))!, "hex");
      assert.deepEqual(Buffer.from(await hashRange({ from: 0, to: size }, { size, readTile: fetched, hashPair: hashChildren })), Buffer.from(root));
      assert.equal(await read({ level: 0, index: Math.floor(size / tileWidth), width: (size % tileWidth) + 1 }), undefined);
    }
  });

  it("never serves a file that was cut short, changed or swapped, and makes it anew [threat: tile-files]", async () => {
    const { read, folder, errors } = await start(store);
    const [first, second] = [0, 1].map((index): Tile => ({ level: 0, index, width: tileWidth }));
    await Promise.all([first!, second!].map(read));
    const [path, other] = ["1-0-0", "1-0-1"].map((name) => join(folder, name));
    assert.deepEqual(readdirSync(folder).toSorted(), ["1-0-0", "1-0-1"]);
    const whole = readFileSync(path!);
    const flipped = Buffer.from(whole);
    flipped[4_000]! ^= 1;
    const damages: Record<string, () => void> = {
      "cut short": () => writeFileSync(path!, whole.subarray(0, 1_000)),
      "empty": () => writeFileSync(path!, ""),
      "only a sum": () => writeFileSync(path!, whole.subarray(0, 32)),
      "longer": () => writeFileSync(path!, Buffer.concat([whole, whole])),
      "one bit": () => writeFileSync(path!, flipped),
      "another tile's": () => writeFileSync(path!, readFileSync(other!)),
      "gone": () => rmSync(path!),
    };
    for (const [kind, damage] of Object.entries(damages)) {
      damage();
      assert.equal(await read(first!), await truth(first!), kind);
      assert.ok(readFileSync(path!).equals(whole), `${kind}: it is made anew`);
      damage();
      const part = { ...first!, width: 7 };
      assert.equal(await read(part), await truth(part), `${kind}, a part of it`);
    }
    assert.deepEqual(errors, []);
  });

  it("serves no file of a process before, keeps a bounded number, and goes on without any [threat: tile-files]", async () => {
    const tiles = [0, 1].map((index): Tile => ({ level: 0, index, width: tileWidth }));
    const earlier = await start(store);
    await Promise.all(tiles.map(earlier.read));
    const { read, folder } = await start(store, { folder: earlier.folder, filesMax: 1 });
    assert.throws(() => readdirSync(folder), { code: "ENOENT" });
    for (let round = 0; round < 3; round += 1) {
      for (const tile of tiles) assert.equal(await read(tile), await truth(tile));
      assert.deepEqual(readdirSync(folder), ["1-0-1"], "the last that was written");
    }
    // A file is where the folder should be: nothing can be written.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const broken = await start(store, { folder: join(folder, "below") });
    for (const tile of tiles) assert.equal(await broken.read(tile), await truth(tile));
    // The folder, and the first of two files.
    assert.equal(broken.errors.length, 2);
  });

  it("forgets the tiles when the database was put back: another log's are not served as this one's", async () => {
    const { store: other } = await open();
    const { accountId: otherId } = await makeAccount(other);
    await addEntries(other, otherId, 300);
    await extend(other);
    let current: Store = store;
    const db = new Proxy(store.db, {
      get(_, name) {
        const value: unknown = Reflect.get(current.db, name);
        return typeof value === "function" ? (value as () => unknown).bind(current.db) : value;
      },
    });
    const errors: unknown[] = [];
    const files = await openTileFiles(join(makeTestFolder(), "log-tiles"), { onError: (error) => errors.push(error) });
    const logs = publishLogs({ db }, { files, readKeys: () => Promise.resolve([]) });
    const tiles: Tile[] = [{ level: 0, index: 0, width: tileWidth }, { level: 1, index: 0, width: 1 }];
    const readAll = async () => {
      await logs.findCheckpoint(undefined);
      return Promise.all(tiles.map(async (tile) => Buffer.from((await logs.findTile(1, tile, "reader"))!).toString("hex")));
    };
    const truthIn = (which: Store) => Promise.all(tiles.map(async (tile) => Buffer.from(await readTile(which, { log: 1, ...tile })).toString("hex")));
    assert.deepEqual(await readAll(), await truthIn(store));
    current = other;
    assert.deepEqual(await readAll(), await truthIn(other));
    assert.deepEqual(errors, []);
  });

  it("makes no query for tiles of logs that there are not more often than one after the other [threat: tile-flood]", async () => {
    const { logs, queries } = await start(store);
    await logs.findCheckpoint(1);
    const asked = queries();
    const beyond = { level: 0, index: 9, width: tileWidth };
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, nth) => logs.findTile(nth % 2 === 0 ? 1 : 2 + nth, beyond, `reader ${nth}`)));
    assert.ok(answers.every((answer) => answer === undefined));
    assert.ok(queries() - asked <= 4, `${queries() - asked} queries`);
    assert.equal((await logs.findTile(1, { level: 0, index: 1, width: 5 }, "reader"))!.length, 5 * hashBytes);
  });
});
