import type { Command } from "commander";
import { isoTime } from "../formats/time.ts";
import { readLogKeys, rotateLogKey } from "../money/ledger/log/log-keys.ts";
import { selectLogs } from "../money/ledger/log/log.table.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { addLogEvidenceCommand } from "./log-evidence.ts";
import { addLogVerifyCommand } from "./log-verify.ts";
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

export function addLogCommands(program: Command): void {
  const family = defineFamily(program, { name: "log", summary: "the log of all ledger entries that outsiders can check" });
  defineCommand(family, {
    name: "key",
    summary: "print the keys that sign the log, or make a new one",
    example: "log key --json",
  })
    .option("--rotate", "make a new key; the old one signs too for 30 days")
    .action(runKey);
  addLogVerifyCommand(family);
  addLogEvidenceCommand(family);
}
