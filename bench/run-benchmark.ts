import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./start-child.ts";

/** Runs a benchmark to its end. The signal that ends a test asks it to exit, so that it can end the programs that it started. */
export async function runBenchmark(file: string, words: readonly string[], options: { cwd: string; signal: AbortSignal }): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(root, "bench", file), ...words], options);
  child.on("error", () => undefined);
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  return { code: await promise, output, errors };
}
