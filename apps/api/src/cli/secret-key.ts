import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { describeResealed, resealSecrets } from "../operations/reseal-secrets.ts";
import { createSealer, type Sealer } from "../secrets/sealer.ts";
import { readSecretFile } from "../transfer/backup/store-files.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

/** Undefined while the installation has no secret. */
export function findSealer(): Sealer | undefined {
  const config = readConfig();
  const secretKey = config.secretKey ?? readSecretFile(config.dataDir);
  return secretKey === undefined ? undefined : createSealer({ secretKey, previous: config.previousSecretKeys });
}

export function openSealer(): Sealer {
  const sealer = findSealer();
  if (!sealer) throw new Refusal("this installation has no secret yet: set SECRET_KEY, or start the service once");
  return sealer;
}

async function runReseal(options: JsonOption): Promise<void> {
  const sealer = openSealer();
  const outcome = await withStore(({ store, nowMs }) => resealSecrets(store, { sealer, nowMs, isOver: () => false, isUpgradeOver: true }));
  await (options.json ? printJson(outcome) : printLines([`${describeResealed(outcome)}.`]));
  if (outcome.left > 0 || outcome.unreadable > 0) throw new Refusal("something is left: keep SECRET_KEY_PREVIOUS, and see docs/operating.md");
}

export function addSecretKeyCommands(program: Command): void {
  const family = defineFamily(program, { name: "secret-key", summary: "the secret that encrypts what the store keeps" });
  defineCommand(family, {
    name: "reseal",
    summary: "encrypt with SECRET_KEY what old keys did",
    example: "secret-key reseal --json",
  }).action(runReseal);
}
