import type { Command } from "commander";
import { defineFamily } from "./define-command.ts";
import { addLogEvidenceCommand } from "./log-evidence.ts";
import { addLogVerifyCommand } from "./log-verify.ts";

export function addLogCommands(program: Command): void {
  const family = defineFamily(program, { name: "log", summary: "the public log of the ledger" });
  addLogVerifyCommand(family);
  addLogEvidenceCommand(family);
}
