import { waitingReasons } from "@assay/contract/dashboard/waiting.ts";
import { type Command, Option } from "commander";
import { decideWaiting } from "../ads/clicks/decide-waiting-clicks.ts";
import { parseUsd, usdOf, usdText } from "../formats/money.ts";
import { allowWaiting } from "../money/unexamined/change-waiting.ts";
import { listUndecided } from "../money/unexamined/list-waiting.ts";
import type { WaitingReason } from "../store/schema-integrity.ts";
import { asOperator, type OperatorOption } from "./as-operator.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { printJson, printLines, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

type ByOperator = OperatorOption & { reason: string };

async function runList(options: JsonOption): Promise<void> {
  const { waiting } = await withStore(({ store }) => listUndecided(store));
  if (options.json) return printJson(waiting);
  return printLines([
    `What waits for a decision because nobody can examine it: ${waiting.length}.`,
    ...(waiting.length === 0
      ? []
      : ["", ...tableLines(["Id", "Account", "Day", "Reason", "USD", "Stated"], waiting.map((each) => [each.id, each.email ?? each.account_id, each.day, each.reason, usdText(each.developer_usd), each.statement ? "yes" : "no"]))]),
  ]);
}

function reasonOf({ reason }: ByOperator): string {
  if (reason.trim() === "") throw new Refusal("--reason must not be empty");
  return reason.trim();
}

async function runDecide(waitingId: string, options: ByOperator & { decision: "settled" | "reversed" }): Promise<void> {
  const { decision } = options;
  const reason = reasonOf(options);
  await asOperator(options, (store, actor) => decideWaiting(store, { waitingId, decision, reason, ...actor }));
  return options.json ? printJson({ id: waitingId, decision }) : printLines([`${waitingId} is ${decision}.`]);
}

async function runAllow(options: ByOperator & { email: string; for: WaitingReason; dailyUsd: string }): Promise<void> {
  const dailyMicroUsd = parseUsd(options.dailyUsd);
  if (dailyMicroUsd === undefined) throw new Refusal("--daily-usd must be an amount such as 5 or 12.50");
  const reason = reasonOf(options);
  const email = await asOperator(options, async (store, actor) => {
    const account = await findAccount(store, options.email);
    await allowWaiting(store, { accountId: account.id, waitingReason: options.for, dailyMicroUsd, reason, ...actor });
    return account.email;
  });
  const sum = usdOf(dailyMicroUsd);
  if (options.json) return printJson({ email, for: options.for, daily_usd: sum });
  return printLines([`Up to ${usdText(sum)} USD a day of ${email} settles by itself from now on (${options.for}).`]);
}

export function addWaitingCommands(program: Command): void {
  const family = defineFamily(program, { name: "waiting", summary: "earnings that nobody can examine, and that wait for a decision" });
  const define = (command: { name: string; summary: string; example: string }) =>
    defineCommand(family, command)
      .requiredOption("--reason <text>", "why: it is shown to the account and noted in the audit log")
      .option("--operator <address>", "the operator who does this; needed if there are several");
  defineCommand(family, { name: "list", summary: "list what waits, the largest first", example: "waiting list" }).action(runList);
  define({ name: "decide", summary: "settle or reverse it", example: "waiting decide wait_0Vb15o2Z000XQIg2XdJLd8 --decision settled --reason 'a load test'" })
    .argument("<waiting>", "its id")
    .addOption(new Option("--decision <decision>", "what becomes of it").choices(["settled", "reversed"]).makeOptionMandatory())
    .action(runDecide);
  define({ name: "allow", summary: "let it settle by itself up to a sum per day", example: "waiting allow --email dev@example.com --for unexamined --daily-usd 5 --reason 'a known monitor'" })
    .requiredOption("--email <address>", "the account's e-mail address")
    .addOption(new Option("--for <what>", "why it would wait").choices([...waitingReasons]).makeOptionMandatory())
    .requiredOption("--daily-usd <amount>", "the sum")
    .action(runAllow);
}
