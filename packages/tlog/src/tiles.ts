/** The layout of C2SP tlog-tiles: which tile holds which hash, and which hashes a proof consists of. */
import { hashBytes } from "./bytes.ts";
import { hashChildren } from "./merkle.ts";

/** Hashes in a full tile. */
export const tileWidth = 256;
const levelMax = 63;
/** Levels of the tree in a tile. */
const tileHeight = 8;

/** A tile of fewer than 256 hashes is partial. */
export type Tile = { level: number; index: number; width: number };
/** Leaves from `from` up to, but without, `to`. */
export type LeafRange = { from: number; to: number };

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** `0/x001/x234/067` or `0/x001/x234/067.p/17`. */
export function tilePath({ level, index, width }: Tile): string {
  if (!isCount(level) || level > levelMax || !isCount(index) || !isCount(width) || width < 1 || width > tileWidth) throw new RangeError("There is no such tile.");
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.../g)!;
  const path = groups.map((group, each) => (each < groups.length - 1 ? `x${group}` : group)).join("/");
  return `${level}/${path}${width === tileWidth ? "" : `.p/${width}`}`;
}

/** Each tile has one path: another spelling of it is not one. */
export function parseTilePath(path: string): Tile | undefined {
  const match = /^(\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (!match) return undefined;
  const tile = { level: Number(match[1]), index: Number(match[2]!.replaceAll(/[x/]/g, "")), width: match[3] === undefined ? tileWidth : Number(match[3]) };
  if (tile.level > levelMax || !isCount(tile.index) || tile.width < 1 || tile.width > tileWidth) return undefined;
  return tilePath(tile) === path ? tile : undefined;
}

/** Leaves under one hash of a tile at the level. */
const leavesPerHash = (level: number): number => tileWidth ** level;

/** How many hashes the tile has in a log of that size. */
export function tileWidthAt({ level, index }: Pick<Tile, "level" | "index">, size: number): number {
  return Math.max(0, Math.min(tileWidth, Math.floor(size / leavesPerHash(level)) - index * tileWidth));
}

/** The largest power of two below the number of leaves: where RFC 6962 splits a tree. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** What each hash of the inclusion path covers, beginning with the sibling of the leaf. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!isCount(index) || !isCount(size) || index >= size) throw new RangeError("There is no such leaf.");
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.toReversed();
}

/** What each hash of the consistency path covers, in the order of RFC 6962. */
export function consistencyRanges(fromSize: number, toSize: number): LeafRange[] {
  if (!isCount(fromSize) || !isCount(toSize) || fromSize > toSize) throw new RangeError("A log does not become smaller.");
  if (fromSize === 0 || fromSize === toSize) return [];
  const ranges: LeafRange[] = [];
  let [from, to] = [0, toSize];
  while (to !== fromSize) {
    const middle = from + splitOf(to - from);
    if (fromSize <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // The whole older tree is what the verifier already has.
  if (from > 0) ranges.push({ from, to });
  return ranges.toReversed();
}

/** Gives the hashes of a tile one after the other; at least as many as `width` says. */
export type ReadTile = (tile: Tile) => Uint8Array | Promise<Uint8Array>;
type HashPair = (left: Uint8Array, right: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export type TileSource = {
  /** Size of the log: the tiles at its right edge are partial. */
  size: number;
  readTile: ReadTile;
  /** Web Crypto unless given; a server has a faster one. */
  hashPair?: HashPair;
};

/** The hash of a complete subtree of `2 ** height` leaves, number `index` of its height. */
async function hashSubtree(height: number, index: number, { size, readTile, hashPair = hashChildren }: TileSource): Promise<Uint8Array> {
  const level = Math.floor(height / tileHeight);
  const count = 2 ** (height % tileHeight);
  const tileIndex = Math.floor((index * count) / tileWidth);
  const first = (index * count) % tileWidth;
  const width = tileWidthAt({ level, index: tileIndex }, size);
  const bytes = await readTile({ level, index: tileIndex, width });
  if (bytes.length < width * hashBytes || first + count > width) throw new RangeError("The tile is too short.");
  let hashes = Array.from({ length: count }, (_, each) => bytes.subarray((first + each) * hashBytes, (first + each + 1) * hashBytes));
  while (hashes.length > 1) {
    const parents: Uint8Array[] = [];
    for (let each = 0; each < hashes.length; each += 2) parents.push(await hashPair(hashes[each]!, hashes[each + 1]!));
    hashes = parents;
  }
  return hashes[0]!;
}

/** The complete subtrees that a range of a proof consists of, from the left. */
function subtreesOf({ from, to }: LeafRange): { height: number; index: number }[] {
  const subtrees: { height: number; index: number }[] = [];
  for (let at = from; at < to; ) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= to) height += 1;
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}

/** The tree hash of a range that a proof names, or of a whole log: `{ from: 0, to: size }`. */
export async function hashRange(range: LeafRange, source: TileSource): Promise<Uint8Array> {
  const { hashPair = hashChildren } = source;
  const hashes: Uint8Array[] = [];
  for (const { height, index } of subtreesOf(range)) hashes.push(await hashSubtree(height, index, source));
  let right = hashes.pop();
  if (right === undefined) throw new RangeError("The range is empty.");
  while (hashes.length > 0) right = await hashPair(hashes.pop()!, right);
  return right;
}

/** The path of a proof, from tiles. Each tile may be asked for several times. */
export async function hashRanges(ranges: readonly LeafRange[], source: TileSource): Promise<Uint8Array[]> {
  const path: Uint8Array[] = [];
  for (const range of ranges) path.push(await hashRange(range, source));
  return path;
}
