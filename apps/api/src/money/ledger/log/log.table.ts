import { sql } from "kysely";
import { locksRows } from "../../../store/locks-rows.ts";
import type { Db } from "../../../store/schema.ts";
import type { LogCheckpointRow, LogCosignatureRow, LogRow, LogRunRow, LogTileRow } from "../../../store/schema-log.ts";

/** Taken by everything that appends to a log, and by nothing else. */
const logLockId = 1_496_081_743;

/**
 * Appends to the log happen one after the other. An advisory lock, because a row lock needs the right to update, which the
 * service's role does not have here. PostgreSQL only: SQLite has one writer.
 */
export function lockLog(db: Db) {
  const lock = locksRows(db) ? sql`pg_advisory_xact_lock(${logLockId})` : sql`1`;
  return db.selectNoFrom(lock.as("locked"));
}

export function selectLogs(db: Db) {
  return db.selectFrom("logs").select(["number", "origin", "opened_at", "reason"]).orderBy("number", "desc");
}

export function insertLog(db: Db, row: LogRow) {
  return db.insertInto("logs").values(row);
}

export function selectNewestCheckpoint(db: Db, log: number) {
  return db.selectFrom("log_checkpoints").select(["log", "size", "root", "note", "at"]).where("log", "=", log).orderBy("size", "desc").limit(1);
}

/** The smallest checkpoint that covers so many entries. */
export function selectCheckpointFrom(db: Db, from: { log: number; size: number }) {
  return db
    .selectFrom("log_checkpoints")
    .select(["log", "size", "root", "note", "at"])
    .where("log", "=", from.log)
    .where("size", ">=", from.size)
    .orderBy("size")
    .limit(1);
}

export function selectCheckpoints(db: Db, page: { log: number; afterSize: number; limit: number }) {
  return db
    .selectFrom("log_checkpoints")
    .select(["log", "size", "root", "note", "at"])
    .where("log", "=", page.log)
    .where("size", ">", page.afterSize)
    .orderBy("size")
    .limit(page.limit);
}

export function insertCheckpoint(db: Db, row: LogCheckpointRow) {
  return db.insertInto("log_checkpoints").values(row);
}

export function selectCosignatures(db: Db, of: { log: number; size: number }) {
  return db.selectFrom("log_cosignatures").select(["witness", "line", "at"]).where("log", "=", of.log).where("size", "=", of.size).orderBy("witness");
}

/** The newest signature line of each of the log's checkpoints that others have signed, the newest first. */
export function selectNewestCosignatures(db: Db, of: { log: number; limit: number }) {
  return db.selectFrom("log_cosignatures").select(["size", "witness", "line", "at"]).where("log", "=", of.log).orderBy("size", "desc").orderBy("witness").limit(of.limit);
}

/** Does nothing if the checkpoint has this witness's line already. */
export function insertCosignature(db: Db, row: LogCosignatureRow) {
  return db.insertInto("log_cosignatures").values(row).onConflict((conflict) => conflict.columns(["log", "size", "witness"]).doNothing());
}

export function insertTiles(db: Db, rows: readonly LogTileRow[]) {
  return db.insertInto("log_tiles").values(rows);
}

export function selectTile(db: Db, tile: { log: number; level: number; n: number }) {
  return db.selectFrom("log_tiles").select(["root", "hashes"]).where("log", "=", tile.log).where("level", "=", tile.level).where("n", "=", tile.n);
}

/** The roots of full tiles of one level, in order: they are the hashes of a tile of the next level. */
export function selectTileRoots(db: Db, range: { log: number; level: number; fromN: number; toN: number }) {
  return db
    .selectFrom("log_tiles")
    .select(["n", "root"])
    .where("log", "=", range.log)
    .where("level", "=", range.level)
    .where("n", ">=", range.fromN)
    .where("n", "<", range.toN)
    .orderBy("n");
}

