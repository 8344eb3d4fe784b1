import type { Command } from "commander";
import { defineCommand, defineFamily, wholeNumber } from "./define-command.ts";
import type { WitnessOptions } from "./log-witness.ts";

async function startWitness(options: WitnessOptions): Promise<void> {
  // Loaded on demand: all other commands start faster without it.
  const { runWitness } = await import("./log-witness.ts");
  await runWitness(options);
}

function addWitnessCommand(family: Command): void {
  defineCommand(family, {
    name: "witness",
    summary: "cosign the checkpoints of other installations, as a witness that each has one history",
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
  const family = defineFamily(program, { name: "log", summary: "the public log of the ledger" });
  addWitnessCommand(family);
}
