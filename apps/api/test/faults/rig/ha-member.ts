import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type QueryResultRow } from "pg";
import { findFreePort } from "../../find-free-port.ts";
import { adaptHaExample } from "./ha-example.ts";
import { makeMachine, type Machine } from "./ha-machine.ts";
import { openWay, type WayBetween } from "./ha-ways.ts";

/** As in deploy/ha/patroni.yml. */
const superuserPassword = "replace-me-superuser";
const restCredentials = `Basic ${Buffer.from("patroni:replace-me-rest").toString("base64")}`;
const askMsMax = 2_000;

/** What Patroni says about the PostgreSQL that it looks after. */
export type MemberState = {
  state?: string;
  role?: string;
  timeline?: number;
  sync_standby?: boolean;
  replication?: { sync_state: string; state: string }[];
};

/** A machine with PostgreSQL and Patroni, and the ways to and from it. */
export type Member = {
  name: string;
  machine: Machine;
  /** Of PostgreSQL itself. */
  port: number;
  /** Of Patroni itself. */
  restPort: number;
  /** From nodes to its PostgreSQL. */
  nodeWay: WayBetween;
  /** From the other member to its PostgreSQL, and to its Patroni. */
  replicationWay: WayBetween;
  restWay: WayBetween;
  etcdWay: WayBetween;
  /** Starts Patroni, as systemd would. */
  start(): void;
  /** Undefined while it does not answer. */
  ask(): Promise<MemberState | undefined>;
  /** Changes the configuration of the whole cluster. */
  configure(change: object): Promise<void>;
  /** Asks its PostgreSQL as the superuser, past all ways. */
  query<Row extends QueryResultRow>(sql: string, database?: string): Promise<Row[]>;
  remove(): Promise<void>;
};

export async function makeMember(name: string, etcdPort: number): Promise<Member> {
  const machine = makeMachine(name);
  const [port, restPort] = [await findFreePort(), await findFreePort()];
  const [nodeWay, replicationWay, restWay, etcdWay] = await Promise.all([openWay(port), openWay(port), openWay(restPort), openWay(etcdPort)]);
  const { folder } = machine;
  const config = join(folder, "patroni.yml");
  writeFileSync(
    config,
    adaptHaExample("patroni.yml", [
      ["name: postgres-1", `name: ${name}`],
      ["listen: 0.0.0.0:8008", `listen: 127.0.0.1:${restPort}`],
      ["connect_address: 10.0.0.11:8008", `connect_address: 127.0.0.1:${restWay.port}`],
      // etcd would tell Patroni its own address, which is past the way.
      ["hosts: 10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379", `hosts: 127.0.0.1:${etcdWay.port}\n  use_proxies: true`],
      ["listen: 0.0.0.0:5432", `listen: 127.0.0.1:${port}`],
      ["connect_address: 10.0.0.11:5432", `connect_address: 127.0.0.1:${replicationWay.port}`],
      ["bin_dir: /usr/lib/postgresql/15/bin", `bin_dir: ${process.env.ASSAY_TEST_POSTGRES_BIN!}`],
      ["data_dir: /var/lib/postgresql/15/assay", `data_dir: ${folder}/data`],
      ["pgpass: /var/lib/postgresql/.pgpass-patroni", `pgpass: ${folder}/pgpass`],
      ["unix_socket_directories: /var/run/postgresql", `unix_socket_directories: ${folder}`],
      ["10.0.0.0/24", "127.0.0.1/32", 2],
    ]),
  );
  const rest = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${restPort}${path}`, { ...options, headers: { authorization: restCredentials }, signal: AbortSignal.timeout(askMsMax) });
  return {
    name,
    machine,
    port,
    restPort,
    nodeWay,
    replicationWay,
    restWay,
    etcdWay,
    start: () => machine.run(process.env.ASSAY_TEST_PATRONI!, [config], { HOME: folder }),
    ask: () =>
      rest("/patroni")
        .then((answer) => answer.json() as Promise<MemberState>)
        .catch(() => undefined),
    async configure(change) {
      const answer = await rest("/config", { method: "PATCH", body: JSON.stringify(change) });
      if (!answer.ok) throw new Error(`${name} refused the configuration: ${answer.status} ${await answer.text()}`);
    },
    async query<Row extends QueryResultRow>(sql: string, database = "postgres") {
      const client = new Client({ host: "127.0.0.1", port, user: "postgres", password: superuserPassword, database, connectionTimeoutMillis: askMsMax, query_timeout: askMsMax * 5 });
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end().catch(() => {});
      }
    },
    async remove() {
      await machine.remove();
      await Promise.all([nodeWay, replicationWay, restWay, etcdWay].map((way) => way.close()));
    },
  };
}
