import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type RedisServer, startRedis } from "../../access/start-redis.ts";
import { send, waitUntil } from "../../send.ts";
import { joinPostgres } from "../../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../../start-service.ts";
import { childrenOf } from "./npm-start.ts";

const backMsMax = 120_000;

/** PostgreSQL and Redis, and services with several workers on them. */
export type WorkersRig = {
  store: Store;
  databaseUrl: string;
  redis: RedisServer;
  start(env?: Record<string, string>): Promise<TestService>;
  close(): Promise<void>;
};

export async function openWorkersRig(): Promise<WorkersRig> {
  const [postgres, redis] = await Promise.all([joinPostgres(), startRedis()]);
  const databaseUrl = await postgres.newDatabase();
  const { store } = await openStore({ databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} });
  const started: TestService[] = [];
  return {
    store,
    databaseUrl,
    redis,
    async start(env = {}) {
      const service = await startService({ databaseUrl, redisUrl: redis.url, env: { WORKERS: "2", ...env } });
      started.push(service);
      return service;
    },
    async close() {
      await Promise.all(started.map((service) => service.kill9()));
      await store.close();
      await redis.stop();
      await postgres.stop();
    },
  };
}

export const workerPidsOf = ({ pid }: TestService): number[] => childrenOf(pid).map((each) => each.pid);

type Workers = { configured: number; ready: number; restarts: number };

export const readWorkers = async (service: { url: string }): Promise<Workers> => (await send(service, "/api/status")).json()["workers"] as Workers;

/** Waits until so many workers were started again, and all of them serve. */
export const untilRestarted = (service: { url: string }, restarts: number): Promise<void> =>
  waitUntil(
    async () => {
      const workers = await readWorkers(service).catch(() => undefined);
      return workers?.restarts === restarts && workers.ready === workers.configured;
    },
    `${restarts} workers were started again`,
    backMsMax,
  );

/** The callers' ports of a process's open connections to a port, from /proc. */
export function callersOf(pid: number, port: number): Set<number> {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // It was closed in the meantime.
      }
    }),
  );
  const portOf = (address: string) => Number.parseInt(address.split(":")[1]!, 16);
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1).map((row) => row.trim().split(/\s+/));
  const open = rows.filter(([, local, , state, , , , , , inode]) => inode !== undefined && state !== "0A" && portOf(local!) === port && inodes.has(inode));
  return new Set(open.map(([, , remote]) => portOf(remote!)));
}
