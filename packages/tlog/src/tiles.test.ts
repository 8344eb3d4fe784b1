import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hashPairNow, NaiveTree } from "./testing/naive-tree.ts";
import { consistencyRanges, hashRange, hashRanges, inclusionRanges, parseTilePath, tilePath, tileWidth, tileWidthAt, type Tile, type TileSource } from "./tiles.ts";

const tree = NaiveTree.ofNumbers(100_000);

/** Reads tiles that are made from the tree's definition, and insists on the widths that a log of that size has. */
const tilesOf = (size: number): TileSource => ({
  size,
  hashPair: hashPairNow,
  readTile: ({ level, index, width }) => {
    const leaves = tileWidth ** level;
    assert.equal(width, Math.min(tileWidth, Math.floor(size / leaves) - index * tileWidth), `${level}/${index}`);
    return Buffer.concat(Array.from({ length: width }, (_, each) => tree.hash((index * tileWidth + each) * leaves, (index * tileWidth + each + 1) * leaves)));
  },
});

const hashesOf = (ranges: { from: number; to: number }[]): Uint8Array[] => ranges.map(({ from, to }) => tree.hash(from, to));
const join = (hashes: Uint8Array[]): string => Buffer.concat(hashes).toString("hex");

describe("paths of tiles", () => {
  it("are those of C2SP's tlog-tiles", () => {
    assert.equal(tilePath({ level: 0, index: 1_234_067, width: 256 }), "0/x001/x234/067");
    assert.equal(tilePath({ level: 2, index: 0, width: 1 }), "2/000.p/1");
    assert.equal(tilePath({ level: 0, index: 999, width: 255 }), "0/999.p/255");
    assert.equal(tilePath({ level: 0, index: 1_000, width: 256 }), "0/x001/000");
  });

  it("are read back, in one spelling only", () => {
    const anyTile = fc.record<Tile>({ level: fc.nat(63), index: fc.oneof(fc.nat(), fc.maxSafeNat()), width: fc.integer({ min: 1, max: 256 }) });
    fc.assert(fc.property(anyTile, (tile) => assert.deepEqual(parseTilePath(tilePath(tile)), { ...tile })));
    for (const wrong of [
      "", "0", "0/0", "0/00", "0/0000", "00/000", "64/000", "-1/000", "0/x000/000", "0/x001/x002", "0/001/000", "0/000/", "/0/000", "0/000.p/0", "0/000.p/256", "0/000.p/01",
      "0/000.p/", "0/000.p", "0/000.p/1/", "0/000.P/1", "0/x999/x999/x999/x999/x999/999", "0/../000", "0/٠٠٠", "0/000\n", "entries/000",
    ]) assert.equal(parseTilePath(wrong), undefined, wrong);
    for (const wrong of [{ level: 64 }, { index: -1 }, { index: 0.5 }, { width: 0 }, { width: 257 }]) assert.throws(() => tilePath({ level: 0, index: 0, width: 256, ...wrong }), RangeError);
  });

  it("lead to tiles of the widths that a log of 70,000 entries has", () => {
    assert.deepEqual([tileWidthAt({ level: 0, index: 272 }, 70_000), tileWidthAt({ level: 0, index: 273 }, 70_000), tileWidthAt({ level: 0, index: 274 }, 70_000)], [256, 112, 0]);
    assert.deepEqual([tileWidthAt({ level: 1, index: 0 }, 70_000), tileWidthAt({ level: 1, index: 1 }, 70_000), tileWidthAt({ level: 2, index: 0 }, 70_000)], [256, 17, 1]);
    assert.deepEqual([tileWidthAt({ level: 0, index: 0 }, 256), tileWidthAt({ level: 1, index: 0 }, 256)], [256, 1]);
  });
});

describe("proofs from tiles", () => {
  it("cover the ranges of RFC 6962 for all sizes up to 300", () => {
    for (let size = 1; size <= 300; size += 1) {
      for (let other = 0; other <= size; other += 1) {
        if (other < size) assert.equal(join(hashesOf(inclusionRanges(other, size))), join(tree.inclusionPath(other, 0, size)), `${other} of ${size}`);
        assert.equal(join(hashesOf(consistencyRanges(other, size))), join(tree.consistencyPath(other, size)), `${other} to ${size}`);
      }
    }
  });

  it("are those of the whole tree for random sizes to 100,000", async () => {
    const anySize = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom(1, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 70_000));
    await fc.assert(
      fc.asyncProperty(anySize, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (size, place) => {
        const other = Math.floor(place * size);
        const source = tilesOf(size);
        assert.equal(join([await hashRange({ from: 0, to: size }, source)]), join([tree.root(size)]));
        assert.equal(join(await hashRanges(inclusionRanges(other, size), source)), join(tree.inclusionPath(other, 0, size)));
        assert.equal(join(await hashRanges(consistencyRanges(other, size), source)), join(tree.consistencyPath(other, size)));
      }),
      { numRuns: 60 },
    );
  });

  it("are the same with Web Crypto", async () => {
    const { size, readTile } = tilesOf(300);
    assert.deepEqual(await hashRange({ from: 0, to: 300 }, { size, readTile }), tree.root(300));
  });

  it("are not made from tiles that are too short, for leaves that are not there or for an empty range", async () => {
    const source = tilesOf(300);
    await assert.rejects(hashRange({ from: 0, to: 300 }, { ...source, readTile: () => new Uint8Array(31) }), RangeError);
    await assert.rejects(hashRange({ from: 296, to: 304 }, source), RangeError);
    await assert.rejects(hashRange({ from: 3, to: 3 }, source), RangeError);
    assert.throws(() => inclusionRanges(300, 300), RangeError);
    assert.throws(() => consistencyRanges(301, 300), RangeError);
  });
});
