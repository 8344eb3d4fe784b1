import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { undescribedAnswer } from "./http/undescribed-answer.ts";

export type TestService = {
  /** Where it listens, without a slash at the end. */
  url: string;
  pid: number;
  dataDir: string;
  child: ChildProcess;
  /** Everything that it has printed so far, on both outputs. */
  logs(): string;
  /** Asks it to drain (SIGTERM) and gives its exit code; null when it had to be killed. May be called twice. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill9(): Promise<void>;
};

export type TestServiceSettings = {
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** Absent: a new folder that is deleted when the test process ends. */
  dataDir?: string | undefined;
  /** Absent: the service itself. */
  program?: string | undefined;
  /** Further settings; they win over the ones above. */
  env?: Record<string, string>;
};

const startMsMax = 30_000;
const stopMsMax = 30_000;
const main = new URL("../src/main.ts", import.meta.url).pathname;
/** Compares every answer with its description; not those of other versions, which were described otherwise. */
const answerWatch = new URL("./http/watch-answers.ts", import.meta.url).href;

/** The same for every node of a test: nodes of one installation share it. */
export const testSecretKey = "a-secret-that-only-tests-have-seen";

/** Only what is said here reaches the service: no setting of the machine may decide a test. */
export function serviceEnvironment(settings: TestServiceSettings & { dataDir: string }): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    // What one process has parsed and compiled the next one need not: a start takes half the time.
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

/** A folder that is gone when the test process is. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  folders.add(folder);
  return folder;
}

export type ServiceProcess = { child: ChildProcess; logs(): string; whenEnded: Promise<number | null> };

/** Starts the real program and waits for nothing. It ends with this process, however this one ends. */
export function spawnService(environment: Record<string, string>, program = main): ServiceProcess {
  // The channel is how the service notices that its parent is gone.
  const child = spawn(process.execPath, [...(program === main ? ["--import", answerWatch] : []), program], { env: environment, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  children.add(child);
  let printed = "";
  for (const output of [child.stdout!, child.stderr!]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (!text.includes(undescribedAnswer)) return;
      for (const line of text.split("\n").filter((each) => each.startsWith(undescribedAnswer))) undescribed.add(line);
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

/** A service that a failed test left behind must not keep its test process waiting. */
function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const output of [child.stdout, child.stderr]) (output as Socket | null)?.unref();
}

/** Starts the real server as a process of its own on a free port. */
export async function startService(settings: TestServiceSettings = {}): Promise<TestService> {
  const dataDir = settings.dataDir ?? makeTestFolder();
  const service = spawnService(serviceEnvironment({ ...settings, dataDir }), settings.program);
  const url = await waitForAddress(service);
  const { child, logs, whenEnded } = service;
  letGo(child);
  return {
    url,
    pid: child.pid!,
    dataDir,
    child,
    logs,
    async stop() {
      child.ref();
      child.kill("SIGTERM");
      const giveUp = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
      const code = await whenEnded;
      clearTimeout(giveUp);
      return code;
    },
    async kill9() {
      child.ref();
      child.kill("SIGKILL");
      await whenEnded;
    },
  };
}
