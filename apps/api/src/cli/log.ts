import type { Command } from "commander";
import { isoTime } from "../formats/time.ts";
import { readLogKeys, rotateLogKey } from "../money/ledger/log/log-keys.ts";
import { selectLogs } from "../money/ledger/log/log.table.ts";
import { defineCommand, defineFamily, type JsonOption, wholeNumber } from "./define-command.ts";
import { addLogEvidenceCommand } from "./log-evidence.ts";
import { addLogVerifyCommand } from "./log-verify.ts";
import type { WitnessOptions } from "./log-witness.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { openSealer } from "./secret-key.ts";
import { withStore } from "./with-store.ts";

async function runKey(options: JsonOption & { rotate?: true }): Promise<void> {
  const sealer = openSealer();
  const keys = await withStore(async ({ store, nowMs }) => {
    const open = await selectLogs(store.db).limit(1).executeTakeFirst();
    if (!open) throw new Refusal("there is no log yet: a running service opens it within seconds");
    const context = { store, sealer, nowMs: () => nowMs };
    if (options.rotate) await rotateLogKey(context);
    return readLogKeys(context, open.origin);
  });
  const shown = keys.map(({ vkey, createdMs, signsUntilMs }) => ({ vkey, created_at: isoTime(createdMs), signs_until: signsUntilMs === undefined ? null : isoTime(signsUntilMs) }));
  await (options.json ? printJson(shown) : printLines(shown.map(({ vkey, signs_until: until }) => (until === null ? vkey : `${vkey}  signs until ${until}`))));
}

async function startWitness(options: WitnessOptions): Promise<void> {
  // Loaded on demand: all other commands start faster without it.
  const { runWitness } = await import("./log-witness.ts");
  await runWitness(options);
}

function addWitnessCommand(family: Command): void {
  defineCommand(family, {
    name: "witness",
    summary: "be a witness for other installations' logs",
    example: "log witness --name witness.example.org/w1 --log https://assay.example.com",
  })
    .requiredOption("--name <name>", "the witness's name: an address without https://, which need not exist")
    .requiredOption("--log <log...>", "a log's key, a file with keys, or the address of an installation whose log is public")
    .option("--dir <folder>", "the folder of the witness's key and of what it has cosigned", "witness")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--port <port>", "the port to listen on; 0 for any", wholeNumber({ from: 0, to: 65_535 }), 8090)
    .action(startWitness);
}

export function addLogCommands(program: Command): void {
  const family = defineFamily(program, { name: "log", summary: "the log of all ledger entries that outsiders can check" });
  defineCommand(family, {
    name: "key",
    summary: "print or rotate the keys that sign the log",
    example: "log key --json",
  })
    .option("--rotate", "make a new key; the old one signs too for 30 days")
    .action(runKey);
  addLogVerifyCommand(family);
  addLogEvidenceCommand(family);
  addWitnessCommand(family);
}
