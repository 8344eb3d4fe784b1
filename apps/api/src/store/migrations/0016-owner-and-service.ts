import type { Dialect } from "./migration.ts";

/** What the service's role may not do itself, because the tables belong to another role. Each function does one thing, for these two tables only. */
const makeDay = `CREATE FUNCTION assay_make_day_v1(p_table text, p_day date, p_from text, p_to text, p_moves boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE v_day text := p_table || '_d' || to_char(p_day, 'YYYYMMDD');
  BEGIN
    IF p_table NOT IN ('session_records', 'offers') THEN RAISE EXCEPTION 'no daily table'; END IF;
    -- Locked first: otherwise a concurrent UPDATE of one of these rows would be lost.
    IF p_moves THEN EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', p_table || '_default'); END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', v_day, p_table);
    IF p_moves THEN
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE id >= %L AND id < %L RETURNING *) INSERT INTO %I SELECT * FROM moved', p_table || '_default', p_from, p_to, v_day);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p_table, v_day, p_from, p_to);
  END $$`;

const endDay = (name: string, statement: string) => `CREATE FUNCTION ${name}(p_table text, p_day date) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE v_day text := p_table || '_d' || to_char(p_day, 'YYYYMMDD');
  BEGIN
    IF p_table NOT IN ('session_records', 'offers') THEN RAISE EXCEPTION 'no daily table'; END IF;
    EXECUTE format(${statement});
  END $$`;

const detachDay = endDay("assay_detach_day_v1", "'ALTER TABLE %I DETACH PARTITION %I', p_table, v_day");
const dropDay = endDay("assay_drop_day_v1", "'DROP TABLE IF EXISTS %I', v_day");

/**
 * Run with the rights of the tables' owner. They find their tables in this schema only: the schema for temporary tables,
 * where every role may put a table of any name, comes last.
 */
const runAsOwner = `DO $$
  DECLARE v_function text;
  BEGIN
    FOREACH v_function IN ARRAY ARRAY['assay_make_day_v1(text, date, text, text, boolean)', 'assay_detach_day_v1(text, date)',
        'assay_drop_day_v1(text, date)', 'assay_chain_action_v1(text)', 'assay_chain_inserted_action_v1()'] LOOP
      EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', v_function, current_schema());
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', v_function);
    END LOOP;
  END $$`;

export function ownerAndService(dialect: Dialect): string[] {
  return dialect === "sqlite" ? [] : [makeDay, detachDay, dropDay, runAsOwner];
}
