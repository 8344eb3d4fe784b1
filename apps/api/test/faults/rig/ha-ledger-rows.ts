import { rmSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { Client } from "pg";
import { findFreePort } from "../../find-free-port.ts";
import { waitUntil } from "../../send.ts";
import type { Member } from "./ha-member.ts";

/** An entry of the ledger on one member, with the serial of the call that it bills (see call-book.ts). */
export type LedgerRow = { account_id: string; seq: number; hash: string; serial: number | null };

const select = `select e.account_id, e.seq::int as seq, e.hash, s.interaction_count::int as serial
  from ledger_entries e left join session_records s on s.account_id = e.account_id and s.id = e.ref where e.kind = 'call'`;
const startMsMax = 60_000;
const database = "assay";

export const readLedgerRows = (member: Member): Promise<LedgerRow[]> => member.query<LedgerRow>(select, database);

const idOf = (row: LedgerRow): string => `${row.account_id} ${row.seq} ${row.hash}`;

/** The rows of `some` that `others` do not have. */
export function findRowsBeside(some: readonly LedgerRow[], others: readonly LedgerRow[]): LedgerRow[] {
  const known = new Set(others.map(idOf));
  return some.filter((row) => !known.has(idOf(row)));
}

/** What a killed PostgreSQL would find on its disk: recovers a copy of its data by itself, without Patroni. */
export async function readRowsOfCopy(member: Member): Promise<LedgerRow[]> {
  const { folder } = member.machine;
  const copy = join(folder, "copy");
  const { status, stderr } = spawnSync("cp", ["-a", join(folder, "data"), copy], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the data could not be copied: ${stderr}`);
  rmSync(join(copy, "postmaster.pid"), { force: true });
  rmSync(join(copy, "standby.signal"), { force: true });
  const port = await findFreePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "synchronous_standby_names=", `hba_file=${copy}/pg_hba.conf`, "hot_standby=on", "max_connections=200", "fsync=off"];
  member.machine.run(join(process.env.ASSAY_TEST_POSTGRES_BIN!, "postgres"), ["-D", copy, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]);
  try {
    let rows: LedgerRow[] | undefined;
    const attempt = async () => {
      const client = new Client({ host: "127.0.0.1", port, user: "postgres", password: "replace-me-superuser", database });
      client.on("error", () => {});
      try {
        await client.connect();
        rows = (await client.query<LedgerRow>(select)).rows;
      } catch {
        // It still recovers.
      } finally {
        await client.end().catch(() => {});
      }
      return rows !== undefined;
    };
    await waitUntil(attempt, "the copy has recovered", startMsMax);
    return rows!;
  } finally {
    await member.machine.kill9();
    rmSync(copy, { recursive: true, force: true });
  }
}
