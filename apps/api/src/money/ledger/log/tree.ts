/** The Merkle tree of RFC 6962 in bulk: synchronous, and without the tiles that are full. @assay/tlog verifies what this makes. */
import { leafText } from "@assay/tlog/receipt-leaf.ts";
import { hash } from "node:crypto";

export const hashBytes = 32;
export const tileWidth = 256;

export type LoggedEntry = { accountId: string; seq: number; hash: string };

/** Through text: as a buffer each hash would be a native allocation of its own, of which a busy service makes thousands a second. */
const sha256 = (data: string | Buffer): Buffer => Buffer.from(hash("sha256", data, "binary"), "latin1");

/** One character is one byte: ids and hashes are ASCII. */
export const hashEntryLeaf = (entry: LoggedEntry): Buffer => sha256(`\0${leafText(entry)}`);

const childrenText = Buffer.alloc(1 + 2 * hashBytes, 1);

export function hashChildren(left: Uint8Array, right: Uint8Array): Buffer {
  childrenText.set(left, 1);
  childrenText.set(right, 1 + hashBytes);
  return sha256(childrenText);
}

/** Of a complete subtree: the number of hashes is a power of two. */
export function hashSubtree(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < row.length; at += 2) above.push(hashChildren(row[at]!, row[at + 1]!));
    row = above;
  }
  return row[0]!;
}

export type FullTile = { level: number; n: number; root: Uint8Array; hashes: Uint8Array };

/** The right edge of the tree: at each level the hashes of its last tile, which is not full. */
export type Edge = Uint8Array[][];

/** How many hashes the last tile of a level has in a tree of this size; 0 if all of them are full. */
export const edgeWidth = (size: number, level: number): number => Math.floor(size / tileWidth ** level) % tileWidth;

export function createTree(start: { size: number; edge: Edge }) {
  let { size } = start;
  const edge: Edge = start.edge.map((hashes) => [...hashes]);

  function push(level: number, each: Uint8Array, full: FullTile[]): void {
    const tile = (edge[level] ??= []);
    tile.push(each);
    if (tile.length < tileWidth) return;
    const root = hashSubtree(tile);
    full.push({ level, n: Math.floor(size / tileWidth ** (level + 1)), root, hashes: Buffer.concat(tile) });
    edge[level] = [];
    push(level + 1, root, full);
  }

  return {
    size: () => size,
    /** Returns the tiles that are full now. */
    append(leaves: Iterable<Uint8Array>): FullTile[] {
      const full: FullTile[] = [];
      for (const leaf of leaves) {
        push(0, leaf, full);
        size += 1;
      }
      return full;
    },
    /** Undefined for the empty tree. */
    root(): Uint8Array | undefined {
      let right: Uint8Array | undefined;
      for (const tile of edge) {
        // The last tile is a row of complete subtrees, the largest first: they are joined from the right.
        let end = tile.length;
        for (let width = 1; end > 0; width *= 2) {
          if (end % (width * 2) === 0) continue;
          const subtree = hashSubtree(tile.slice(end - width, end));
          right = right === undefined ? subtree : hashChildren(subtree, right);
          end -= width;
        }
      }
      return right;
    },
  };
}
