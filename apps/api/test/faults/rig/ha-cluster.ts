import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { makeTestFolder } from "../../start-service.ts";
import { type Etcd, startEtcd } from "./ha-etcd.ts";
import { makeMember, type Member } from "./ha-member.ts";

export const whyHaIsSkipped = (): string | false =>
  ["ASSAY_TEST_POSTGRES_BIN", "ASSAY_TEST_PATRONI", "ASSAY_TEST_ETCD"].flatMap((name) => (process.env[name] ? [] : [`${name} is not set (npm test sets it)`]))[0] ?? false;

const databaseName = "assay";
const role = { name: "assay", password: "a-password-of-the-tests" };
const pollMs = 100;

export type Pair = { primary: Member; standby: Member };

/** Two PostgreSQL under Patroni, and etcd. */
export type Cluster = {
  etcd: Etcd;
  members: readonly [Member, Member];
  /** For nodes: both members, by the ways that can be held. */
  databaseUrl: string;
  /** Both members, past all ways. */
  directUrl: string;
  /** The member, past all ways. */
  urlOf(member: Member): string;
  /** Waits for one primary with a streaming standby; a synchronous one, if not said otherwise. */
  untilPair(options?: { synchronous?: boolean; msMax?: number }): Promise<Pair>;
  /** The member that says that it is the primary, and holds the lease. */
  findPrimary(): Promise<Member | undefined>;
  otherThan(member: Member): Member;
  /** Opens the store on one member, for a test to look at. */
  openOn(member: Member): Store;
  /** What all programs printed last, for a failure. */
  logs(): string;
  close(): Promise<void>;
};

const logCharactersShownMax = 4_000;

/** A Patroni that cannot be asked is not known to be either. */
async function readPair(members: readonly [Member, Member], synchronous: boolean): Promise<Pair | string> {
  const states = await Promise.all(members.map((member) => member.ask()));
  const primaryIndex = states.findIndex((state) => state?.role === "master" || state?.role === "primary");
  const [primary, standby] = [members[primaryIndex], members[1 - primaryIndex]];
  const [state, other] = [states[primaryIndex], states[1 - primaryIndex]];
  const isStreaming = state?.replication?.some((each) => each.state === "streaming" && (!synchronous || each.sync_state === "sync"));
  const isPair = state?.state === "running" && other?.state !== undefined && ["running", "streaming"].includes(other.state) && other.role === "replica";
  if (primary && standby && isPair && isStreaming && other.timeline === state.timeline && (!synchronous || other.sync_standby)) return { primary, standby };
  return JSON.stringify(states);
}

async function prepareDatabase(primary: Member, url: string): Promise<void> {
  await primary.query(`create role ${role.name} login password '${role.password}'`);
  await primary.query(`create database ${databaseName} owner ${role.name}`);
  const { store } = await openStore({ databaseUrl: url, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} });
  await store.close();
}

export async function openCluster(): Promise<Cluster> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  const urlAt = (...ports: number[]) => `postgres://${role.name}:${role.password}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/${databaseName}`;
  try {
    const etcd = await startEtcd();
    closers.push(() => etcd.machine.remove());
    const members = [await makeMember("postgres-1", etcd.port), await makeMember("postgres-2", etcd.port)] as const;
    for (const member of members) closers.push(() => member.remove());
    const cluster: Cluster = {
      etcd,
      members,
      databaseUrl: urlAt(...members.map((member) => member.nodeWay.port)),
      directUrl: urlAt(...members.map((member) => member.port)),
      urlOf: (member) => urlAt(member.port),
      async untilPair({ synchronous = true, msMax = 90_000 } = {}) {
        const deadline = performance.now() + msMax;
        while (true) {
          const found = await readPair(members, synchronous);
          if (typeof found === "object") return found;
          if (performance.now() > deadline) throw new Error(`no pair after ${msMax} ms: ${found}\n${cluster.logs()}`);
          await sleep(pollMs);
        }
      },
      async findPrimary() {
        const states = await Promise.all(members.map((member) => member.ask()));
        return members.find((_, index) => ["master", "primary"].includes(states[index]?.role ?? "") && states[index]?.state === "running");
      },
      otherThan: (member) => members.find((each) => each !== member)!,
      openOn: (member) => openPostgres(urlAt(member.port), () => {}),
      logs: () => [etcd.machine, ...members.map((member) => member.machine)].map((machine) => `${machine.folder}:\n${machine.logs().slice(-logCharactersShownMax)}`).join("\n"),
      close,
    };
    for (const member of members) member.start();
    const { primary } = await cluster.untilPair();
    await prepareDatabase(primary, cluster.urlOf(primary));
    return cluster;
  } catch (error) {
    await close();
    throw error;
  }
}
