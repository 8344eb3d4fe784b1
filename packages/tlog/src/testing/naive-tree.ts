/** The Merkle tree of RFC 6962 as its definitions read: recursive, and with Node's hashes instead of Web Crypto. */
import { hash } from "node:crypto";
import { joinBytes } from "../bytes.ts";
import type { HashWalk } from "../merkle.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(hash("sha256", bytes, "buffer"));

export const hashLeafNow = (data: Uint8Array): Uint8Array => sha256(joinBytes(Uint8Array.of(0), data));

/** One buffer for all pairs: tests hash millions of them. */
const pair = new Uint8Array(65).fill(1, 0, 1);
export function hashPairNow(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 33);
  return sha256(pair);
}

/** Verifies at once, without Web Crypto. */
export function followNow(walk: HashWalk): boolean {
  let step = walk.next();
  while (!step.done) step = walk.next(hashPairNow(...step.value));
  return step.value;
}

/** The largest power of two below `count`. */
const splitOf = (count: number): number => 2 ** Math.floor(Math.log2(count - 1));

export class NaiveTree {
  readonly leafHashes: readonly Uint8Array[];
  readonly #known = new Map<number, Uint8Array>();

  constructor(leafHashes: readonly Uint8Array[]) {
    this.leafHashes = leafHashes;
  }

  static ofNumbers(count: number): NaiveTree {
    return new NaiveTree(Array.from({ length: count }, (_, index) => hashLeafNow(Buffer.from(`leaf ${index}`))));
  }

  /** With another leaf in one place. */
  withForgedLeaf(index: number): NaiveTree {
    return new NaiveTree(this.leafHashes.with(index, hashLeafNow(Buffer.from(`forged ${index}`))));
  }

  hash(from: number, to: number): Uint8Array {
    if (to === from) return sha256(new Uint8Array());
    if (to - from === 1) return this.leafHashes[from]!;
    const key = from * 2 ** 24 + to;
    const known = this.#known.get(key);
    if (known) return known;
    const middle = from + splitOf(to - from);
    const computed = hashPairNow(this.hash(from, middle), this.hash(middle, to));
    this.#known.set(key, computed);
    return computed;
  }

  root(size: number): Uint8Array {
    return this.hash(0, size);
  }

  inclusionPath(index: number, from: number, to: number): Uint8Array[] {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle ? [...this.inclusionPath(index, from, middle), this.hash(middle, to)] : [...this.inclusionPath(index, middle, to), this.hash(from, middle)];
  }

  consistencyPath(fromSize: number, toSize: number): Uint8Array[] {
    return fromSize === 0 || fromSize === toSize ? [] : this.#subproof(fromSize, 0, toSize, true);
  }

  #subproof(size: number, from: number, to: number, isKnown: boolean): Uint8Array[] {
    if (size === to) return isKnown ? [] : [this.hash(from, to)];
    const middle = from + splitOf(to - from);
    return size <= middle
      ? [...this.#subproof(size, from, middle, isKnown), this.hash(middle, to)]
      : [...this.#subproof(size, middle, to, false), this.hash(from, middle)];
  }
}
