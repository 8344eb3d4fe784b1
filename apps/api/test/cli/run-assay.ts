import { type ChildProcess, fork, spawn } from "node:child_process";
import assert from "node:assert/strict";
import { once } from "node:events";
import { makeTestFolder, serviceEnvironment, type TestServiceSettings } from "../start-service.ts";

export type AssayResult = { code: number | null; stdout: string; stderr: string };

/** What command-process.ts is sent. */
export type CommandRequest = { words: string[]; environment: Record<string, string> };

export type Assay = {
  /** Runs a command until it ends, in a process that runs others after it. */
  run(...words: string[]): Promise<AssayResult>;
  /** Starts the program for this one command: for what only a process of its own shows. */
  spawn(...words: string[]): Promise<AssayResult>;
  /** Runs it with `--json`. It must succeed and print exactly one document to standard output. */
  json<Document>(...words: string[]): Promise<Document>;
  /** Runs a command that must fail, and returns its error line without `error: `. */
  refusal(...words: string[]): Promise<string>;
};

const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;
/** A shared compile cache halves the start time of each program. */
const compileCache = process.env.NODE_COMPILE_CACHE ?? makeTestFolder();
/** No command takes this long: a program that is still running did not close everything. */
const endMsMax = 120_000;

async function runToEnd(program: string, words: string[], environment: Record<string, string>): Promise<AssayResult> {
  const child = spawn(process.execPath, [program, ...words], { env: environment, stdio: ["ignore", "pipe", "pipe"], timeout: endMsMax });
  const result: AssayResult = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    result.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    result.stderr += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<AssayResult>();
  child.on("error", reject);
  child.on("close", (code) => resolve({ ...result, code }));
  return promise;
}

const commandProcess = new URL("./command-process.ts", import.meta.url);
const idle: ChildProcess[] = [];

function startCommandProcess(): ChildProcess {
  const child = fork(commandProcess, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, NODE_COMPILE_CACHE: compileCache } });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Concurrent commands get a process each, which then waits for the next command. */
async function runInTurn(request: CommandRequest): Promise<AssayResult> {
  const child = idle.pop() ?? startCommandProcess();
  child.ref();
  child.channel?.ref();
  child.send(request);
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const [outcome] = (await Promise.race([once(child, "message", { signal }), once(child, "exit", { signal })])) as [AssayResult | number | null];
    assert.ok(typeof outcome === "object" && outcome !== null, `the process ended while it ran ${request.words.join(" ")}`);
    idle.push(child);
    return outcome;
  } finally {
    ended.abort();
    // A test file ends when nothing runs any more.
    child.unref();
    child.channel?.unref();
  }
}

/** The CLI of one installation. */
export function assayOn(settings: TestServiceSettings & { dataDir: string }): Assay {
  const environment = { ...serviceEnvironment(settings), NODE_COMPILE_CACHE: compileCache };
  const { program } = settings;
  const runProgram = (...words: string[]) => runToEnd(program ?? main, words, environment);
  const run = program === undefined ? (...words: string[]) => runInTurn({ words, environment }) : runProgram;
  return {
    run,
    spawn: runProgram,
    async json<Document>(...words: string[]) {
      const { code, stdout, stderr } = await run(...words, "--json");
      assert.equal(stderr, "", `${words.join(" ")} wrote to standard error`);
      assert.equal(code, 0);
      return JSON.parse(stdout) as Document;
    },
    async refusal(...words) {
      const { code, stdout, stderr } = await run(...words, "--json");
      assert.equal(stdout, "", `${words.join(" ")} wrote to standard output although it failed`);
      assert.equal(code, 1);
      const [, line] = /^error: (.+)\n$/.exec(stderr) ?? [];
      assert.ok(line, `${words.join(" ")} did not print exactly one error line: ${stderr}`);
      return line;
    },
  };
}
