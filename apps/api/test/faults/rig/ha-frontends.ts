import { chownSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../../find-free-port.ts";
import { waitUntil } from "../../send.ts";
import type { Cluster } from "./ha-cluster.ts";
import { adaptHaExample } from "./ha-example.ts";
import { makeMachine } from "./ha-machine.ts";

export const whyFrontendsAreSkipped = (): string | false =>
  ["ASSAY_TEST_HAPROXY", "ASSAY_TEST_PGBOUNCER"].flatMap((name) => (process.env[name] ? [] : [`${name} is not set (npm test sets it)`]))[0] ?? false;

export type Frontends = {
  /** PgBouncer, which uses HAProxy, which uses the primary. */
  databaseUrl: string;
  close(): Promise<void>;
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

/** HAProxy and PgBouncer with the files of deploy/ha/, in front of a pair. */
export async function startFrontends(cluster: Cluster): Promise<Frontends> {
  const machine = makeMachine("frontends");
  const { folder, identity } = machine;
  const [primaryPort, standbyPort, poolPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const role = new URL(cluster.urlOf(cluster.members[0]));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (identity.uid !== undefined) chownSync(join(folder, name), identity.uid, identity.gid ?? identity.uid);
  };
  const [one, two] = cluster.members;
  write(
    "haproxy.cfg",
    adaptHaExample("haproxy.cfg", [
      ["bind 127.0.0.1:5000", `bind 127.0.0.1:${primaryPort}`],
      ["bind 127.0.0.1:5001", `bind 127.0.0.1:${standbyPort}`],
      ["10.0.0.11:5432 check port 8008", `127.0.0.1:${one.nodeWay.port} check port ${one.restPort}`, 2],
      ["10.0.0.12:5432 check port 8008", `127.0.0.1:${two.nodeWay.port} check port ${two.restPort}`, 2],
    ]),
  );
  write("userlist.txt", `"${role.username}" "${role.password}"\n`);
  write(
    "pgbouncer.ini",
    adaptHaExample("pgbouncer.ini", [
      ["host=127.0.0.1 port=5000", `host=127.0.0.1 port=${primaryPort}`],
      ["listen_port = 6432", `listen_port = ${poolPort}`],
      ["/run/pgbouncer/pgbouncer.pid", join(folder, "pgbouncer.pid")],
      ["/var/log/postgresql/pgbouncer.log", join(folder, "pgbouncer.log")],
      ["/etc/pgbouncer/userlist.txt", join(folder, "userlist.txt")],
    ]),
  );
  try {
    await (await cluster.untilPair()).primary.query(adaptHaExample("session-settings.sql", [[':"role"', role.username, 6]]));
    machine.run(process.env.ASSAY_TEST_HAPROXY!, ["-f", join(folder, "haproxy.cfg")]);
    machine.run(process.env.ASSAY_TEST_PGBOUNCER!, [join(folder, "pgbouncer.ini")]);
    await waitUntil(async () => (await listens(poolPort)) && (await listens(primaryPort)), `HAProxy and PgBouncer listen: ${machine.logs()}`);
  } catch (error) {
    await machine.remove();
    throw error;
  }
  role.port = String(poolPort);
  return { databaseUrl: role.href, close: () => machine.remove() };
}
