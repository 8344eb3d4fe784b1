import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../find-free-port.ts";

export type RedisServer = { url: string; port: number; pid: number; stop(): Promise<void>; kill(): void };

const startMsMax = 60_000;

/** The server that `npm test` found or installed; otherwise the one in PATH. */
const program = (): string => process.env.ASSAY_TEST_REDIS_SERVER || "redis-server";

/** Whether tests that need a real server can run here. */
export function hasRedisServer(): boolean {
  return spawnSync(program(), ["--version"], { stdio: "ignore" }).status === 0;
}

/** Starts an empty server on loopback without persistence. It exits with this process at the latest. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const chosenPort = port ?? (await findFreePort());
  const directory = await mkdtemp(join(tmpdir(), "assay-redis-"));
  const child = spawn(
    program(),
    ["--port", String(chosenPort), "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = (): void => void child.kill("SIGKILL");
  const onExit = (): void => {
    kill();
    rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", onExit);
  const stop = async (): Promise<void> => {
    kill();
    await exited;
    process.removeListener("exit", onExit);
    await rm(directory, { recursive: true, force: true });
  };

  let printed = "";
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      // After the start the output is discarded: the pipe only has to be drained.
      if (printed.length < 100_000) printed += text;
      if (printed.includes("Ready to accept connections")) resolve(true);
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