/** Full tiles of one level, in order. */
export function selectTiles(db: Db, page: { log: number; level: number; fromN: number; limit: number }) {
  return db
    .selectFrom("log_tiles")
    .select(["n", "root", "hashes"])
    .where("log", "=", page.log)
    .where("level", "=", page.level)
    .where("n", ">=", page.fromN)
    .orderBy("n")
    .limit(page.limit);
}

export function insertRuns(db: Db, rows: readonly LogRunRow[]) {
  return db.insertInto("log_runs").values(rows);
}

/** The run that contains an account's entry, if the log has one: it may also end before it. */
export function selectRunOf(db: Db, entry: { log: number; accountId: string; seq: number }) {
  return db
    .selectFrom("log_runs")
    .select(["first_index", "first_seq", "count"])
    .where("log", "=", entry.log)
    .where("account_id", "=", entry.accountId)
    .where("first_seq", "<=", entry.seq)
    .orderBy("first_seq", "desc")
    .limit(1);
}

export function selectRuns(db: Db, page: { log: number; fromIndex: number; limit: number }) {
  return db
    .selectFrom("log_runs")
    .select(["first_index", "account_id", "first_seq", "count"])
    .where("log", "=", page.log)
    .where("first_index", ">=", page.fromIndex)
    .orderBy("first_index")
    .limit(page.limit);
}

/** Accounts with entries that the log does not have, with the last that it has: heads and runs in one snapshot. */
export function selectUnlogged(db: Db, page: { log: number; afterId: string; limit: number }) {
  return db
    .selectFrom((heads) =>
      heads
        .selectFrom("ledger_heads as h")
        .select((eb) => [
          "h.account_id",
          "h.seq",
          eb.fn
            .coalesce(
              eb
                .selectFrom("log_runs as r")
                .select(sql<number>`r.first_seq + r.count - 1`.as("seq"))
                .where("r.log", "=", page.log)
                .whereRef("r.account_id", "=", "h.account_id")
                .orderBy("r.first_seq", "desc")
                .limit(1),
              sql<number>`0`,
            )
            .as("logged_seq"),
        ])
        .where("h.account_id", ">", page.afterId)
        .as("u"),
    )
    .select(["u.account_id", "u.seq", "u.logged_seq"])
    .whereRef("u.seq", ">", "u.logged_seq")
    .orderBy("u.account_id")
    .limit(page.limit);
}

export type SeqRange = { accountId: string; afterSeq: number; toSeq: number };

/** The hashes of several accounts' entries, each in a range of its own. In no order. */
export function selectHashes(db: Db, ranges: readonly SeqRange[]) {
  // Both databases call the columns of VALUES column1, column2, …
  const rows = ranges.map(
    ({ accountId, afterSeq, toSeq }) => sql`(cast(${accountId} as text), cast(${afterSeq} as bigint), cast(${toSeq} as bigint))`,
  );
  const wanted = sql<{ column1: string; column2: number; column3: number }>`(values ${sql.join(rows)})`.as("w");
  return db
    .selectFrom(wanted)
    .innerJoin("ledger_entries as e", (join) =>
      join.onRef("e.account_id", "=", "w.column1").onRef("e.seq", ">", "w.column2").onRef("e.seq", "<=", "w.column3"),
    )
    .select(["e.account_id", "e.seq", "e.hash"]);
}

/** The runs that overlap a range of the log, in order; `toIndex` is excluded. */
export function selectRunsOver(db: Db, range: { log: number; fromIndex: number; toIndex: number }) {
  return db
    .selectFrom("log_runs")
    .select(["first_index", "account_id", "first_seq", "count"])
    .where("log", "=", range.log)
    .where("first_index", ">=", (eb) =>
      eb
        .selectFrom("log_runs as b")
        .select((before) => before.fn.coalesce(before.fn.max("b.first_index"), sql<number>`0`).as("first_index"))
        .where("b.log", "=", range.log)
        .where("b.first_index", "<=", range.fromIndex),
    )
    .where("first_index", "<", range.toIndex)
    .orderBy("first_index");
}

/** The entries of all chains. */
export function countEntries(db: Db) {
  return db.selectFrom("ledger_heads").select(sql<number>`coalesce(sum(seq), 0)`.as("entries"));
}
