import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { emptyRoot, hashChildren, hashLeaf, verifyConsistency, verifyInclusion, walkConsistency, walkInclusion, type ConsistencyProof, type InclusionProof } from "./merkle.ts";
import { followNow, NaiveTree } from "./testing/naive-tree.ts";

const sizeMax = 300;
const forgedSizeMax = 24;
const tree = NaiveTree.ofNumbers(100_000);

const inclusionOf = (index: number, size: number, of = tree): InclusionProof => ({
  leafHash: of.leafHashes[index]!,
  index,
  size,
  root: of.root(size),
  path: of.inclusionPath(index, 0, size),
});

const consistencyOf = (fromSize: number, toSize: number, of = tree): ConsistencyProof => ({
  fromSize,
  fromRoot: of.root(fromSize),
  toSize,
  toRoot: of.root(toSize),
  path: of.consistencyPath(fromSize, toSize),
});

const isIncluded = (proof: InclusionProof): boolean => followNow(walkInclusion(proof));
const isConsistent = (proof: ConsistencyProof): boolean => followNow(walkConsistency(proof));

const flipBit = (bytes: Uint8Array, bit: number): Uint8Array => bytes.with(Math.floor(bit / 8), bytes[Math.floor(bit / 8)]! ^ (1 << (bit % 8)));

/** Every path that differs from the given one in one element, one missing, one too many, or two exchanged. */
function* changedPaths(path: readonly Uint8Array[], stranger: Uint8Array): Generator<Uint8Array[]> {
  yield [...path, stranger];
  if (path.length > 0) yield [...path, path.at(-1)!];
  for (let at = 0; at < path.length; at += 1) {
    yield path.with(at, stranger);
    yield path.with(at, flipBit(path[at]!, (at * 37) % 256));
    yield path.with(at, path[at]!.subarray(1));
    yield path.toSpliced(at, 1);
    yield path.toSpliced(at, 0, stranger);
    for (let other = at + 1; other < path.length; other += 1) yield path.with(at, path[other]!).with(other, path[at]!);
  }
}

describe("hashes of the log's tree", () => {
  it("are those of RFC 6962", async () => {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    assert.equal(hex(emptyRoot), createHash("sha256").digest("hex"));
    assert.equal(hex(await hashLeaf(new Uint8Array())), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    const leaves = await Promise.all(inputs.map((input) => hashLeaf(Buffer.from(input, "hex"))));
    assert.equal(hex(new NaiveTree(leaves).root(8)), "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
    assert.equal(hex(await hashChildren(leaves[0]!, leaves[1]!)), "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125");
  });

  it("tell a leaf from an inner node with the same bytes", async () => {
    const [left, right] = [tree.leafHashes[0]!, tree.leafHashes[1]!];
    assert.notDeepEqual(await hashLeaf(Buffer.concat([left, right])), await hashChildren(left, right));
  });
});

describe("proofs of inclusion", () => {
  it(`verify for every leaf of every log of up to ${sizeMax} entries`, () => {
    for (let size = 1; size <= sizeMax; size += 1) {
      for (let index = 0; index < size; index += 1) assert(isIncluded(inclusionOf(index, size)), `${index} of ${size}`);
    }
  });

  it("verify for random leaves of logs of up to 100,000 entries, with Web Crypto too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (size, place) => {
        const proof = inclusionOf(Math.floor(place * size), size);
        assert(isIncluded(proof));
        assert(await verifyInclusion(proof));
        assert.equal(await verifyInclusion({ ...proof, leafHash: flipBit(proof.leafHash, size % 256) }), false);
      }),
    );
  });

  it("fail with any other path, index or leaf", () => {
    const stranger = tree.leafHashes[99_999]!;
    for (let size = 1; size <= forgedSizeMax; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionOf(index, size);
        for (const path of changedPaths(proof.path, stranger)) assert.equal(isIncluded({ ...proof, path }), false);
        for (let other = 0; other <= size; other += 1) {
          if (other === index) continue;
          assert.equal(isIncluded({ ...proof, index: other }), false, `${index} of ${size} as ${other}`);
          assert.equal(isIncluded({ ...proof, leafHash: tree.leafHashes[other]! }), false);
        }
        for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53, index + 2 ** 32]) assert.equal(isIncluded({ ...proof, index: wrong }), false);
      }
    }
  });

  it("fail with any bit changed", () => {
    const proof = inclusionOf(9, 13);
    for (let bit = 0; bit < 256; bit += 1) {
      assert.equal(isIncluded({ ...proof, leafHash: flipBit(proof.leafHash, bit) }), false);
      assert.equal(isIncluded({ ...proof, root: flipBit(proof.root, bit) }), false);
      for (const [at, hash] of proof.path.entries()) assert.equal(isIncluded({ ...proof, path: proof.path.with(at, flipBit(hash, bit)) }), false);
    }
  });

  it("fail for the same log at another size, unless the path is the same there", () => {
    for (let size = 1; size <= forgedSizeMax; size += 1) {
      for (let other = 1; other <= 2 * forgedSizeMax; other += 1) {
        for (let index = 0; index < size; index += 1) {
          const { leafHash, root, path } = inclusionOf(index, size);
          const otherPath = index < other ? tree.inclusionPath(index, 0, other) : [];
          const isSame = index < other && Buffer.concat(path).equals(Buffer.concat(otherPath));
          assert.equal(isIncluded({ leafHash, index, size: other, root: tree.root(other), path }), isSame);
          // A size that is not the root's is noticed if the path would have another length.
          if (path.length !== otherPath.length) assert.equal(isIncluded({ leafHash, index, size: other, root, path }), false, `${index} of ${size} as of ${other}`);
        }
      }
    }
  });

  it("do not confuse sizes that differ beyond 32 bits", () => {
    const proof = inclusionOf(1, 2);
    assert.equal(isIncluded({ ...proof, size: 2 + 2 ** 32 }), false);
    assert.equal(isIncluded({ ...proof, size: 2 + 2 ** 32, index: 1 + 2 ** 32 }), false);
  });
});

