import type { Balance } from "@assay/contract/balance.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { usdText } from "../formats/money.ts";
import { growthLimitsOf } from "../money/growth/read-growth.ts";
import { createBalances } from "../money/payouts/read-balance.ts";
import { makeStatement, monthOf } from "../money/statements/make-statement.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { pairLines, printJson, printLines, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

function statementLines(email: string, statement: StatementReply, balance: Balance): string[] {
  const cellsOf = (amounts: Pick<StatementReply, "calls" | "gross_usd" | "developer_usd" | "platform_usd">) => [
    String(amounts.calls),
    usdText(amounts.gross_usd),
    usdText(amounts.developer_usd),
    usdText(amounts.platform_usd),
  ];
  const header = ["Endpoint", "Paid by", "Share", "Calls", "Gross USD", "Developer USD", "Platform USD"];
  const rows = statement.lines.map((line) => [line.endpoint, line.payer, `${line.share_percent}%`, ...cellsOf(line)]);
  const settlement = statement.calls_settlement;
  return [
    `Statement of ${email} for ${statement.month} (UTC)`,
    "",
    ...tableLines(header, [...rows, ["Total", "", "", ...cellsOf(statement)]]),
    "",
    ...pairLines({
      "Opening balance": `${usdText(statement.opening_balance_usd)} USD`,
      "Share of calls": `${usdText(statement.developer_usd)} USD`,
      ...(settlement && { "Calls that the platform pays": `${usdText(settlement.pending_usd)} pending, ${usdText(settlement.confirmed_usd)} confirmed, ${usdText(settlement.reversed_usd)} reversed` }),
      "Clicks": `${usdText(statement.ads.developer_usd)} USD (${statement.ads.clicks} clicks; ${usdText(statement.ads.pending_usd)} pending)`,
      "Adjustments": `${usdText(statement.adjustments_usd)} USD`,
      "Paid out": `${usdText(statement.payouts.paid_usd)} USD (${usdText(statement.payouts.returned_usd)} returned)`,
      "Charged to the developer": `${usdText(statement.charged_usd)} USD`,
      [statement.is_final ? "Closing balance" : "Balance so far"]: `${usdText(statement.closing_balance_usd)} USD`,
      "Balance today": `${usdText(statement.balance_usd)} USD`,
      "Payable": `${usdText(balance.confirmed.payable_usd)} USD`,
      "In payouts": `${usdText(balance.confirmed.in_payout_usd)} USD`,
    }),
    ...(statement.call_reversals ?? []).map(({ ref, developer_usd: usd, reason }) => `Reversed: ${usdText(usd)} USD (${ref}). ${reason}`),
    ...balance.confirmed.waiting.map(({ reason, usd, explained }) => `Waits: ${usdText(usd)} USD (${reason}). ${explained}`),
  ];
}

async function runStatement(options: JsonOption & { email: string; month?: string }): Promise<void> {
  const { account, statement } = await withStore(async ({ store, nowMs }) => {
    const found = await findAccount(store, options.email);
    const month = options.month ?? monthOf(nowMs);
    const made = await makeStatement(store, { accountId: found.id, month, nowMs });
    if (!made) throw new Refusal(`"${month}" is not a month such as ${monthOf(nowMs)}`);
    const config = readConfig();
    const balances = createBalances(store, { ...growthLimitsOf(config), nowMs: () => nowMs, monotonicMs: () => performance.now(), minimumMicroUsd: config.payoutMinimumMicroUsd });
    return { account: found, statement: { ...made, balance: await balances.read(found.id) } };
  });
  if (options.json) await printJson({ email: account.email, ...statement });
  else await printLines(statementLines(account.email, statement, statement.balance));
}

export function addStatementCommand(program: Command): void {
  defineCommand(program, {
    name: "statement",
    summary: "show an account's statement for a month",
    example: "statement --email dev@example.com --month 2026-01",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .option("--month <YYYY-MM>", "a month in UTC; the current one if omitted")
    .action(runStatement);
}
