import { foundation } from "./0001-foundation.ts";
import { outcomesAndHours } from "./0002-outcomes-and-hours.ts";
import { ads } from "./0003-ads.ts";
import { accountsAndMail } from "./0004-accounts-and-mail.ts";
import { clickIndexes, dashboard } from "./0005-dashboard.ts";
import { payoutsAndJobs } from "./0006-payouts-and-jobs.ts";
import { codesWorkOnce } from "./0007-codes-work-once.ts";
import { holdsAndPayees } from "./0008-holds-and-payees.ts";
import { prepaid } from "./0009-prepaid.ts";
import { auditChain, auditIndexes } from "./0010-audit-chain.ts";
import { sealedKeys } from "./0011-sealed-keys.ts";
import { exportRuns } from "./0012-export-runs.ts";
import { payeeLinks } from "./0013-payee-links.ts";
import { settlement } from "./0014-settlement.ts";
import { ledgerLog } from "./0015-ledger-log.ts";
import { ownerAndService } from "./0016-owner-and-service.ts";
import { webhooks } from "./0017-webhooks.ts";
import { adReports } from "./0018-ad-reports.ts";
import { attestation } from "./0019-attestation.ts";
import { models } from "./0020-models.ts";
import { calibrations } from "./0021-calibrations.ts";
import { waitingEarnings, waitingIndexes } from "./0022-waiting-earnings.ts";
import { signInEpochs } from "./0024-sign-in-epochs.ts";
import { firstStart } from "./0025-first-start.ts";
import { payeeSpellings } from "./0023-payee-spellings.ts";
import { stepUp } from "./0026-step-up.ts";
import type { Migration } from "./migration.ts";
import { verifyChains } from "./verify-chains.ts";

