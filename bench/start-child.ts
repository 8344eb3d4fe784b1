import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);

export type BenchChild = { url: string; pid: number; residentMiB(): number; stop(): Promise<void> };

/** Starts a program and waits until it prints "is ready at URL". */
export async function startChild(program: string[], environment: Record<string, string> = {}): Promise<BenchChild> {
  const [file = "", ...rest] = program;
  // The same flag as `npm start`.
  const child = spawn(process.execPath, ["--max-semi-space-size=4", join(root, file), ...rest], {
    env: { ...process.env, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  process.once("exit", () => child.kill("SIGKILL"));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const found = /is ready at (http:\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`${file} exited with ${code}`)));
  });
  return {
    url,
    pid: child.pid!,
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
