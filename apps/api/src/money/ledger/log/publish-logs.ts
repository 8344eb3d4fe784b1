import { type Tile, tileWidthAt } from "@assay/tlog/tiles.ts";
import { joinReads } from "../../../queues/join-reads.ts";
import { takeTurns } from "../../../queues/take-turns.ts";
import { selectLogs, selectNewestCheckpoint } from "./log.table.ts";
import { completeCheckpoint, hasTile, type LogCheckpoint, type LogStore, readTile } from "./read-log.ts";
import type { TileFiles } from "./tile-files.ts";
import { hashBytes, tileWidth } from "./tree.ts";

/** Tiles that are made at once, for all callers: each is a query, and those at the edge of the log are many. */
const tileTurns = { atOnceMax: 2, perSubjectMax: 1, waitingMax: 300, what: "tiles of the log" };

type Newest = { size: number; root: Uint8Array };
/** The last tile of a level, as wide as it was when somebody asked for it. */
type EdgeTile = { index: number; hashes: Uint8Array };

export type PublishedLogs = {
  /** `log`: undefined for the one that is open. Undefined while there is nothing. */
  findCheckpoint(log: number | undefined): Promise<LogCheckpoint | undefined>;
  findKeys(log: number | undefined): Promise<readonly { vkey: string }[] | undefined>;
  /** `reader`: who waits for its turn. Undefined for a tile that the log does not have. */
  findTile(log: number, tile: Tile, reader: string): Promise<Uint8Array | undefined>;
};

/**
 * What outsiders read of the logs, however many of them: reads of the same thing are joined, and a tile is made once. A
 * complete one is a file from then on; of one that is not full the widest is kept, which contains the narrower ones.
 */
export function publishLogs(
  { db }: LogStore,
  { files, readKeys }: { files: TileFiles; readKeys: (origin: string) => Promise<readonly { vkey: string }[]> },
): PublishedLogs {
  const inTurn = takeTurns(tileTurns);
  const readLogs = joinReads(() => selectLogs(db).execute());
  /** A handful: each restore of the database opens one. */
  const published = new Map<number, ReturnType<typeof publish>>();
  const underWay = new Map<string, Promise<Uint8Array>>();

  function publish(log: number, origin: string) {
    let newest: Newest | undefined;
    const edges = new Map<number, EdgeTile>();

    /** The database was put back to an earlier state: what is remembered may never have been. */
    const isBehind = (row: Newest | undefined): boolean =>
      newest !== undefined && (!row || row.size < newest.size || (row.size === newest.size && !Buffer.from(row.root).equals(newest.root)));

    const readNewest = joinReads(async () => {
      const row = await selectNewestCheckpoint(db, log).executeTakeFirst();
      if (isBehind(row)) {
        edges.clear();
        files.forget(`${log}-`);
      }
      newest = row && { size: row.size, root: row.root };
      return row;
    });

    return {
      edges,
      readCheckpoint: joinReads(async () => {
        const row = await readNewest();
        return row && completeCheckpoint({ db }, origin, row);
      }),
      readKeys: joinReads(() => readKeys(origin)),
      /** 0 for a tile that the log does not have; otherwise how wide it is by now. */
      async widthOf(tile: Tile): Promise<number> {
        if (!newest || !hasTile(tile, newest.size)) await readNewest();
        return newest && hasTile(tile, newest.size) ? tileWidthAt(tile, newest.size) : 0;
      },
    };
  }

  async function find(log: number | undefined) {
    const known = log === undefined ? undefined : published.get(log);
    if (known) return known;
    const rows = await readLogs();
    const row = log === undefined ? rows[0] : rows.find(({ number }) => number === log);
    if (!row) return undefined;
    const found = published.get(row.number) ?? publish(row.number, row.origin);
    published.set(row.number, found);
    return found;
  }

  function makeOnce(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const made = underWay.get(name) ?? make().finally(() => underWay.delete(name));
    underWay.set(name, made);
    return made;
  }

  const readFullTile = (log: number, tile: Tile, reader: string): Promise<Uint8Array> => {
    const name = `${log}-${tile.level}-${tile.index}`;
    return makeOnce(name, async () => {
      const kept = await files.read(name);
      if (kept) return kept;
      const hashes = await inTurn(reader, () => readTile({ db }, { log, ...tile, width: tileWidth }));
      await files.write(name, hashes);
      return hashes;
    });
  };

  function readEdgeTile(log: number, { tile, width, edges }: { tile: Tile; width: number; edges: Map<number, EdgeTile> }, reader: string): Promise<Uint8Array> {
    const { level, index } = tile;
    const known = edges.get(level);
    if (known?.index === index && known.hashes.length >= tile.width * hashBytes) return Promise.resolve(known.hashes);
    return makeOnce(`${log}-${level}-${index}.p-${width}`, async () => {
      const hashes = await inTurn(reader, () => readTile({ db }, { log, level, index, width }));
      const last = edges.get(level);
      if (!last || last.index < index || (last.index === index && last.hashes.length < hashes.length)) edges.set(level, { index, hashes });
      return hashes;
    });
  }

  return {
    findCheckpoint: async (log) => (await find(log))?.readCheckpoint(),
    findKeys: async (log) => (await find(log))?.readKeys(),
    async findTile(log, tile, reader) {
      const found = await find(log);
      const width = found ? await found.widthOf(tile) : 0;
      if (!found || width === 0) return undefined;
      const hashes = await (width === tileWidth ? readFullTile(log, tile, reader) : readEdgeTile(log, { tile, width, edges: found.edges }, reader));
      return hashes.subarray(0, tile.width * hashBytes);
    },
  };
}