/** In order of application. A released migration is never changed. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-foundation",
    kind: "expand",
    onLargeTables: "Creates the first tables, partitions, triggers and functions, all empty: it takes a moment, whatever else is in the database.",
    statements: foundation,
  },
  {
    name: "0002-outcomes-and-hours",
    kind: "expand",
    onLargeTables: "Creates two empty tables and their triggers: no row is read, no table in use is locked.",
    statements: outcomesAndHours,
  },
  {
    name: "0003-ads",
    kind: "expand",
    onLargeTables:
      "Creates empty tables and adds a column with a constant default to accounts: neither database rewrites a row. PostgreSQL briefly locks accounts to change its catalogue.",
    statements: ads,
  },
  {
    name: "0004-accounts-and-mail",
    kind: "expand",
    onLargeTables: "Creates empty tables and their indexes. Foreign keys to accounts lock it: writers wait for a moment, readers do not.",
    statements: accountsAndMail,
  },
  {
    name: "0005-dashboard",
    kind: "expand",
    onLargeTables:
      "Sums up all ledger entries except calls, once: it reads every entry, which takes long with 100 million, without a lock that calls wait for. " +
      "Nullable columns are added without touching a row. Two indexes on clicks are built while clicks go on being written.",
    statements: dashboard,
    indexes: clickIndexes,
  },
  {
    name: "0006-payouts-and-jobs",
    kind: "expand",
    onLargeTables: "Creates empty tables: no row is read. The foreign key from payouts to accounts lets writers of accounts wait for a moment.",
    statements: payoutsAndJobs,
  },
  {
    name: "0007-codes-work-once",
    kind: "expand",
    onLargeTables: "Adds a nullable column to second_factors: no row is touched, and the lock lasts for one entry in the catalogue.",
    statements: codesWorkOnce,
  },
  {
    name: "0008-holds-and-payees",
    kind: "expand",
    onLargeTables:
      "Creates two tables, one of them with a row per suspended account, and adds nullable columns: accounts and the audit log are read once. " +
      "PostgreSQL reads all payouts to check their status, and SQLite copies them: there is one per account and month.",
    statements: holdsAndPayees,
  },
  {
    name: "0009-prepaid",
    kind: "expand",
    onLargeTables:
      "PostgreSQL replaces a check of ledger_entries without reading a row: calls wait for a tenth of a second while its catalogue changes. Columns are added to ledger_heads " +
      "without touching a row. SQLite copies all entries and recomputes every chain before and after: up to 100 s per million on a busy machine, with free disk space of the ledger's size.",
    statements: prepaid,
    verifySqlite: verifyChains,
  },
  {
    name: "0010-audit-chain",
    kind: "expand",
    onLargeTables:
      "Adds nullable columns to the audit log and reads it once for two indexes: it has a row per change by a person. " +
      "Before the first start ends, its rows are chained, 500 in a transaction.",
    statements: auditChain,
    indexes: auditIndexes,
  },
  {
    name: "0011-sealed-keys",
    kind: "expand",
    onLargeTables:
      "Creates an empty table and adds nullable columns, or columns with a constant default, to small tables: no row is touched. Session tokens and " +
      "second factors of the previous version stay as they are for a day, so its nodes can go on; the job reseal_secrets then hashes and re-encrypts them. " +
      "A browser that is sent to nodes of both versions has to sign in once on each.",
    statements: sealedKeys,
  },
  {
    name: "0012-export-runs",
    kind: "expand",
    onLargeTables: "Adds a nullable column to payouts, fills it for those that were exported and indexes it: there is one payout per account and month.",
    statements: exportRuns,
  },
  {
    name: "0013-payee-links",
    kind: "expand",
    onLargeTables: "Creates an empty table. Its foreign keys to accounts let writers of accounts wait for a moment.",
    statements: payeeLinks,
  },
  {
    name: "0014-settlement",
    kind: "expand",
    onLargeTables:
      "Creates tables, one of them with a row per account, and adds nullable columns, or columns with a constant default, to small tables. " +
      "Reads payouts, and the hourly sums of accounts that were paid, once.",
    statements: settlement,
  },
  {
    name: "0015-ledger-log",
    kind: "expand",
    onLargeTables:
      "Creates empty tables: no row is read. The job extend_log then logs the entries that exist, 1,024 in a transaction, " +
      "which takes less than a minute of one core per million entries; calls go on meanwhile.",
    statements: ledgerLog,
  },
  {
    name: "0016-owner-and-service",
    kind: "expand",
    onLargeTables: "Creates three functions and changes two on PostgreSQL: no row is read, no table is locked. Nothing is done to the embedded store.",
    statements: ownerAndService,
  },
  {
    name: "0017-webhooks",
    kind: "expand",
    onLargeTables: "Creates empty tables, and adds a nullable column to mails: no row is touched, and the lock lasts for one entry in the catalogue.",
    statements: webhooks,
  },
  {
    name: "0018-ad-reports",
    kind: "expand",
    onLargeTables:
      "Creates empty tables and adds a nullable column to clicks: no row is touched, and the lock on clicks lasts for one entry in the catalogue. " +
      "The foreign key from conversions lets writers of clicks wait for a moment. What was counted before has no category: reports show it as unknown.",
    statements: adReports,
  },
  {
    name: "0019-attestation",
    kind: "expand",
    onLargeTables:
      "Creates empty tables and adds nullable columns, or columns with a constant default, to session_records, evidence_sessions, usage_rollups and campaigns: " +
      "no row is touched, and calls wait while the catalogue changes. The foreign key from sites lets writers of accounts wait for a moment.",
    statements: attestation,
  },
  {
    name: "0020-models",
    kind: "expand",
    onLargeTables:
      "Creates an empty table and adds nullable columns to accounts and session_records: no row is touched, and calls wait while the catalogue changes. " +
      "Reads accounts once, for the time of the first.",
    statements: models,
  },
  {
    name: "0021-calibrations",
    kind: "expand",
    onLargeTables:
      "Creates an empty table and adds a nullable column to accounts: no row is touched. PostgreSQL briefly locks accounts to change its catalogue, " +
      "and the foreign key lets writers of accounts wait for a moment.",
    statements: calibrations,
  },
  {
    name: "0022-waiting-earnings",
    kind: "expand",
    onLargeTables:
      "Creates two empty tables and adds nullable columns to clicks without touching a row. Sums up confirmed clicks per account and month once. " +
      "A partial index on clicks, empty at first, is built while clicks go on being written.",
    statements: waitingEarnings,
    indexes: waitingIndexes,
  },
  {
    name: "0023-payee-spellings",
    kind: "expand",
    onLargeTables:
      "Adds two columns to payee_profiles and writes one of them in every row: there is one per account that is paid. " +
      "The start of the service then makes the marks of these payees anew, one in a transaction.",
    statements: payeeSpellings,
  },
  {
    name: "0024-sign-in-epochs",
    kind: "expand",
    onLargeTables: "Adds a column with a constant default to accounts: no row is touched. PostgreSQL briefly locks accounts to change its catalogue.",
    statements: signInEpochs,
  },
  {
    name: "0025-first-start",
    kind: "expand",
    onLargeTables:
      "Adds a column with a constant default to accounts: no row is rewritten. PostgreSQL briefly locks accounts to change its catalogue. " +
      "The embedded store marks the developer of its first start.",
    statements: firstStart,
  },
  {
    name: "0026-step-up",
    kind: "expand",
    onLargeTables: "Adds nullable columns, or columns with a constant default, to sign_ins and payee_unlinks: no row is touched, and the lock lasts for one entry in the catalogue.",
    statements: stepUp,
  },
];
