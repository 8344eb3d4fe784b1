import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clockEnvironment } from "../../../scripts/testing/shift-clock.ts";
import { undescribedAnswer } from "./http/undescribed-answer.ts";

export type TestService = {
  /** Where it listens, without a trailing slash. */
  url: string;
  pid: number;
  dataDir: string;
  child: ChildProcess;
  /** Everything printed so far to standard output and standard error. */
  logs(): string;
  /** Drains it (SIGTERM) and returns its exit code; null if it had to be killed. May be called twice. */
  stop(): Promise<number | null>;
  /** Kills it in the middle of whatever it does. What it wrote stays in the page cache: power-cut.ts takes that away too. */
  kill9(): Promise<void>;
};

export type TestServiceSettings = {
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** Default: a new folder that is deleted when the test process exits. */
  dataDir?: string | undefined;
  /** Default: the service itself. */
  program?: string | undefined;
  /** Further settings, which override the ones above. */
  env?: Record<string, string>;
};

/** Deadlines, not expectations: a machine that is busy with other tests is slow. */
const startMsMax = 120_000;
const stopMsMax = 60_000;
const main = new URL("../src/main.ts", import.meta.url).pathname;
/** Compares every answer with the service's own description of it. */
export const answerWatch = new URL("./http/watch-answers.ts", import.meta.url).href;

/** Shared by all nodes of a test, as in one installation. */
export const testSecretKey = "a-secret-that-only-tests-have-seen";

/** Only these variables reach the service, so that the machine's environment does not affect tests. */
export function serviceEnvironment(settings: TestServiceSettings & { dataDir: string }): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    ...clockEnvironment(),
    // A shared compile cache halves the start time.
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
    PORT: "0",
    LOG_LEVEL: "warn",
    DATA_DIR: settings.dataDir,
    ...(settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl, SECRET_KEY: testSecretKey }),
    ...(settings.redisUrl !== undefined && { REDIS_URL: settings.redisUrl }),
    ...settings.env,
  };
}

const compileCache = process.env.NODE_COMPILE_CACHE;
const folders = new Set<string>();
const children = new Set<ChildProcess>();
const undescribed = new Set<string>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  if (undescribed.size > 0) {
    process.stderr.write(`${[...undescribed].join("\n")}\n`);
    process.exitCode = 1;
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Lets this test file fail for the answers that a service reports in what it prints. */
export function noteUndescribed(printed: string): void {
  for (const line of printed.split("\n").filter((each) => each.startsWith(undescribedAnswer))) undescribed.add(line);
}

/** Creates a folder that is deleted when the test process exits. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  folders.add(folder);
  return folder;
}

export type ServiceProcess = { child: ChildProcess; logs(): string; whenEnded: Promise<number | null> };

/** Starts the real program without waiting. It exits with this process, in whatever way this one ends. */
export function spawnService(environment: Record<string, string>, program = main): ServiceProcess {
  // The service notices by the IPC channel that its parent is gone.
  const child = spawn(process.execPath, ["--import", answerWatch, program], { env: environment, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  children.add(child);
  let printed = "";
  for (const output of [child.stdout!, child.stderr!]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      noteUndescribed(text);
    });
  }
  const whenEnded = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code));
  });
  void whenEnded.then(() => children.delete(child));
  return { child, logs: () => printed, whenEnded };
}

async function waitForAddress({ child, logs, whenEnded }: ServiceProcess): Promise<string> {
  const found = () => /is ready at (\S+)/.exec(logs())?.[1];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.stdout!.on("data", () => found() !== undefined && resolve(found()));
  const timer = setTimeout(() => resolve(undefined), startMsMax);
  const address = await Promise.race([promise, whenEnded.then(() => undefined)]);
  clearTimeout(timer);
  if (address !== undefined) return address;
  child.kill("SIGKILL");
  await whenEnded;
  throw new Error(`the service did not start:\n${logs()}`);
}

/** A service that a failed test left running must not keep the test process alive. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const output of [child.stdout, child.stderr]) (output as Socket | null)?.unref();
}

/** Starts the real server as a separate process on a free port. */
export async function startService(settings: TestServiceSettings = {}): Promise<TestService> {
  const dataDir = settings.dataDir ?? makeTestFolder();
  const service = spawnService(serviceEnvironment({ ...settings, dataDir }), settings.program);
  const url = await waitForAddress(service);
  const { child, logs, whenEnded } = service;
  unrefChild(child);
  return {
    url,
    pid: child.pid!,
    dataDir,
    child,
    logs,
    async stop() {
      child.ref();
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      const code = await whenEnded;
      clearTimeout(killTimer);
      return code;
    },
    async kill9() {
      child.ref();
      child.kill("SIGKILL");
      await whenEnded;
    },
  };
}
