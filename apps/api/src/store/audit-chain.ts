/**
 * The chain of the audit log. The database chains a row in the statement that inserts it, so whoever inserts one need
 * not know: PostgreSQL by a trigger with a function of its own, SQLite by a trigger that exists on the writer's
 * connection only, because the file cannot contain the hash function. A row that another program inserted there (an
 * older version of the command line) has no hash until the next start chains it.
 */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { AuditLogRow } from "./schema-ads.ts";

/** `prev_hash` of the first row. */
export const auditGenesisHash = "0".repeat(64);

export type ChainedAction = Omit<AuditLogRow, "seq" | "prev_hash" | "hash"> & { seq: number; prev_hash: string; hash: string };

/**
 * A version, then every field in this order, then the hash of the row before, joined by line feeds; a null is empty. The
 * database refuses fields with a line feed, so that no two rows have the same text. docs/security.md documents the format.
 */
export function auditText(action: Omit<ChainedAction, "hash">): string {
  return [
    "assay-audit-1",
    action.seq,
    action.id,
    action.at,
    action.actor_account_id ?? "",
    action.action,
    action.account_id ?? "",
    action.subject,
    action.detail,
    action.prev_hash,
  ].join("\n");
}

export const hashAction = (action: Omit<ChainedAction, "hash">): string => hash("sha256", auditText(action), "hex");

/** Rows of versions before 0010 name no account: it is the subject, or the one of the payout that is the subject. */
const accountOf = `coalesce(account_id, (SELECT a.id FROM accounts a WHERE a.id = subject), (SELECT p.account_id FROM payouts p WHERE p.id = subject))`;

/** Appends the row `id` to the chain. `hashed`: SQL for the hash. */
const chainStatements = (id: string, hashed: string): string[] => [
  `UPDATE audit_log SET account_id = ${accountOf}, seq = (SELECT h.seq + 1 FROM audit_head h), prev_hash = (SELECT h.hash FROM audit_head h),
    hash = ${hashed} WHERE id = ${id} AND hash IS NULL`,
  // Only if the row was appended just now.
  `UPDATE audit_head SET seq = seq + 1, hash = (SELECT l.hash FROM audit_log l WHERE l.id = ${id})
    WHERE seq + 1 = (SELECT l.seq FROM audit_log l WHERE l.id = ${id})`,
];

const chainedPerStep = 500;

const selectUnchained = `SELECT id FROM audit_log WHERE hash IS NULL ORDER BY id LIMIT ${chainedPerStep}`;

/** Chains a step's worth of the rows that have no hash, in the order of their ids. */
export const chainStepOnPostgres = `SELECT count(assay_chain_action_v1(id)) AS chained FROM (${selectUnchained}) AS unchained`;

const hashOnSqlite = `assay_audit_hash((SELECT h.seq + 1 FROM audit_head h), id, at, coalesce(actor_account_id, ''), action, coalesce(${accountOf}, ''), subject,
  detail, (SELECT h.hash FROM audit_head h))`;

/** False for a store from before the chain. */
function addHashFunction(database: DatabaseSync): boolean {
  // Its arguments are the fields of auditText, in that order.
  database.function("assay_audit_hash", { deterministic: true, varargs: true }, (...fields) => hash("sha256", ["assay-audit-1", ...fields].join("\n"), "hex"));
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_head'").get() !== undefined;
}

/** Makes a connection chain what it inserts. */
export function chainInsertsOnSqlite(database: DatabaseSync): void {
  if (!addHashFunction(database)) return;
  database.exec(`CREATE TEMP TRIGGER audit_log_chain AFTER INSERT ON main.audit_log WHEN NEW.hash IS NULL
    BEGIN ${chainStatements("NEW.id", hashOnSqlite).join("; ")}; END`);
}

/** Chains what was inserted without a hash, a step at a time, in the order of the ids. */
export function chainOldOnSqlite(database: DatabaseSync): void {
  if (!addHashFunction(database)) return;
  const chain = chainStatements("@id", hashOnSqlite).map((statement) => database.prepare(statement));
  const unchained = database.prepare(selectUnchained);
  while (unchained.get() !== undefined) {
    database.exec("BEGIN IMMEDIATE");
    for (const { id } of unchained.all()) for (const statement of chain) statement.run({ "@id": id! });
    database.exec("COMMIT");
  }
}
