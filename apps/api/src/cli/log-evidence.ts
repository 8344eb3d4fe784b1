import { readFile } from "node:fs/promises";
import { type Judgement, judgeEvidence } from "@assay/tlog/evidence.ts";
import { checkpointOf } from "@assay/tlog/follow-log.ts";
import { parseProof } from "@assay/tlog/proof.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import type { Command } from "commander";
import { readPastLogKeys } from "../money/ledger/log/log-keys.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { openSealer } from "./secret-key.ts";
import { withStore } from "./with-store.ts";

const read = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${path} cannot be read (${error.code})`);
  });

/** For an installation that judges its own log. */
async function readOwnKeys(proof: string): Promise<string[]> {
  const { origin } = checkpointOf(parseProof(proof).checkpointNote);
  const sealer = openSealer();
  return withStore(({ store, nowMs }) => readPastLogKeys({ store, sealer, nowMs: () => nowMs }, origin));
}

async function judge(proofs: [string, string], logKey: string[] | undefined): Promise<Judgement> {
  try {
    return await judgeEvidence(...proofs, { logKeys: logKey ?? (await readOwnKeys(proofs[0])), witnessKeys: [] });
  } catch (error) {
    if (error instanceof TlogError) return { proves: false, code: "invalid_proof", sentence: error.message };
    throw error;
  }
}

async function runEvidence(pathA: string, pathB: string, options: JsonOption & { logKey?: string[] }): Promise<void> {
  const judgement = await judge([await read(pathA), await read(pathB)], options.logKey);
  const { proves, code, sentence } = judgement;
  const entries = judgement.proves ? judgement.proofs.map(({ receipt }) => ({ account_id: receipt.accountId, seq: receipt.seq, hash: receipt.hash })) : [];
  if (options.json) await printJson({ proves_fraud: proves, code, sentence, entries });
  else await printLines(proves ? [`FRAUD is proved. ${sentence}`, ...entries.map(({ seq, hash }) => `  ${seq}.${hash}`)] : [`This proves nothing. ${sentence}`]);
  if (!proves) process.exitCode = 1;
}

export function addLogEvidenceCommand(family: Command): void {
  defineCommand(family, {
    name: "evidence",
    summary: "judge whether two proofs contradict each other",
    example: "log evidence before.tlog-proof after.tlog-proof --log-key assay.example.com/assay/Ab3dEf9h+82360c59+AQ…",
  })
    .argument("<a>", "a proof, as GET /api/ledger/proof or the SDK gave it")
    .argument("<b>", "the other one")
    .option("--log-key <key...>", "the log's public key; without one, the keys of this installation")
    .action(runEvidence);
}
