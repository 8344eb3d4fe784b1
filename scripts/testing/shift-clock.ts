// Another day for tests, services and databases: shifted-clock.c says how.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findReachableFolder } from "../../apps/api/test/start-postgres.ts";

const source = join(import.meta.dirname, "shifted-clock.c");
const clockVariables = ["LD_PRELOAD", "ASSAY_TEST_CLOCK_SECONDS", "TZ"];

/** Which day it is for this process, as variables for a child whose environment is built from nothing. */
export function clockEnvironment(): Record<string, string> {
  if (process.env.ASSAY_TEST_CLOCK_SECONDS === undefined) return {};
  return Object.fromEntries(clockVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

/** Whatever starts in the returned environment lives at `at`, such as 2028-02-29T23:58:00Z; the time goes on from there. */
export function shiftClock(environment: NodeJS.ProcessEnv, at: string): NodeJS.ProcessEnv {
  const atMs = /T.*Z$/.test(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(atMs)) throw new Error(`${at} is not a time in UTC, such as 2028-02-29T23:58:00Z`);
  const library = compileClock(environment.ASSAY_TEST_CXX || "g++");
  const nowSeconds = Math.floor(Date.now() / 1_000) - Number(process.env.ASSAY_TEST_CLOCK_SECONDS ?? 0);
  // A distance from the machine's clock, so that processes agree that start one after the other.
  return { ...environment, LD_PRELOAD: library, ASSAY_TEST_CLOCK_SECONDS: String(Math.floor(atMs / 1_000) - nowSeconds) };
}

/** Into a folder that PostgreSQL's user can read, which is gone when this process ends. */
function compileClock(compiler: string): string {
  if (process.platform !== "linux") throw new Error("the clock can be shifted on Linux only");
  const folder = mkdtempSync(join(findReachableFolder(), "assay-clock-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const library = join(folder, "shifted-clock.so");
  const { error, status, stderr } = spawnSync(compiler, ["-x", "c", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source], { encoding: "utf8" });
  if (error) throw new Error(`the clock cannot be shifted without a C compiler (Debian: apt-get install g++): ${error.message}`);
  if (status !== 0) throw new Error(`shifted-clock.c cannot be compiled:\n${stderr}`);
  return library;
}
