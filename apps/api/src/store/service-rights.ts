/**
 * PostgreSQL: what the service's role may do where the tables belong to another role. `assay migrate` grants it as the
 * owner, and every start compares.
 */
import type { ClientBase, Pool } from "pg";

type Queryable = Pick<Pool | ClientBase, "query">;

/** The tables that the service may not freely change. Everything else it may read, insert, update and delete. */
export const limitedRights: Readonly<Record<string, string>> = {
  ledger_entries: "SELECT, INSERT",
  // Its place in the chain is given to a row by a function of the owner.
  audit_log: "SELECT, INSERT (id, at, actor_account_id, action, account_id, subject, detail)",
  audit_head: "SELECT",
  logs: "SELECT, INSERT",
  log_tiles: "SELECT, INSERT",
  log_runs: "SELECT, INSERT",
  log_checkpoints: "SELECT, INSERT",
  log_cosignatures: "SELECT, INSERT",
  calibrations: "SELECT, INSERT",
  // Retention deletes outcomes.
  session_outcomes: "SELECT, INSERT, DELETE",
  migrations: "SELECT",
};

/** Rows of these are added and never changed. */
export const guardedTables: readonly string[] = Object.entries(limitedRights).filter(([, rights]) => !rights.includes("DELETE")).map(([name]) => name);

/** Called by the service itself. All others are called by triggers, which need no right. */
const calledFunctions: readonly string[] = ["assay_charge_calls_v1", "assay_charge_calls_v2", "assay_charge_calls_v3", "assay_charge_calls_v4", "assay_make_day_v1", "assay_detach_day_v1", "assay_drop_day_v1"];

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoteList = (texts: readonly string[]): string => `ARRAY[${texts.map(quoteText).join(", ")}]`;

/** As values of SQL: the table and its rights. */
const limitedRows = Object.entries(limitedRights).map((each) => `(${each.map(quoteText).join(", ")})`).join(", ");

/** Partitions are reached through their tables; only the default ones are looked into to see what they should not have. */
const tablesOfSchema = `SELECT c.oid, c.relname AS name, c.relispartition AS "isPartition", coalesce(l.rights,
    CASE WHEN NOT c.relispartition THEN 'SELECT, INSERT, UPDATE, DELETE' WHEN c.relname LIKE '%\\_default' THEN 'SELECT' END) AS rights
  FROM pg_class c LEFT JOIN (VALUES ${limitedRows}) AS l (name, rights) ON l.name = c.relname
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`;

/**
 * One statement, so that a running service never sees less than before. Rights that the role, or everybody, has beyond
 * these are taken back.
 */
export const grantStatement = (role: string): string => `DO $grant$
  DECLARE v_role text := ${quoteText(role)}; v_each record;
  BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), v_role);
    IF has_schema_privilege(v_role, current_schema(), 'CREATE') THEN
      EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', current_schema(), v_role);
    END IF;
    FOR v_each IN ${tablesOfSchema} LOOP
      EXECUTE format('REVOKE ALL ON TABLE %I FROM PUBLIC, %I', v_each.name, v_role);
      IF v_each.rights IS NOT NULL THEN EXECUTE format('GRANT %s ON TABLE %I TO %I', v_each.rights, v_each.name, v_role); END IF;
    END LOOP;
    FOR v_each IN SELECT p.oid::regprocedure AS signature, p.proname AS name FROM pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace AND p.proname LIKE 'assay\\_%' LOOP
      EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, %I', v_each.signature, v_role);
      IF v_each.name = ANY (${quoteList(calledFunctions)}) THEN EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', v_each.signature, v_role); END IF;
    END LOOP;
  END $grant$`;

/** As the owner of the tables. Nothing is done for the owner itself. */
export async function grantRights(owner: Queryable, role: string): Promise<void> {
  const { rows } = await owner.query<{ isOwner: boolean }>('SELECT $1 = current_user AS "isOwner"', [role]);
  if (!rows[0]!.isOwner) await owner.query(grantStatement(role));
}

/** The first table that this role may not even read: the owner has not granted it since it was made. */
export async function findMissingRight(service: Queryable): Promise<string | undefined> {
  const { rows } = await service.query<{ name: string }>(
    `SELECT t.name FROM (${tablesOfSchema}) AS t WHERE t.rights IS NOT NULL AND NOT has_table_privilege(t.oid, 'SELECT') ORDER BY 1 LIMIT 1`,
  );
  return rows[0]?.name;
}

/**
 * What this role, or one that it may become, could do to rows that must stay as they are: by its rights, by owning a table
 * or a partition of it, or by putting something else in its place. Empty if it is a role for the service only.
 */
export async function findExcessRights(service: Queryable): Promise<string[]> {
  const { rows } = await service.query<{ excess: string | null }>(
    `WITH roles AS (SELECT oid FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER')),
       guarded AS (
         SELECT c.oid, c.relowner, coalesce(i.inhparent, c.oid)::regclass::text AS name FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
         WHERE c.relkind IN ('r', 'p') AND coalesce(i.inhparent, c.oid) IN (SELECT to_regclass(name) FROM unnest(${quoteList(guardedTables)}) AS name))
     SELECT 'UPDATE and DELETE on ' || string_agg(DISTINCT g.name, ', ') AS excess FROM guarded g, roles r
       WHERE g.relowner = r.oid OR has_any_column_privilege(r.oid, g.oid, 'UPDATE') OR has_table_privilege(r.oid, g.oid, 'DELETE, TRUNCATE, TRIGGER')
     UNION ALL
     SELECT 'CREATE in the schema ' || n.nspname FROM pg_namespace n WHERE n.nspname = current_schema()
       AND EXISTS (SELECT 1 FROM roles r WHERE r.oid = n.nspowner OR has_schema_privilege(r.oid, n.oid, 'CREATE'))`,
  );
  return rows.flatMap(({ excess }) => excess ?? []);
}
