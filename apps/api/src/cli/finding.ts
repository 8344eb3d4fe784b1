import { type Command, InvalidArgumentError, Option } from "commander";
import { usdOf, usdText } from "../formats/money.ts";
import { parseDay } from "../money/days/day-refs.ts";
import { openOperatorFinding, reopenFinding } from "../money/findings/change-finding.ts";
import { listFindings } from "../money/findings/list-findings.ts";
import { type Decision, decideFinding } from "../scoring/traffic/close-finding.ts";
import { asOperator, type OperatorOption } from "./as-operator.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { printJson, printLines, tableLines } from "./print.ts";
import { withStore } from "./with-store.ts";

async function runList(options: JsonOption & { email?: string; all?: true }): Promise<void> {
  const { findings } = await withStore(async ({ store, nowMs }) => {
    const accountId = options.email === undefined ? undefined : (await findAccount(store, options.email)).id;
    return listFindings(store, { accountId, nowMs });
  });
  const shown = options.all ? findings : findings.filter(({ closed_at: closedAt }) => closedAt === null);
  if (options.json) return printJson(shown);
  if (shown.length === 0) return printLines([options.all ? "There are no findings." : "No finding is open."]);
  return printLines(
    tableLines(
      ["Finding", "Account", "Code", "Opened", "State"],
      shown.map((each) => [each.id, each.email ?? each.account_id, each.code, each.opened_at.slice(0, 10), each.decision ?? (each.overdue ? "overdue" : "open")]),
    ),
  );
}

async function runOpen(options: OperatorOption & { email: string; reason: string; days?: string[] }): Promise<void> {
  const { findingId } = await asOperator(options, async (store, actor) => {
    const { id: accountId } = await findAccount(store, options.email);
    return openOperatorFinding(store, { accountId, reason: options.reason, days: options.days ?? [], ...actor });
  });
  return options.json ? printJson({ id: findingId, email: options.email }) : printLines([`${findingId} holds the money of ${options.email} until it is decided.`]);
}

type DecideOptions = OperatorOption & { decision: Decision["decision"]; reason: string; reverse?: Exclude<Decision["reverse"], undefined> };

async function runDecide(findingId: string, options: DecideOptions): Promise<void> {
  const { decision, reason, reverse } = options;
  const reversed = await asOperator(options, (store, actor) => decideFinding(store, { findingId, decision, reason, reverse, ...actor }));
  const usd = usdOf(reversed.developerMicroUsd);
  if (options.json) return printJson({ id: findingId, decision, reversed_calls: reversed.calls, reversed_usd: usd });
  return printLines([`${findingId} is ${decision}. Calls reversed: ${reversed.calls}, ${usdText(usd)} USD.`]);
}

async function runReopen(findingId: string, options: OperatorOption & { reason: string }): Promise<void> {
  await asOperator(options, (store, actor) => reopenFinding(store, { findingId, reason: options.reason, ...actor }));
  return options.json ? printJson({ id: findingId, decision: null }) : printLines([`${findingId} is open again.`]);
}

/** Commas separate them. */
function parseDays(text: string): string[] {
  const days = text.split(",");
  if (days.some((day) => parseDay(day) === undefined)) throw new InvalidArgumentError("It must be days such as 2026-01-30,2026-01-31.");
  return days;
}

export function addFindingCommands(program: Command): void {
  const family = defineFamily(program, { name: "finding", summary: "what looks wrong in an account's traffic, and holds its money" });
  const define = (command: { name: string; summary: string; example: string }) =>
    defineCommand(family, command).option("--operator <address>", "the operator who does this; needed if there are several");
  const example = "find_0Vb15o2Z000XQIg2XdJLd8";
  defineCommand(family, { name: "list", summary: "list open findings, the oldest first", example: "finding list" })
    .option("--email <address>", "of one account")
    .option("--all", "decided ones too")
    .action(runList);
  define({ name: "open", summary: "open a finding of your own", example: "finding open --email dev@example.com --reason 'bought visits'" })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--reason <text>", "what was found: it is mailed to the account")
    .option("--days <days>", "the days (UTC) that it is about, separated by commas", parseDays)
    .action(runOpen);
  define({ name: "decide", summary: "decide an open finding", example: `finding decide ${example} --decision dismissed --reason 'a school class'` })
    .argument("<finding>", "its id")
    .addOption(new Option("--decision <decision>", "whether it is right").choices(["upheld", "dismissed"]).makeOptionMandatory())
    .requiredOption("--reason <text>", "why: it is mailed to the account and noted in the audit log")
    .addOption(new Option("--reverse <what>", "of its days that are pending: the sessions that it is about (the default if it is upheld), the days as a whole, or nothing").choices(["sessions", "days", "nothing"]))
    .action(runDecide);
  define({ name: "reopen", summary: "take a decision back", example: `finding reopen ${example} --reason 'new evidence'` })
    .argument("<finding>", "its id")
    .requiredOption("--reason <text>", "why: it is mailed to the account")
    .action(runReopen);
}
