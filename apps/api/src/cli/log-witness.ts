import { ed25519Type, parseVerifierKey, type VerifierKey } from "@assay/tlog/note.ts";
import { parsePolicy } from "@assay/tlog/policy.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { explain } from "../failure/failure.ts";
import type { WitnessAnswer } from "../money/ledger/log/witness/cosign-checkpoint.ts";
import { readBounded } from "../money/ledger/log/witness/read-bounded.ts";
import { serveWitness } from "../money/ledger/log/witness/serve-witness.ts";
import { readOrMakeWitnessKey, WitnessKeyError } from "../money/ledger/log/witness/witness-key.ts";
import { openWitnessMemory } from "../money/ledger/log/witness/witness-memory.ts";
import type { JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { explainFileError, Refusal } from "./refusal.ts";

export type WitnessOptions = JsonOption & { name: string; log: string[]; dir: string; host: string; port: number };

const keyBytesMax = 16 * 1024;
const fetchMsMax = 10_000;

/** Keys as `GET /log/key` and `assay log key` print them are lines of a policy without their first word. */
const toPolicy = (text: string): string => text.replaceAll(/^[^\s#]*\+\S*$/gm, "log $&");

async function fetchKeys(url: string): Promise<string> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/log/key`, { redirect: "error", signal: AbortSignal.timeout(fetchMsMax) }).catch((error: Error) => {
    throw new Refusal(`${url} does not answer: ${explain(error.cause ?? error)}`);
  });
  const text = await readBounded(response.body, keyBytesMax);
  if (response.status !== 200 || text === undefined) {
    throw new Refusal(`${url}/log/key answered ${response.status}: its log is not public, so ask its operator for "assay log key" and use that with --log`);
  }
  return text;
}

/** A log is named by its key, a file with keys, or the address of an installation whose log is public. */
async function readLogKeys(log: string): Promise<VerifierKey[]> {
  try {
    if (/^https?:\/\//.test(log)) return (await parsePolicy(toPolicy(await fetchKeys(log)))).logs.map(({ key }) => key);
    if (/^[^/\\.].*\+[0-9a-f]{8}\+/.test(log)) {
      const key = await parseVerifierKey(log);
      if (key.type !== ed25519Type) throw new Refusal(`${log} is the key of a witness, not of a log`);
      return [key];
    }
    return (await parsePolicy(toPolicy(readFileSync(log, "utf8")))).logs.map(({ key }) => key);
  } catch (error) {
    if (error instanceof TlogError) throw new Refusal(`${log}: ${error.message}`);
    throw explainFileError(error as Error, log);
  }
}

function reportRefusal(answer: WitnessAnswer): void {
  if (answer.kind !== "inconsistent") return;
  const kept = answer.isContradiction ? "; it and the one cosigned before are kept as evidence (table contradictions in witness.sqlite)" : "";
  process.stderr.write(`refused: a checkpoint of ${answer.origin} with size ${answer.size} does not continue the log that this witness has seen${kept}\n`);
}

export async function runWitness({ name, log: logs, dir, host, port, json }: WitnessOptions): Promise<void> {
  const logKeys = (await Promise.all(logs.map(readLogKeys))).flat();
  if (logKeys.length === 0) throw new Refusal("--log names no log: give its key, a file with keys, or the address of an installation");
  const folder = resolve(dir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const key = await readOrMakeWitnessKey(join(folder, "witness.key"), name);
    const memory = openWitnessMemory(join(folder, "witness.sqlite"));
    const onError = (error: unknown) => void process.stderr.write(`error: ${explain(error)}\n`);
    const witness = await serveWitness({ key, logKeys, memory, nowMs: Date.now }, { host, port, onAnswer: reportRefusal, onError });
    const stop = async () => {
      await witness.stop();
      memory.close();
      process.exit(0);
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop());
    const origins = [...new Set(logKeys.map(({ name: origin }) => origin))];
    if (json) return await printJson({ address: witness.address, name, key: key.vkey, logs: origins });
    await printLines([
      `Witness ${name} listens on ${witness.address} for ${origins.join(", ")}.`,
      `Its key is in ${join(folder, "witness.key")}, and what it has cosigned in ${join(folder, "witness.sqlite")}: back up both, and never restore the second.`,
      "The line for LOG_WITNESSES of an installation, with the address under which it reaches this witness:",
      `witness ${name} ${key.vkey} ${witness.address}`,
    ]);
  } catch (error) {
    if (error instanceof WitnessKeyError) throw new Refusal(error.message);
    if (error instanceof TlogError) throw new Refusal(`--name ${name}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" || code === "EACCES") throw new Refusal(`port ${port} on ${host} cannot be used (${code})`);
    throw explainFileError(error as Error, folder);
  }
}
