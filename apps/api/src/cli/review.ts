import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { parseUsd, usdOf, usdText } from "../formats/money.ts";
import { listReviews } from "../money/payouts/list-reviews.ts";
import { growthLimitsOf } from "../money/growth/read-growth.ts";
import { reviewRefusalTexts, setReview } from "../money/growth/set-review.ts";
import { readStanding } from "../scoring/traffic/read-integrity.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { listBeforeUpgrade } from "./review-before-upgrade.ts";
import { withStore } from "./with-store.ts";

async function runList(options: JsonOption): Promise<void> {
  const config = readConfig();
  const reviews = await withStore(({ store, nowMs }) => listReviews(store, { ...growthLimitsOf(config), minimumMicroUsd: config.payoutMinimumMicroUsd, readStanding, nowMs }));
  if (options.json) return printJson(reviews);
  const { waiting, reviewed } = reviews;
  return printLines([
    `Accounts whose money waits for a review: ${waiting.length}. Accounts that were reviewed: ${reviewed.length}.`,
    ...(waiting.length === 0 ? [] : [""]),
    ...(waiting.length === 0
      ? []
      : tableLines(
          ["Account", "Waits, USD", "Since", "Suggested, USD per month", "Evidence", "Notices"],
          waiting.map((each) => [each.email, usdText(each.waiting_usd), each.since_month, usdText(each.suggested_monthly_usd), each.evidence.toPrecision(3), each.notices.join(" ")]),
        )),
  ]);
}

type SetOptions = JsonOption & { email: string; monthlyUsd: string; reason: string; operator?: string };

async function runSet(options: SetOptions): Promise<void> {
  const monthlyMicroUsd = parseUsd(options.monthlyUsd);
  if (monthlyMicroUsd === undefined) throw new Refusal("--monthly-usd must be an amount such as 2000 or 349.50");
  const reason = options.reason.trim();
  if (reason === "") throw new Refusal("--reason must not be empty");
  const outcome = await withStore(async ({ store, nowMs }) => {
    const { id: accountId } = await findAccount(store, options.email);
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    return setReview(store, { accountId, monthlyMicroUsd, reason, actorAccountId, fourEyes: readConfig().payoutFourEyes, nowMs });
  });
  if (outcome.kind !== "reviewed") throw new Refusal(reviewRefusalTexts[outcome.kind]);
  const { email } = outcome;
  if (options.json) return printJson({ email, monthly_usd: usdOf(monthlyMicroUsd), reason });
  return printLines([`Calls and clicks of ${email} can make up to ${usdText(usdOf(monthlyMicroUsd))} USD payable per month.`]);
}

export function addReviewCommands(program: Command): void {
  const family = defineFamily(program, { name: "review", summary: "accounts that earned more than may be paid out unreviewed" });
  defineCommand(family, { name: "list", summary: "list what waits for a review, the oldest first", example: "review list" })
    .option("--before-upgrade", "on a store that is not migrated yet: list accounts to hold first; changes nothing")
    .action((options: JsonOption & { beforeUpgrade?: true }) => (options.beforeUpgrade ? listBeforeUpgrade(options) : runList(options)));
  defineCommand(family, {
    name: "set",
    summary: "set what may become payable per month",
    example: "review set --email dev@example.com --monthly-usd 2000 --reason 'a shop that we know'",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--monthly-usd <amount>", "the sum, from the latest month that is due on")
    .requiredOption("--reason <text>", "why: it is mailed to the account and noted in the audit log")
    .option("--operator <address>", "the operator who does this; needed if there are several")
    .action(runSet);
}
