import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../../send.ts";
import type { Cluster, Pair } from "./ha-cluster.ts";
import { type LedgerRow, readLedgerRows, readRowsOfCopy } from "./ha-ledger-rows.ts";
import type { Member } from "./ha-member.ts";

/** The server and its backends, but not Patroni, whose command line has such a name too. */
const postgresCommand = /^(?:postgres: |\/\S*\/postgres )/;
/** Longer than a node takes to look for a primary, and than it holds a connection that it has given up. */
const strayMs = 3_000;
const upMsMax = 60_000;

/** A way in which a primary is lost. */
export type PrimaryFault = {
  title: string;
  inflict(pair: Pair): Promise<void>;
  /**
   * What is in the ledger of the old primary, looked at past everything, after the service has gone on elsewhere and
   * had every chance to write to it. Then the fault ends, without a hand at the databases.
   */
  inspectAndEnd(old: Member): Promise<LedgerRow[]>;
};

/** To and from its peer, and to etcd: each member is reached by its own ways. */
export async function isolate(cluster: Pick<Cluster, "members">, member: Member): Promise<void> {
  const between = cluster.members.flatMap(({ replicationWay, restWay }) => [replicationWay, restWay]);
  await Promise.all([member.etcdWay, ...between].map((way) => way.hold()));
}

export async function reconnect(cluster: Pick<Cluster, "members">): Promise<void> {
  const ways = cluster.members.flatMap(({ etcdWay, replicationWay, restWay, nodeWay }) => [etcdWay, replicationWay, restWay, nodeWay]);
  await Promise.all(ways.map((way) => way.letThrough()));
}

/** A primary without etcd is restarted as a standby by its Patroni, and cannot be asked meanwhile. */
async function readRowsWhenUp(member: Member): Promise<LedgerRow[]> {
  let rows: LedgerRow[] | undefined;
  const read = () => readLedgerRows(member).then((found) => void (rows = found), () => {});
  await waitUntil(() => read().then(() => rows !== undefined), "the old primary answers", upMsMax);
  return rows!;
}

export type PrimaryFaultName = "killed" | "frozen" | "cut_off" | "half_cut_off";

export const listPrimaryFaults = (cluster: Cluster): Record<PrimaryFaultName, PrimaryFault> => ({
  killed: {
    title: "killed with its Patroni: the machine is gone",
    inflict: ({ primary }) => primary.machine.kill9(),
    async inspectAndEnd(old) {
      const rows = await readRowsOfCopy(old);
      old.start();
      return rows;
    },
  },
  frozen: {
    title: "frozen with its Patroni, and PostgreSQL goes on first, with what it was sent",
    inflict: ({ primary }) => primary.machine.freeze(),
    async inspectAndEnd(old) {
      old.machine.resume(postgresCommand);
      // Now it is a primary that nobody has told that it is not: its Patroni is still frozen.
      await sleep(strayMs);
      const rows = await readLedgerRows(old);
      old.machine.resume();
      return rows;
    },
  },
  cut_off: {
    title: "cut off from everything",
    async inflict({ primary }) {
      await Promise.all([isolate(cluster, primary), primary.nodeWay.hold()]);
    },
    async inspectAndEnd(old) {
      // The statements that were on their way arrive now.
      await old.nodeWay.letThrough();
      await sleep(strayMs);
      const rows = await readRowsWhenUp(old);
      await reconnect(cluster);
      return rows;
    },
  },
  half_cut_off: {
    title: "cut off from etcd and from its standby, while the node still reaches it",
    inflict: ({ primary }) => isolate(cluster, primary),
    async inspectAndEnd(old) {
      const rows = await readRowsWhenUp(old);
      await reconnect(cluster);
      return rows;
    },
  },
});
