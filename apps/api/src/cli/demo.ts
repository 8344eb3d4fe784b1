import { currentModel } from "@assay/scoring/current-model.ts";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { isoTime } from "../formats/time.ts";
import { makePassword } from "../start/make-first-sign-ins.ts";
import { defineCommand, type JsonOption, wholeNumber } from "./define-command.ts";
import { makeDemo } from "./demo/make-demo.ts";
import { printJson, printLines, showProgress } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

const daysMax = 90;
const callsPerDayAbout = 300;

async function runDemo(options: JsonOption & { days: number }): Promise<void> {
  const { isLocal, callPayer: payer, sessionRetentionDays: retentionDays } = readConfig();
  if (!isLocal) throw new Refusal("demo traffic is for local trials: it is refused unless HOST, and PUBLIC_URL where it is set, are loopback addresses");
  const progress = showProgress(options.days * callsPerDayAbout);
  const outcome = await withStore(({ store, nowMs }) =>
    makeDemo(store, {
      days: options.days,
      password: makePassword(),
      model: currentModel,
      payer,
      retentionDays,
      nowMs,
      random: Math.random,
      onProgress: progress.add,
    }),
  ).finally(() => progress.end());
  if (outcome.kind === "exists") throw new Refusal(`there is already a demo account: ${outcome.email}`);
  const { email, password, calls, outcomes, fromMs } = outcome;
  if (options.json) return printJson({ email, password, calls, outcomes, from: isoTime(fromMs) });
  return printLines([
    `${calls} calls since ${isoTime(fromMs).slice(0, 10)}, ${outcomes} of them with an outcome. No total includes them, and they are never paid out.`,
    `Sign in as ${email} with the password ${password}`,
  ]);
}

export function addDemoCommand(program: Command): void {
  defineCommand(program, { name: "demo", summary: "create a flagged demo account with past traffic", example: "demo --days 30" })
    .option("--days <days>", "days of traffic", wholeNumber({ from: 1, to: daysMax }), 30)
    .action(runDemo);
}
