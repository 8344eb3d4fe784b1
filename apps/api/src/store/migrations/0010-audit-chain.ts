import { auditGenesisHash, chainActionOnPostgres } from "../audit-chain.ts";
import { type Dialect, type IndexPlan, sqlWordsOf } from "./migration.ts";

const refusal = "audit_log is append-only";
const lineFeedRefusal = "a field of audit_log has a line feed";
const fixed = ["id", "at", "actor_account_id", "action", "subject", "detail"];

/** The only UPDATE that is allowed appends a row to the chain, once. Texts have no line feed, which separates the fields that a hash covers. */
function guardChain(dialect: Dialect): string[] {
  const [same, lineFeed] = dialect === "sqlite" ? ["IS", "char(10)"] : ["IS NOT DISTINCT FROM", "chr(10)"];
  const isChaining = [
    "OLD.hash IS NULL AND NEW.hash IS NOT NULL AND NEW.seq IS NOT NULL AND NEW.prev_hash IS NOT NULL",
    `(OLD.account_id IS NULL OR NEW.account_id ${same} OLD.account_id)`,
    ...fixed.map((column) => `NEW.${column} ${same} OLD.${column}`),
  ].join(" AND ");
  const textOfAll = ["NEW.id", "coalesce(NEW.actor_account_id, '')", "NEW.action", "coalesce(NEW.account_id, '')", "NEW.subject", "NEW.detail"].join(" || ");
  if (dialect === "sqlite") {
    return [
      `DROP TRIGGER audit_log_no_update`,
      `CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN NOT (${isChaining}) BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
      `CREATE TRIGGER audit_log_one_line BEFORE INSERT ON audit_log WHEN instr(${textOfAll}, ${lineFeed}) > 0
        BEGIN SELECT RAISE(ABORT, '${lineFeedRefusal}'); END`,
    ];
  }
  return [
    `CREATE OR REPLACE FUNCTION assay_guard_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND ${isChaining} THEN RETURN NEW; END IF;
        RAISE EXCEPTION '${refusal}';
      END $$`,
    `CREATE FUNCTION assay_refuse_line_feed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${lineFeedRefusal}'; END $$`,
    `CREATE TRIGGER audit_log_one_line BEFORE INSERT ON audit_log
      FOR EACH ROW WHEN (strpos(${textOfAll}, ${lineFeed}) > 0) EXECUTE FUNCTION assay_refuse_line_feed()`,
  ];
}

export function auditChain(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  return [
    `ALTER TABLE audit_log ADD COLUMN account_id ${id}`,
    `ALTER TABLE audit_log ADD COLUMN seq ${whole}`,
    `ALTER TABLE audit_log ADD COLUMN prev_hash TEXT`,
    `ALTER TABLE audit_log ADD COLUMN hash TEXT`,
    `CREATE UNIQUE INDEX audit_log_seq ON audit_log (seq)`,
    `CREATE INDEX audit_log_unchained ON audit_log (id) WHERE hash IS NULL`,
    `CREATE TABLE audit_head (id ${whole} NOT NULL PRIMARY KEY CHECK (id = 1), seq ${whole} NOT NULL, hash TEXT NOT NULL) ${end}`,
    `INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '${auditGenesisHash}')`,
    ...guardChain(dialect),
    ...(dialect === "postgres" ? chainActionOnPostgres : []),
  ];
}

/** For the filters of the operator's page, newest first. */
export const auditIndexes: readonly IndexPlan[] = [
  { name: "audit_log_actor", table: "audit_log", columns: "actor_account_id, id" },
  { name: "audit_log_account", table: "audit_log", columns: "account_id, id" },
  { name: "audit_log_action", table: "audit_log", columns: "action, id" },
];
