import type { Command } from "commander";
import { rotateTrackingKey } from "../ads/serving/rotate-tracking-key.ts";
import { isoTime } from "../formats/time.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { withStore } from "./with-store.ts";

async function runRotate(options: JsonOption): Promise<void> {
  const { id, createdMs } = await withStore(({ store, nowMs }) => rotateTrackingKey(store, { actorAccountId: null, nowMs }));
  if (options.json) return printJson({ id, created_at: isoTime(createdMs) });
  return printLines([`In 10 seconds key ${id} starts to sign tracking addresses; addresses signed before stay valid until they expire.`]);
}

export function addTrackingKeyCommands(program: Command): void {
  const family = defineFamily(program, { name: "tracking-key", summary: "keys that sign tracking addresses" });
  defineCommand(family, {
    name: "rotate",
    summary: "sign tracking addresses with a new key",
    example: "tracking-key rotate",
  }).action(runRotate);
}
