import { type Command, InvalidArgumentError } from "commander";
import { readConfig } from "../config.ts";
import { Failure } from "../failure/failure.ts";
import { usdText } from "../formats/money.ts";
import { parseDay } from "../money/days/day-refs.ts";
import { describeReversed } from "../money/days/describe-days.ts";
import { type CallsToReverse, reverseCalls } from "../money/days/reverse-calls.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

type ReverseOptions = JsonOption & { email: string; day?: string; fromSession?: string; toSession?: string; reason: string; operator?: string };

function checkDay(text: string): string {
  if (parseDay(text) === undefined) throw new InvalidArgumentError("It must be a day such as 2026-01-31.");
  return text;
}

function callsOf({ day, fromSession, toSession }: ReverseOptions): CallsToReverse {
  if (day !== undefined && fromSession === undefined && toSession === undefined) return { day };
  if (day === undefined && fromSession !== undefined && toSession !== undefined) return { from_session: fromSession, to_session: toSession };
  throw new Refusal("name either --day, or both --from-session and --to-session");
}

async function runReverse(options: ReverseOptions): Promise<void> {
  const calls = callsOf(options);
  const { account, document } = await withStore(async ({ store, nowMs }) => {
    const found = await findAccount(store, options.email);
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    const order = { accountId: found.id, calls, reason: options.reason, actorAccountId, fourEyes: readConfig().payoutFourEyes, nowMs };
    const reversed = await reverseCalls(store, order).catch((error: Error) => {
      throw error instanceof Failure && error.code === "invalid_request" ? new Refusal(error.message) : error;
    });
    return { account: found, document: describeReversed(reversed) };
  });
  if (options.json) return printJson({ account_id: account.id, email: account.email, ...document });
  return printLines([
    ...document.reversals.map((each) => `${each.ref}: ${each.calls} calls, ${usdText(each.developer_usd)} USD (entry ${each.seq})`),
    `Taken back from ${account.email}: ${usdText(document.developer_usd)} USD for ${document.calls} calls.`,
    ...(document.skipped_calls > 0 ? [`${document.skipped_calls} calls of the range could not be reversed.`] : []),
  ]);
}

export function addReverseCommand(program: Command): void {
  defineCommand(program, {
    name: "reverse",
    summary: "take back what an account's pending calls earned",
    example: "reverse --email dev@example.com --day 2026-01-31 --reason 'calls made by a script'",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .option("--day <YYYY-MM-DD>", "what is left of one day (UTC)", checkDay)
    .option("--from-session <id>", "the first session of a range")
    .option("--to-session <id>", "its last session")
    .requiredOption("--reason <text>", "why: it is mailed to the account, shown on its statement, and noted in the audit log")
    .option("--operator <address>", "the operator who acts; not needed where there is one")
    .action(runReverse);
}
