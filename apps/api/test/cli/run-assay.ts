import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { makeTestFolder, serviceEnvironment, type TestServiceSettings } from "../start-service.ts";

export type AssayResult = { code: number | null; stdout: string; stderr: string };

export type Assay = {
  /** Runs the real program until it exits. */
  run(...words: string[]): Promise<AssayResult>;
  /** Runs it with `--json`. It must succeed and print exactly one document to standard output. */
  json<Document>(...words: string[]): Promise<Document>;
  /** Runs a command that must fail, and returns its error line without `error: `. */
  refusal(...words: string[]): Promise<string>;
};

const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;
/** A shared compile cache halves the start time of each program. */
const compileCache = process.env.NODE_COMPILE_CACHE ?? makeTestFolder();
/** No command takes this long: a program that is still running did not close everything. */
const endMsMax = 60_000;

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

/** The CLI of one installation. */
export function assayOn(settings: TestServiceSettings & { dataDir: string }): Assay {
  const environment = { ...serviceEnvironment(settings), NODE_COMPILE_CACHE: compileCache };
  const run = (...words: string[]) => runToEnd(settings.program ?? main, words, environment);
  return {
    run,
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
