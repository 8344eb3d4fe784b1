// Loaded into the service and its threads before anything else. While the file ASSAY_TEST_DISK_IS_FULL exists, SQLite may
// not add a page to the database and every transaction needs some, so SQLite itself fails it as on a full disk.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const mark = process.env.ASSAY_TEST_DISK_IS_FULL ?? "";
const pagesMax = 4_294_967_294;
/** More than the free pages inside the database hold. */
const neededBytes = 64 * 1024 * 1024;

const execute = DatabaseSync.prototype.exec;

DatabaseSync.prototype.exec = function execOnLimitedDisk(sql) {
  if (sql === "COMMIT") {
    const isFull = existsSync(mark);
    // SQLite raises a limit below the current size to that size.
    execute.call(this, `PRAGMA max_page_count = ${isFull ? 1 : pagesMax}`);
    if (isFull) execute.call(this, `CREATE TABLE disk_filler AS SELECT zeroblob(${neededBytes}) AS bytes`);
  }
  execute.call(this, sql);
};
