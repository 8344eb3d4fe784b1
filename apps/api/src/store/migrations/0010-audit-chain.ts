import { type Dialect, type IndexPlan, sqlWordsOf } from "./migration.ts";

/** `prev_hash` of the first row. */
const genesisHash = "0".repeat(64);
const accountOf = `coalesce(account_id, (SELECT a.id FROM accounts a WHERE a.id = subject), (SELECT p.account_id FROM payouts p WHERE p.id = subject))`;

/** PostgreSQL's half of store/audit-chain.ts, which has SQLite's: a change of either text takes a function with the next version. */
const chainActionOnPostgres: readonly string[] = [
  `CREATE FUNCTION assay_chain_action_v1(p_id text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM audit_head FOR UPDATE;
      UPDATE audit_log SET account_id = ${accountOf}, seq = (SELECT h.seq + 1 FROM audit_head h), prev_hash = (SELECT h.hash FROM audit_head h),
        hash = encode(sha256(convert_to('assay-audit-1' || E'\\n' || (SELECT h.seq + 1 FROM audit_head h) || E'\\n' || id || E'\\n' || at || E'\\n' ||
          coalesce(actor_account_id, '') || E'\\n' || action || E'\\n' || coalesce(${accountOf}, '') || E'\\n' || subject || E'\\n' ||
          detail || E'\\n' || (SELECT h.hash FROM audit_head h), 'UTF8')), 'hex')
        WHERE id = p_id AND hash IS NULL;
      -- Only if the row was appended just now.
      UPDATE audit_head SET seq = seq + 1, hash = (SELECT l.hash FROM audit_log l WHERE l.id = p_id)
        WHERE seq + 1 = (SELECT l.seq FROM audit_log l WHERE l.id = p_id);
    END $$`,
  `CREATE FUNCTION assay_chain_inserted_action_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM assay_chain_action_v1(NEW.id); RETURN NULL; END $$`,
  `CREATE TRIGGER audit_log_chain AFTER INSERT ON audit_log
    FOR EACH ROW WHEN (NEW.hash IS NULL) EXECUTE FUNCTION assay_chain_inserted_action_v1()`,
];

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
    `INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '${genesisHash}')`,
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
