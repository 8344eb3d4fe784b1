import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { changeHold, holdRefusalTexts } from "../money/holds/change-hold.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

type HoldOptions = JsonOption & { email: string; reason: string; lift?: true; operator?: string };

async function runHold(options: HoldOptions): Promise<void> {
  const { account, outcome } = await withStore(async ({ store, nowMs }) => {
    const found = await findAccount(store, options.email);
    const operator = await findOperator(store, options.operator);
    const change = { accountId: found.id, to: options.lift ? ("lift" as const) : ("open" as const), reason: options.reason };
    return { account: found, outcome: await changeHold(store, { ...change, actorAccountId: operator.accountId, fourEyes: readConfig().payoutFourEyes, nowMs }) };
  });
  if (outcome.kind !== "opened" && outcome.kind !== "lifted") throw new Refusal(holdRefusalTexts[outcome.kind]);
  const lifted = outcome.kind === "lifted" ? outcome.lifted : [];
  if (options.json) return printJson({ account_id: account.id, email: account.email, outcome: outcome.kind, lifted });
  return printLines([
    outcome.kind === "opened" ? `The money of ${account.email} is on hold.` : `Lifted for ${account.email}: the hold of kind ${lifted.join(" and ")}.`,
  ]);
}

export function addHoldCommand(program: Command): void {
  defineCommand(program, {
    name: "hold",
    summary: "hold an account's money, or lift its holds",
    example: "hold --email dev@example.com --reason 'traffic under review'",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--reason <text>", "why: it is mailed to the account and noted in the audit log")
    .option("--lift", "lift the holds that are open")
    .option("--operator <address>", "the operator who does this; needed if there are several")
    .action(runHold);
}
