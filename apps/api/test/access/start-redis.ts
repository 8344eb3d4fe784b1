import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RedisWaits } from "../../src/access/redis/open-redis.ts";
import { findFreePort } from "../find-free-port.ts";

export type RedisServer = { url: string; port: number; pid: number; stop(): Promise<void>; kill(): void };

type RedisStart = { options?: readonly string[]; sentinel?: string; folder?: string };

const startMsMax = 60_000;

/** For clients that must not lose a Redis that is only slow, as it may be on a busy machine. One that closes is lost at once. */
export const patientWaits: RedisWaits = { connectMs: 60_000, commandMs: 60_000, silenceMs: 60_000 };

/** The service with such clients. */
export const patientService = new URL("./patient-service.ts", import.meta.url).pathname;

/** The server that `npm test` found or installed; otherwise the one in PATH. */
const program = (): string => process.env.ASSAY_TEST_REDIS_SERVER || "redis-server";

/** Whether tests that need a real server can run here. */
export function hasRedisServer(): boolean {
  return spawnSync(program(), ["--version"], { stdio: "ignore" }).status === 0;
}

/** What it prints when it can be used. */
const readyLines = /Ready to accept connections|\+monitor master|Sentinel ID is/;

/**
 * Starts an empty server on loopback without persistence. It exits with this process at the latest. `options` are further
 * ones of redis-server, `sentinel` is the configuration of a Sentinel, which has no data, and `folder` is one that stays
 * when the server stops.
 */
export async function startRedis(port?: number, { options = [], sentinel, folder }: RedisStart = {}): Promise<RedisServer> {
  const chosenPort = port ?? (await findFreePort());
  const directory = folder ?? (await mkdtemp(join(tmpdir(), "assay-redis-")));
  const file = join(directory, "sentinel.conf");
  // A Sentinel writes what it learns into its configuration.
  if (sentinel !== undefined) await writeFile(file, sentinel);
  const place = ["--port", String(chosenPort), "--bind", "127.0.0.1", "--dir", directory];
  const all = sentinel === undefined ? [...place, "--save", "", "--appendonly", "no", ...options] : [file, "--sentinel", ...place];
  const child = spawn(program(), all, { stdio: ["ignore", "pipe", "ignore"] });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = (): void => void child.kill("SIGKILL");
  const onExit = (): void => {
    kill();
    if (folder === undefined) rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", onExit);
  const stop = async (): Promise<void> => {
    kill();
    await exited;
    process.removeListener("exit", onExit);
    if (folder === undefined) await rm(directory, { recursive: true, force: true });
  };

  let printed = "";
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      // After the start the output is discarded: the pipe only has to be drained.
      if (printed.length < 100_000) printed += text;
      if (readyLines.test(printed)) resolve(true);
    });
    void exited.then(() => resolve(false));
    setTimeout(() => resolve(false), startMsMax).unref();
  });
  if (!(await ready) || child.pid === undefined) {
    await stop();
    throw new Error(`redis-server did not start on port ${chosenPort}: ${printed || "is it installed?"}`);
  }
  return { url: `redis://127.0.0.1:${chosenPort}`, port: chosenPort, pid: child.pid, stop, kill };
}
