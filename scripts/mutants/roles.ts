import type { Mutant } from "./mutant.ts";

const rights = "apps/api/src/store/service-rights.ts";
const functions = "apps/api/src/store/migrations/0016-owner-and-service.ts";
const rightsTest = "apps/api/src/store/service-rights.test.ts";
const rolesTest = "apps/api/test/two-roles.test.ts";

export const rolesMutants: readonly Mutant[] = [
  {
    name: "the service's role may change ledger entries",
    file: rights,
    from: 'ledger_entries: "SELECT, INSERT",',
    to: 'ledger_entries: "SELECT, INSERT, UPDATE",',
    killedBy: [rightsTest, "is told apart from every role that could do more"],
    needs: "postgres",
  },
  {
    name: "the service's role may change checkpoints of the log",
    file: rights,
    from: 'log_checkpoints: "SELECT, INSERT",',
    to: 'log_checkpoints: "SELECT, INSERT, UPDATE",',
    killedBy: [rightsTest, "is told apart from every role that could do more"],
    needs: "postgres",
  },
  {
    name: "the service's role chooses the hash of an audit row",
    file: rights,
    from: '"SELECT, INSERT (id, at, actor_account_id, action, account_id, subject, detail)"',
    to: '"SELECT, INSERT"',
    killedBy: [rightsTest, "adds a row to the audit log without a say in its place or its hash [threat: service-rewrites]"],
    needs: "postgres",
  },
  {
    name: "the service's role reaches the ledger's partitions",
    file: rights,
    from: "CASE WHEN NOT c.relispartition THEN",
    to: "CASE WHEN true THEN",
    killedBy: [rightsTest, "cannot reach the partitions of the ledger, not even to add or to read a row [threat: service-rewrites]"],
    needs: "postgres",
  },
  {
    name: "a migration leaves the service's role what somebody granted it",
    file: rights,
    from: "      EXECUTE format('REVOKE ALL ON TABLE %I FROM PUBLIC, %I', v_each.name, v_role);\n",
    to: "",
    killedBy: [rightsTest, "loses with the next migration what somebody granted it, or everybody, beyond its rights"],
    needs: "postgres",
  },
  {
    name: "a role that may become the owner counts as limited",
    file: rights,
    from: "pg_has_role(current_user, oid, 'MEMBER')",
    to: "pg_has_role(current_user, oid, 'USAGE')",
    killedBy: [rightsTest, "is told apart from every role that could do more"],
    needs: "postgres",
  },
  {
    name: "functions of the owner look into temporary tables first",
    file: functions,
    from: "SET search_path = %I, pg_temp'",
    to: "SET search_path = %I'",
    killedBy: [rightsTest, "cannot mislead the functions of the owner by temporary tables of the same names [threat: service-rewrites]"],
    needs: "postgres",
  },
  {
    name: "the owner's function makes days of any table",
    file: functions,
    from: "    IF p_table NOT IN ('session_records', 'offers') THEN RAISE EXCEPTION 'no daily table'; END IF;\n    -- Locked first",
    to: "    -- Locked first",
    killedBy: [rightsTest, "gets days of the two daily tables from the owner's functions, and nothing else"],
    needs: "postgres",
  },
  {
    name: "a node without rights starts on tables of an earlier version",
    file: "apps/api/src/store/migrate.ts",
    from: "  if (pending.length > 0) throw new RightsMissing(",
    to: "  if (pending.length > 99) throw new RightsMissing(",
    killedBy: [rolesTest, "stop a start that finds migrations pending, with one line that names them and the command"],
    needs: "postgres",
  },
  {
    name: "no start warns of a role that can change the ledger",
    file: "apps/api/src/start/serve.ts",
    from: "if (excess.length > 0) log.warn(",
    to: "if (excess.length > 9) log.warn(",
    killedBy: [rolesTest, "replace one role while nodes serve: the old one, which every start warns of, keeps the tables"],
    needs: "postgres",
  },
  {
    name: "a store behind its last checkpoint continues the log",
    file: "apps/api/src/money/ledger/log/log-memory.ts",
    from: "if (!checkpoint) return `the database is behind the checkpoint of size ${size}`;",
    to: "if (!checkpoint) return undefined;",
    killedBy: ["apps/api/test/recovered-store.test.ts", "to a point in time by PostgreSQL's own tools does so too: the node remembers what it signed [threat: rolled-back-store]"],
    needs: "postgres",
  },
  {
    name: "a restore does not close the log",
    file: "apps/api/src/transfer/backup/restore-backup.ts",
    from: "  await closeLog(path, { dataDir, nowMs, madeMs: metadata.madeMs });\n",
    to: "",
    killedBy: ["apps/api/test/recovered-store.test.ts", "from a backup goes on in a new log, which /api/status announces, and old proofs verify [threat: rolled-back-store]"],
  },
];
