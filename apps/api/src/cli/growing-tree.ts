import { hash } from "node:crypto";

const childrenPrefix = Buffer.from([1]);
const leafPrefix = Buffer.from([0]);
const hashesPerTile = 256;
/** A tile covers eight levels of the tree. */
const levelsPerTile = 8;

/** RFC 6962. Synchronous: a log has millions of them. */
export const hashLeafText = (text: string): Buffer => hash("sha256", Buffer.concat([leafPrefix, Buffer.from(text, "utf8")]), "buffer");
const hashChildren = (left: Uint8Array, right: Uint8Array): Buffer => hash("sha256", Buffer.concat([childrenPrefix, left, right]), "buffer");

/** Hashes of a tile that are complete, in order. */
export type FinishedTile = { level: number; index: number; hashes: Uint8Array };

/**
 * The Merkle tree over leaves that are appended one by one. It keeps one hash per level and the unfinished tile of every
 * level above the leaves, so a log of any size fits into a few kilobytes.
 */
export class GrowingTree {
  #size = 0;
  /** By height: the root of the complete subtree that has no right sibling yet. */
  readonly #lefts: (Uint8Array | undefined)[] = [];
  readonly #tiles: { index: number; hashes: Uint8Array[] }[] = [];

  get size(): number {
    return this.#size;
  }

  /** Appends a leaf's hash; returns the tiles above the leaves that it completes. */
  append(leafHash: Uint8Array): FinishedTile[] {
    const finished: FinishedTile[] = [];
    let node = leafHash;
    let height = 0;
    for (let left = this.#lefts[0]; left !== undefined; left = this.#lefts[height]) {
      this.#lefts[height] = undefined;
      node = hashChildren(left, node);
      height += 1;
      if (height % levelsPerTile === 0) finished.push(...this.#addToTile(height / levelsPerTile, node));
    }
    this.#lefts[height] = node;
    this.#size += 1;
    return finished;
  }

  #addToTile(level: number, node: Uint8Array): FinishedTile[] {
    const tile = (this.#tiles[level] ??= { index: 0, hashes: [] });
    tile.hashes.push(node);
    if (tile.hashes.length < hashesPerTile) return [];
    const finished = { level, index: tile.index, hashes: Buffer.concat(tile.hashes) };
    this.#tiles[level] = { index: tile.index + 1, hashes: [] };
    return [finished];
  }

  /** What is in the partial tiles above the leaves. */
  partialTiles(): FinishedTile[] {
    return this.#tiles.flatMap((tile, level) => (tile && tile.hashes.length > 0 ? [{ level, index: tile.index, hashes: Buffer.concat(tile.hashes) }] : []));
  }

  root(): Uint8Array {
    const peaks = this.#lefts.filter((each) => each !== undefined);
    if (peaks.length === 0) return hash("sha256", "", "buffer");
    return peaks.reduce((right, left) => hashChildren(left, right));
  }
}
