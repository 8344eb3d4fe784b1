import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, Pair } from "./ha-cluster.ts";
import { type LedgerRow, readLedgerRows, readRowsOfCopy } from "./ha-ledger-rows.ts";
import type { Member } from "./ha-member.ts";

/** The server and its backends, but not Patroni, whose command line has such a name too. */
const postgresCommand = /^(?:postgres: |\/\S*\/postgres )/;
/** Longer than a node takes to look for a primary, and than it holds a connection that it has given up. */
const strayMs = 3_000;

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
export function isolate(cluster: Pick<Cluster, "members">, member: Member): void {
  member.etcdWay.hold();
  for (const { replicationWay, restWay } of cluster.members) {
    replicationWay.hold();
    restWay.hold();
  }
}

export function reconnect(cluster: Pick<Cluster, "members">): void {
  for (const { etcdWay, replicationWay, restWay, nodeWay } of cluster.members) for (const way of [etcdWay, replicationWay, restWay, nodeWay]) way.letThrough();
}

export const listPrimaryFaults = (cluster: Cluster): Record<"killed" | "frozen" | "cut_off" | "half_cut_off", PrimaryFault> => ({
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
      isolate(cluster, primary);
      primary.nodeWay.hold();
    },
    async inspectAndEnd(old) {
      // The statements that were on their way arrive now.
      old.nodeWay.letThrough();
      await sleep(strayMs);
      const rows = await readLedgerRows(old);
      reconnect(cluster);
      return rows;
    },
  },
  half_cut_off: {
    title: "cut off from etcd and from its standby, while the node still reaches it",
    async inflict({ primary }) {
      isolate(cluster, primary);
    },
    async inspectAndEnd(old) {
      const rows = await readLedgerRows(old);
      reconnect(cluster);
      return rows;
    },
  },
});
