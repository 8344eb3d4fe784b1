import type { LogCheckpointRow, LogRunRow, LogTileRow } from "../../../store/schema-log.ts";
import type { TransactionWork } from "../../../store/store.ts";
import { insertCheckpoint, insertRuns, insertTiles, lockLog, selectLogs, selectNewestCheckpoint } from "./log.table.ts";

/** Both databases limit the parameters of an INSERT. */
const runsPerInsertMax = 500;
const tilesPerInsertMax = 50;

/** A continuation of the log as it was at `fromSize`. */
export type Continuation = { log: number; fromSize: number; runs: LogRunRow[]; tiles: LogTileRow[]; checkpoint: LogCheckpointRow };

const inParts = <Row>(rows: readonly Row[], size: number): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, part) => rows.slice(part * size, (part + 1) * size));

/** "lost": the log went on elsewhere, or another one was opened. Then nothing is written. */
export const work: TransactionWork<Continuation, "appended" | "lost"> = async (tx, { log, fromSize, runs, tiles, checkpoint }) => {
  await tx.run(lockLog(tx.db));
  const [open] = await tx.run(selectLogs(tx.db).limit(1));
  const [newest] = await tx.run(selectNewestCheckpoint(tx.db, log));
  if (open?.number !== log || (newest?.size ?? 0) !== fromSize) return "lost";
  for (const part of inParts(runs, runsPerInsertMax)) await tx.change(insertRuns(tx.db, part));
  for (const part of inParts(tiles, tilesPerInsertMax)) await tx.change(insertTiles(tx.db, part));
  // Time never runs backwards within a log.
  await tx.change(insertCheckpoint(tx.db, { ...checkpoint, at: Math.max(checkpoint.at, newest?.at ?? 0) }));
  return "appended";
};
