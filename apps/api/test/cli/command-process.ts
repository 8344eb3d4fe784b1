/**
 * Runs commands one after the other, each as if the program had been started for it: run-assay.ts starts this file once
 * and sends it the words and the environment. Starting Node for every command takes longer than the command.
 */
import { setImmediate } from "node:timers/promises";
import { runCommand } from "../../src/cli/run-command.ts";
import type { AssayResult, CommandRequest } from "./run-assay.ts";

/** A function, because the type checker believes what was assigned last. */
const readExitCode = (): number => Number(process.exitCode ?? 0);

const settleMsMax = 60_000;
/** What keeps a process from ending, besides the wait below. */
const listOpen = (): string[] => process.getActiveResourcesInfo().filter((name) => name !== "Immediate");

/** What would keep a program from ending after its command. Closing takes a moment. */
async function findLeftOpen(openBefore: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + settleMsMax;
  for (;;) {
    const open = listOpen();
    if (open.length <= openBefore.length) return [];
    if (performance.now() > deadline) return open;
    await setImmediate();
  }
}

async function run({ words, environment }: CommandRequest): Promise<AssayResult> {
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let code: number | undefined;
  const { stdout, stderr, exit } = process;
  const writes = [stdout.write, stderr.write] as const;
  const gatherInto = (chunks: Buffer[]) =>
    ((chunk: string, encoding?: BufferEncoding): boolean => {
      // What follows `exit` is never seen.
      if (code === undefined) chunks.push(Buffer.from(chunk, encoding));
      return true;
    }) as typeof stdout.write;
  stdout.write = gatherInto(printed.stdout);
  stderr.write = gatherInto(printed.stderr);
  process.env = { ...environment };
  process.exitCode = undefined;
  process.exit = (given) => {
    code ??= Number(given ?? readExitCode());
    throw new Error("the program has ended");
  };
  const openBefore = listOpen();
  await runCommand(words);
  const leftOpen = code === undefined ? await findLeftOpen(openBefore) : [];
  code ??= readExitCode();
  [stdout.write, stderr.write] = writes;
  process.exit = exit;
  process.exitCode = undefined;
  if (leftOpen.length > 0) throw new Error(`${words.join(" ")} left open: ${leftOpen.join(", ")}`);
  const textOf = (chunks: Buffer[]): string => Buffer.concat(chunks).toString("utf8");
  return { code, stdout: textOf(printed.stdout), stderr: textOf(printed.stderr) };
}

process.on("message", (request: CommandRequest) => void run(request).then((result) => process.send!(result)));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
