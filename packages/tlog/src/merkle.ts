/** The Merkle tree of RFC 6962: hashes, and the verification of proofs. */
import { areEqual, hashBytes, joinBytes, sha256 } from "./bytes.ts";

const leafPrefix = Uint8Array.of(0);
const childrenPrefix = Uint8Array.of(1);

export const hashLeaf = (data: Uint8Array): Promise<Uint8Array> => sha256(joinBytes(leafPrefix, data));

export const hashChildren = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> => sha256(joinBytes(childrenPrefix, left, right));

/** Root of the tree without leaves: SHA-256 of nothing. */
export const emptyRoot = Uint8Array.from("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".match(/../g)!, (pair) => Number.parseInt(pair, 16));

export type InclusionProof = { leafHash: Uint8Array; index: number; size: number; root: Uint8Array; path: readonly Uint8Array[] };
export type ConsistencyProof = { fromSize: number; fromRoot: Uint8Array; toSize: number; toRoot: Uint8Array; path: readonly Uint8Array[] };

/** Asks for the hash of each pair that it yields. The one who runs it chooses how to compute that, at once or later. */
export type HashWalk = Generator<[left: Uint8Array, right: Uint8Array], boolean, Uint8Array>;

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const areHashes = (...hashes: readonly Uint8Array[]): boolean => hashes.every(({ length }) => length === hashBytes);
const isOdd = (value: number): boolean => value % 2 === 1;
/** Bitwise operators would cut sizes off at 32 bits. */
const halve = (value: number): number => Math.floor(value / 2);

/**
 * From the leaf upwards: `node` is the position of the hash reached so far on its level, `last` that of the level's last
 * node. A node without a right sibling moves up unchanged until it is a right child.
 */
export function* walkInclusion({ leafHash, index, size, root, path }: InclusionProof): HashWalk {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes(leafHash, root, ...path)) return false;
  let [node, last] = [index, size - 1];
  let reached = leafHash;
  for (const sibling of path) {
    if (last === 0) return false;
    while (node === last && !isOdd(node)) [node, last] = [halve(node), halve(last)];
    reached = isOdd(node) ? yield [sibling, reached] : yield [reached, sibling];
    [node, last] = [halve(node), halve(last)];
  }
  return last === 0 && areEqual(reached, root);
}

/** As above, from the last node that is complete in the older tree, for the roots of both trees at once. */
export function* walkConsistency({ fromSize, fromRoot, toSize, toRoot, path }: ConsistencyProof): HashWalk {
  if (!isSize(fromSize) || !isSize(toSize) || fromSize > toSize || !areHashes(fromRoot, toRoot, ...path)) return false;
  if (fromSize === toSize) return path.length === 0 && areEqual(fromRoot, toRoot) && (fromSize > 0 || areEqual(fromRoot, emptyRoot));
  if (fromSize === 0) return path.length === 0 && areEqual(fromRoot, emptyRoot);
  let [node, last] = [fromSize - 1, toSize - 1];
  while (isOdd(node)) [node, last] = [halve(node), halve(last)];
  // A whole older tree is a node of the newer one, and the proof leaves out what the verifier knows.
  const [start, ...rest] = node === 0 ? [fromRoot, ...path] : path;
  if (start === undefined) return false;
  let [older, newer] = [start, start];
  for (const sibling of rest) {
    if (last === 0) return false;
    while (node === last && !isOdd(node)) [node, last] = [halve(node), halve(last)];
    if (isOdd(node)) {
      older = yield [sibling, older];
      newer = yield [sibling, newer];
    } else {
      newer = yield [newer, sibling];
    }
    [node, last] = [halve(node), halve(last)];
  }
  return last === 0 && areEqual(older, fromRoot) && areEqual(newer, toRoot);
}

async function follow(walk: HashWalk): Promise<boolean> {
  let step = walk.next();
  while (!step.done) step = walk.next(await hashChildren(...step.value));
  return step.value;
}

export const verifyInclusion = (proof: InclusionProof): Promise<boolean> => follow(walkInclusion(proof));

export const verifyConsistency = (proof: ConsistencyProof): Promise<boolean> => follow(walkConsistency(proof));
