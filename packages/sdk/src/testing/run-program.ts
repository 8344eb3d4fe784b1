import { spawn } from "node:child_process";

const outputCharactersMax = 4 * 1024 * 1024;
/** A deadline, not an expectation: a machine that is busy with other tests is slow. */
const programMsMax = 600_000;

export type Run = { code: number | null; stdout: string; stderr: string };

/** Runs a program until it exits, or kills it after `programMsMax`. Standard input ends with `input`, when that is there. */
export function runProgram(program: string, programArguments: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv; input?: string | Promise<string> }): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, { cwd: options.cwd, env: options.env ?? process.env, timeout: programMsMax, killSignal: "SIGKILL" });
    const run: Run = { code: null, stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        if (run[name].length < outputCharactersMax) run[name] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...run, code }));
    child.stdin.on("error", () => {});
    void Promise.resolve(options.input ?? "").then((input) => child.stdin.end(input));
  });
}

/** Runs a program that must succeed, and returns its standard output. */
export async function runOrFail(...[program, programArguments, options]: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, programArguments, options);
  if (code !== 0) throw new Error(`${program} ${programArguments.join(" ")} exited with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}
