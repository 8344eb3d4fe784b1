import { type ClientBase, DatabaseError } from "pg";
import { selectSettings, type SessionSettings } from "./session-settings.ts";

/** What a server says of itself, and of the session that asks. */
export type ServerReading = {
  /** A standby, or a server that recovers. */
  isInRecovery: boolean;
  isReadOnly: boolean;
  /** The same for a primary and its standbys. Undefined where the server does not tell. */
  systemId: string | undefined;
  /** Increases with every promotion. Undefined on a standby, and where the server does not tell. */
  timeline: number | undefined;
  /** The process that answered. */
  pid: number;
  synchronousStandbys: string | undefined;
  /** A managed service: it may replicate below PostgreSQL, and does not say so to it. */
  hidesReplication: boolean;
  settings: Record<string, string>;
};

type Row = { recovery: boolean; readOnly: string; systemId: string | null; wal: string | null; pid: number; standbys: string | null; managed: boolean; settings: Record<string, string> };

const readAlways = (settings: SessionSettings) =>
  `SELECT pg_is_in_recovery() AS recovery, current_setting('transaction_read_only') AS "readOnly", pg_backend_pid() AS pid, ${selectSettings(settings)} AS settings`;

/** Settings that only managed services have. */
const managedSettings = ["rds.extensions", "cloudsql.iam_authentication", "azure.extensions", "alloydb.iam_authentication", "neon.timeline_id"];
const isManaged = `coalesce(${managedSettings.map((name) => `current_setting('${name}', true)`).join(", ")}) IS NOT NULL`;

/** One statement without parameters: it runs once per connection, and prepares nothing. */
const readAll = (settings: SessionSettings) => `${readAlways(settings)},
  current_setting('synchronous_standby_names', true) AS standbys, ${isManaged} AS managed,
  (SELECT system_identifier::text FROM pg_control_system()) AS "systemId",
  CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS wal`;

/** The first eight digits of a WAL file's name are its timeline. */
const timelineOf = (wal: string | null): number | undefined => (wal === null ? undefined : Number.parseInt(wal.slice(0, 8), 16));

/** Managed services that replicate below PostgreSQL refuse or remove some of these functions. */
const refusesFunction = (error: unknown) => error instanceof DatabaseError && /^(?:0A|42|55000|22|XX)/.test(error.code ?? "");

export async function readServer(client: ClientBase, settings: SessionSettings): Promise<ServerReading> {
  const { rows } = await client.query<Row>(readAll(settings)).catch((error: unknown) => {
    if (!refusesFunction(error)) throw error;
    return client.query<Row>(`${readAlways(settings)}, NULL AS standbys, true AS managed, NULL AS "systemId", NULL AS wal`);
  });
  const { recovery, readOnly, systemId, wal, pid, standbys, managed, settings: found } = rows[0]!;
  return {
    isInRecovery: recovery,
    isReadOnly: readOnly === "on",
    systemId: systemId ?? undefined,
    timeline: timelineOf(wal),
    pid,
    synchronousStandbys: standbys ?? undefined,
    hidesReplication: managed || standbys === null,
    settings: found,
  };
}
