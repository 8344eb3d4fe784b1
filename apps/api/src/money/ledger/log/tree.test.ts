import { hashRange, type Tile } from "@assay/tlog/tiles.ts";
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it } from "node:test";
import { naiveRoot } from "../../../../test/log/log-context.ts";
import { createTree, type FullTile, hashChildren, tileWidth } from "./tree.ts";

const leavesTo = (size: number): Buffer[] => Array.from({ length: size }, (_, index) => hash("sha256", String(index), "buffer"));

describe("the tree of the log", () => {
  it("has the root of RFC 6962 at every size to 520, however it is appended to", () => {
    const leaves = leavesTo(520);
    const tree = createTree({ size: 0, edge: [] });
    assert.equal(tree.root(), undefined);
    for (const [index, leaf] of leaves.entries()) {
      tree.append([leaf]);
      assert.deepEqual(Buffer.from(tree.root()!), Buffer.from(naiveRoot(leaves.slice(0, index + 1))), `size ${index + 1}`);
    }
    for (const cut of [1, 255, 256, 257, 511]) {
      const parts = createTree({ size: 0, edge: [] });
      parts.append(leaves.slice(0, cut));
      parts.append(leaves.slice(cut));
      assert.deepEqual(parts.root(), tree.root(), `cut at ${cut}`);
    }
  });

  it("gives every full tile once, also of the third level, and these and its edge give its root", async () => {
    const size = 65_536 + 300;
    const leaves = leavesTo(size);
    const tree = createTree({ size: 0, edge: [] });
    const full = new Map<string, FullTile>();
    for (let from = 0; from < size; from += 1_000) {
      for (const tile of tree.append(leaves.slice(from, from + 1_000))) {
        assert(!full.has(`${tile.level}/${tile.n}`));
        full.set(`${tile.level}/${tile.n}`, tile);
      }
    }
    assert.equal(full.size, 257 + 1);
    const readTile = ({ level, index, width }: Tile): Uint8Array => {
      if (width === tileWidth) return full.get(`${level}/${index}`)!.hashes;
      const from = index * tileWidth;
      if (level === 0) return Buffer.concat(leaves.slice(from, from + width));
      return Buffer.concat(Array.from({ length: width }, (_, each) => full.get(`${level - 1}/${from + each}`)!.root));
    };
    const root = await hashRange({ from: 0, to: size }, { size, readTile, hashPair: hashChildren });
    assert.deepEqual(Buffer.from(root), tree.root());
    assert.deepEqual(Buffer.from(root), Buffer.from(naiveRoot(leaves)));
  });
});