describe("proofs of consistency", () => {
  it(`verify between all logs of up to ${sizeMax} entries`, () => {
    for (let toSize = 0; toSize <= sizeMax; toSize += 1) {
      for (let fromSize = 0; fromSize <= toSize; fromSize += 1) assert(isConsistent(consistencyOf(fromSize, toSize)), `${fromSize} to ${toSize}`);
    }
  });

  it("verify between random logs of up to 100,000 entries, with Web Crypto too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), async (toSize, place) => {
        const proof = consistencyOf(Math.floor(place * toSize), toSize);
        assert(isConsistent(proof));
        assert(await verifyConsistency(proof));
        assert.equal(await verifyConsistency({ ...proof, fromRoot: flipBit(proof.fromRoot, toSize % 256) }), false);
      }),
    );
  });

  it("fail with any other path or root", () => {
    const stranger = tree.leafHashes[99_999]!;
    for (let toSize = 0; toSize <= forgedSizeMax; toSize += 1) {
      for (let fromSize = 0; fromSize <= toSize; fromSize += 1) {
        const proof = consistencyOf(fromSize, toSize);
        for (const path of changedPaths(proof.path, stranger)) assert.equal(isConsistent({ ...proof, path }), false, `${fromSize} to ${toSize}`);
        assert.equal(isConsistent({ ...proof, fromRoot: stranger }), false);
        assert.equal(isConsistent({ ...proof, fromRoot: proof.fromRoot.subarray(1) }), false);
        // Every log continues the empty one, whatever its size and root.
        if (fromSize === 0) continue;
        assert.equal(isConsistent({ ...proof, toRoot: stranger }), false);
        for (let other = fromSize + 1; other <= 2 * forgedSizeMax; other += 1) {
          if (tree.consistencyPath(fromSize, other).length !== proof.path.length) assert.equal(isConsistent({ ...proof, toSize: other }), false, `${fromSize} to ${toSize} as to ${other}`);
        }
      }
    }
  });

  it("fail when an entry that the older log had was changed, with any proof of the newer log", () => {
    for (let toSize = 2; toSize <= forgedSizeMax; toSize += 1) {
      for (let changed = 0; changed < toSize; changed += 1) {
        const forged = tree.withForgedLeaf(changed);
        for (let fromSize = changed + 1; fromSize <= toSize; fromSize += 1) {
          for (let claimed = 1; claimed <= toSize; claimed += 1) {
            const proof = { ...consistencyOf(fromSize, toSize, forged), fromRoot: tree.root(fromSize), path: forged.consistencyPath(claimed, toSize) };
            assert.equal(isConsistent(proof), false, `${changed} changed between ${fromSize} and ${toSize}`);
          }
        }
      }
    }
  });

  it("fail with any bit changed", () => {
    const proof = consistencyOf(6, 13);
    for (let bit = 0; bit < 256; bit += 1) {
      assert.equal(isConsistent({ ...proof, fromRoot: flipBit(proof.fromRoot, bit) }), false);
      assert.equal(isConsistent({ ...proof, toRoot: flipBit(proof.toRoot, bit) }), false);
      for (const [at, hash] of proof.path.entries()) assert.equal(isConsistent({ ...proof, path: proof.path.with(at, flipBit(hash, bit)) }), false);
    }
  });

  it("fail from a larger log to a smaller one, and for what is not a size", () => {
    const proof = consistencyOf(5, 9);
    assert.equal(isConsistent({ ...proof, fromSize: 9, fromRoot: proof.toRoot, toSize: 5, toRoot: proof.fromRoot }), false);
    for (const wrong of [-5, 5.5, Number.NaN, 2 ** 53, 5 + 2 ** 32]) {
      assert.equal(isConsistent({ ...proof, fromSize: wrong }), false);
      assert.equal(isConsistent({ ...proof, toSize: wrong + 4 }), false);
    }
  });
});
