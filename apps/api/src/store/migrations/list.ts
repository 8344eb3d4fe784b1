import { foundation } from "./0001-foundation.ts";
import { outcomesAndHours } from "./0002-outcomes-and-hours.ts";
import { ads } from "./0003-ads.ts";
import { accountsAndMail } from "./0004-accounts-and-mail.ts";
import { clickIndexes, dashboard } from "./0005-dashboard.ts";
import { payoutsAndJobs } from "./0006-payouts-and-jobs.ts";
import { codesWorkOnce } from "./0007-codes-work-once.ts";
import type { Migration } from "./migration.ts";

/** In order, for ever: a migration that has been released is never changed. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-foundation",
    kind: "expand",
    onLargeTables: "Makes the first tables, partitions, triggers and functions, all of them empty: it takes a moment, whatever else is in the database.",
    statements: foundation,
  },
  {
    name: "0002-outcomes-and-hours",
    kind: "expand",
    onLargeTables: "Makes two empty tables and their triggers: no row is read, no table in use is locked.",
    statements: outcomesAndHours,
  },
  {
    name: "0003-ads",
    kind: "expand",
    onLargeTables:
      "Makes empty tables, and adds a column with a constant default to accounts: neither database rewrites a row for it. PostgreSQL locks accounts for the moment in which its catalogue is changed.",
    statements: ads,
  },
  {
    name: "0004-accounts-and-mail",
    kind: "expand",
    onLargeTables: "Makes empty tables and their indexes. Those that refer to accounts take a lock on it that readers do not feel, and writers for a moment.",
    statements: accountsAndMail,
  },
  {
    name: "0005-dashboard",
    kind: "expand",
    onLargeTables:
      "Sums up the ledger's entries that are no calls, once: it reads every entry, which of 100 million takes long, without a lock that calls wait for. " +
      "Columns that may be empty are added without touching a row. Two indexes on clicks are built while clicks go on being written.",
    statements: dashboard,
    indexes: clickIndexes,
  },
  {
    name: "0006-payouts-and-jobs",
    kind: "expand",
    onLargeTables: "Makes empty tables: no row is read. The reference from payouts to accounts takes a lock that writers of accounts feel for a moment.",
    statements: payoutsAndJobs,
  },
  {
    name: "0007-codes-work-once",
    kind: "expand",
    onLargeTables: "Adds a column that may be empty to second_factors: no row is touched, and the lock lasts for one entry in the catalogue.",
    statements: codesWorkOnce,
  },
];
