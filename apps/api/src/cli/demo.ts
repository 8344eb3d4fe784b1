import { currentModel } from "@assay/scoring/current-model.ts";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { isoTime } from "../formats/time.ts";
import { growthLimitsOf } from "../money/growth/read-growth.ts";
import { makePassword } from "../start/make-first-sign-ins.ts";
import { defineCommand, type JsonOption, wholeNumber } from "./define-command.ts";
import { makeDemo } from "./demo/make-demo.ts";
import { daysMax } from "./demo/plan-demo.ts";
import { printJson, printLines, showProgress } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

/** About: for the progress bar only. */
const callsPerDayOfShop = 330;
const callsOfOthers = 28_000;

async function runDemo(options: JsonOption & { days: number }): Promise<void> {
  const config = readConfig();
  if (!config.isLocal) throw new Refusal("demo traffic is for local trials: it is refused unless HOST, and PUBLIC_URL where it is set, are loopback addresses");
  const progress = showProgress(options.days * callsPerDayOfShop + callsOfOthers);
  const outcome = await withStore(({ store, nowMs }) =>
    makeDemo(store, {
      days: options.days,
      password: makePassword(),
      model: currentModel,
      payer: config.callPayer,
      retentionDays: config.sessionRetentionDays,
      ...growthLimitsOf(config),
      callHoldDays: config.callHoldDays,
      clickHoldDays: config.clickHoldDays,
      ...growthLimitsOf(config),
      minimumMicroUsd: config.payoutMinimumMicroUsd,
      nowMs,
      size: 1,
      random: Math.random,
      onProgress: progress.add,
    }),
  ).finally(() => progress.end());
  if (outcome.kind === "exists") throw new Refusal(`there is already a demo account: ${outcome.email}`);
  const { emails, password, calls, outcomes, fromMs } = outcome;
  if (options.json) return printJson({ email: emails[0], emails, password, calls, outcomes, from: isoTime(fromMs) });
  return printLines([
    `${calls} calls since ${isoTime(fromMs).slice(0, 10)}, ${outcomes} of them with an outcome. Their money is demo money: it is in no total, and nobody is sent any.`,
    `Sign in with the password ${password} as`,
    `  ${emails[0]}          a shop: calls, many of them attested, ads with clicks, a payout that waits for approval`,
    `  ${emails[1]}     a game that grew quickly: a part is payable, the rest waits for a review`,
    `  ${emails[2]}   a script that sends the same session again and again: a finding holds its money`,
    "As an operator: payout approve --all, payout export, payout mark-paid",
  ]);
}

export function addDemoCommand(program: Command): void {
  defineCommand(program, { name: "demo", summary: "create demo accounts with a past", example: "demo --days 30" })
    .option("--days <days>", "days of traffic; more if no month would be payable otherwise", wholeNumber({ from: 1, to: daysMax }), 30)
    .action(runDemo);
}
