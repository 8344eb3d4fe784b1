import { sql } from "kysely";
import type { NetworkDayRow, NetworkSaltRow } from "../../store/schema-attestation.ts";
import type { Db } from "../../store/schema.ts";

/** The first node to write a day's salt decides for all: read it afterwards. */
export function insertSalt(db: Db, row: NetworkSaltRow) {
  return db
    .insertInto("network_salts")
    .values(row)
    .onConflict((conflict) => conflict.column("day").doNothing());
}

/** The newest first. */
export function selectSalts(db: Db) {
  return db.selectFrom("network_salts").select(["day", "salt"]).orderBy("day", "desc");
}

/** The days whose salts are due to be deleted. */
export function selectDaysBefore(db: Db, day: number) {
  return db.selectFrom("network_salts").select("day").where("day", "<", day);
}

/** The rows stay until nothing else contains their salts any more. */
export function blankSaltsBefore(db: Db, day: number) {
  return db.updateTable("network_salts").set({ salt: "" }).where("day", "<", day).where("salt", "<>", "");
}

export function deleteSaltsBefore(db: Db, day: number) {
  return db.deleteFrom("network_salts").where("day", "<", day);
}

/** A process writes its own parts only, each time with what it has counted so far. The rows must have distinct keys. */
export function setNetworkDays(db: Db, rows: readonly NetworkDayRow[]) {
  return db
    .insertInto("network_days")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "day", "part"])
        .doUpdateSet({ calls: sql`excluded.calls`, networks: sql`excluded.networks`, top_calls: sql`excluded.top_calls` }),
    );
}

/** In order of days, then of parts. */
export function selectNetworkDays(db: Db, { accountId, fromDay }: { accountId: string; fromDay: number }) {
  return db
    .selectFrom("network_days")
    .select(["day", "part", "calls", "networks", "top_calls"])
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay)
    .orderBy("day")
    .orderBy("part");
}

/** Walks the accounts, so that each one's rows are found by index. */
export function deleteNetworkDaysBefore(db: Db, old: { day: number; limit: number }) {
  return db.deleteFrom("network_days").where((eb) =>
    eb(
      eb.refTuple("account_id", "day", "part"),
      "in",
      eb
        .selectFrom("network_days as n")
        .innerJoin("accounts as a", "a.id", "n.account_id")
        .select(["n.account_id", "n.day", "n.part"])
        .where("n.day", "<", old.day)
        .limit(old.limit)
        .$asTuple("account_id", "day", "part"),
    ),
  );
}
