import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { explain } from "../../failure/failure.ts";
import { connectionSettings } from "../primary/connection-settings.ts";
import { parseAddress } from "../primary/parse-address.ts";
import { readOnly, type SessionSettings, withoutJit } from "../primary/session-settings.ts";
import type { Schema } from "../schema.ts";
import type { PostgresStore } from "../store.ts";
import { createReplicaAge, parsePosition } from "./replica-age.ts";
import { type Reports, reportsFrom } from "./report-source.ts";

/** A report is never older than this: a replica that is further behind is not read. */
export const staleMsMax = 10_000;
const measureMs = 1_000;
const connectionsMax = 3;
const answerMsMax = 5_000;
const idleMsMax = 60_000;

const replicaSettings: SessionSettings = {
  ...readOnly,
  ...withoutJit,
  statement_timeout: { set: "6000", shown: ["6s"] },
  idle_in_transaction_session_timeout: { set: "1000", shown: ["1s"] },
};

const readPrimary = "SELECT pg_current_wal_insert_lsn()::text AS position, (SELECT system_identifier::text FROM pg_control_system()) AS system";
const readReplica = `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn()::text AS position, (SELECT system_identifier::text FROM pg_control_system()) AS system`;

type PrimaryRow = { position: string; system: string };
type ReplicaRow = { isReplica: boolean; position: string | null; system: string };

export type ReplicaContext = {
  /** The store's time, for what callers read. */
  nowMs: () => number;
  monotonicMs: () => number;
  /** Called when reports begin to be read elsewhere; `why` if they are read from the primary. */
  onChange: (from: "primary" | "replica", why: string | undefined) => void;
};

/**
 * Reports from a streaming replica, as long as it is known to be at most `staleMsMax` behind; from the primary otherwise, or if
 * the replica fails a report. Measured all the time, so that it changes by itself, in both directions. Never rejects.
 */
export async function openReplica(url: string, store: PostgresStore, context: ReplicaContext): Promise<Reports> {
  const { nowMs, monotonicMs, onChange } = context;
  const connections = { ...connectionSettings(parseAddress(url), replicaSettings), application_name: "assay reports", query_timeout: answerMsMax };
  const pool = new pg.Pool({ ...connections, max: connectionsMax, idleTimeoutMillis: idleMsMax });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  // Its own connection: a measurement must not wait behind reports.
  const gauge = new pg.Pool({ ...connections, max: 1, query_timeout: measureMs, connectionTimeoutMillis: measureMs, idleTimeoutMillis: idleMsMax });
  gauge.on("error", () => {});
  gauge.on("connect", (client) => client.on("error", () => {}));
  const replica = { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) };
  const primary = reportsFrom(store);
  const age = createReplicaAge();
  let why: string | undefined = "it was not asked yet";
  let told: "primary" | "replica" = "primary";
  let measuring: Promise<void> | undefined;

  const lagMs = (): number | undefined => {
    const asOf = age.asOfMs();
    return asOf === undefined ? undefined : monotonicMs() - asOf;
  };
  const isFresh = (): boolean => (lagMs() ?? Number.POSITIVE_INFINITY) <= staleMsMax;

  const tell = (): void => {
    const from = isFresh() ? "replica" : "primary";
    if (from === told) return;
    told = from;
    onChange(from, from === "replica" ? undefined : (why ?? `it is more than ${staleMsMax / 1_000} s behind`));
  };

  async function measureOnce(): Promise<void> {
    const atMs = monotonicMs();
    const of = await store.pool.query<PrimaryRow>(readPrimary);
    age.notePrimary({ position: parsePosition(of.rows[0]!.position), atMs });
    const { rows } = await gauge.query<ReplicaRow>(readReplica);
    const { isReplica, position, system } = rows[0]!;
    if (system !== of.rows[0]!.system) throw new Error("it is a copy of another database");
    // A replica that was promoted goes its own way.
    if (!isReplica || position === null) throw new Error("it is not a replica");
    age.noteReplica(parsePosition(position));
    why = undefined;
  }

  const measure = (): Promise<void> =>
    (measuring ??= measureOnce()
      .catch((error: unknown) => {
        why = explain(error);
        if (why.startsWith("it is ")) age.forget();
      })
      .finally(() => {
        measuring = undefined;
        tell();
      }));

  await measure();
  const timer = setInterval(() => void measure(), measureMs);
  timer.unref();
  return {
    async read(read) {
      if (!isFresh()) return primary.read(read);
      // The wall clock of the moment that the replica is known to have reached.
      const asOfMs = nowMs() - lagMs()!;
      try {
        return { answer: await read(replica), asOfMs };
      } catch {
        // Also what was wrong with the request: the primary says so again.
        return primary.read(read);
      }
    },
    status: () => (isFresh() ? { from: "replica", staleMsMax } : primary.status()),
    lagMs,
    async close() {
      clearInterval(timer);
      await measuring;
      await replica.db.destroy();
      if (!pool.ending) await pool.end();
      await gauge.end();
    },
  };
}
