import type { Command } from "commander";
import { isoTimeOrNull } from "../formats/time.ts";
import { writeFile } from "node:fs/promises";
import { readConfig } from "../config.ts";
import { usdOf, usdText } from "../formats/money.ts";
import { explainMove, exportPayouts, movePayoutTo } from "../money/payouts/move-payout.ts";
import type { PayoutMove } from "../money/payouts/move-payout.work.ts";
import { notPayableTexts } from "../money/payouts/payable.ts";
import { selectPayouts } from "../money/payouts/payouts.table.ts";
import { proposePayouts } from "../money/payouts/propose-payouts.ts";
import type { PayoutRow } from "../store/schema-payouts.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { printJson, printLines, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

const listedMax = 10_000;

const toJson = (payout: PayoutRow) => ({
  id: payout.id,
  account_id: payout.account_id,
  month: payout.month,
  amount_usd: usdOf(payout.amount_micro),
  status: payout.status,
  proposed_at: isoTimeOrNull(payout.proposed_at),
  approved_at: isoTimeOrNull(payout.approved_at),
  exported_at: isoTimeOrNull(payout.exported_at),
  paid_at: isoTimeOrNull(payout.paid_at),
  returned_at: isoTimeOrNull(payout.returned_at),
  note: payout.note,
});

const payoutLines = (payouts: readonly PayoutRow[]) =>
  tableLines(
    ["Payout", "Account", "Month", "USD", "Status", "Proposed"],
    payouts.map((each) => [each.id, each.account_id, each.month, usdText(usdOf(each.amount_micro)), each.status, shortTime(each.proposed_at)]),
  );

async function runPropose(options: JsonOption): Promise<void> {
  const { payoutMinimumMicroUsd: minimumMicroUsd } = readConfig();
  const { month, proposed, held } = await withStore(({ store, nowMs }) => proposePayouts(store, { nowMs, minimumMicroUsd, actorAccountId: null }));
  if (options.json) {
    return printJson({
      month: month.name,
      proposed: proposed.map(toJson),
      held: held.map((each) => ({ account_id: each.accountId, email: each.email, amount_usd: usdOf(each.amountMicroUsd), reason: each.held })),
    });
  }
  return printLines([
    `Earnings up to the end of ${month.name} (UTC). Payouts proposed: ${proposed.length}. Accounts held back: ${held.length}.`,
    ...(proposed.length > 0 ? ["", ...payoutLines(proposed)] : []),
    ...(held.length > 0 ? [""] : []),
    ...held.map((each) => `${each.email}  ${usdText(usdOf(each.amountMicroUsd))} USD  ${notPayableTexts[each.held!]}`),
  ]);
}

async function runList(options: JsonOption): Promise<void> {
  const page = { status: undefined, accountId: undefined, limit: listedMax };
  const payouts = (await withStore(({ store }) => selectPayouts(store.db, page).execute())) as PayoutRow[];
  return options.json ? printJson(payouts.map(toJson)) : printLines(payoutLines(payouts));
}

async function runMove(payoutId: string, to: PayoutMove["to"], options: JsonOption & { note?: string }): Promise<void> {
  const move = { payoutId, to, note: options.note ?? null, actorAccountId: null };
  const outcome = await withStore(({ store, nowMs }) => movePayoutTo(store, { ...move, nowMs }));
  if (outcome.kind !== "moved") throw new Refusal(explainMove(outcome));
  const { payout, receipt } = outcome;
  if (options.json) return printJson({ ...toJson(payout), receipt: receipt ?? null });
  return printLines([`${payout.id} is ${payout.status}: ${usdText(usdOf(payout.amount_micro))} USD${receipt ? `, receipt ${receipt}` : ""}.`]);
}

async function runExport(options: JsonOption & { out?: string; again?: true }): Promise<void> {
  const { csv, payoutIds } = await withStore(({ store, nowMs }) => exportPayouts(store, { nowMs, again: options.again ?? false, actorAccountId: null }));
  // The file first: an export is reported only once its file exists.
  if (options.out !== undefined) await writeFile(options.out, csv, { mode: 0o600 });
  if (options.json) return printJson({ payouts: payoutIds, csv: options.out === undefined ? csv : null, file: options.out ?? null });
  return printLines(options.out === undefined ? [csv.trimEnd()] : [`Payouts in ${options.out}: ${payoutIds.length}.`]);
}

export function addPayoutCommands(program: Command): void {
  const family = defineFamily(program, { name: "payout", summary: "payouts: proposed, approved, exported, paid or returned" });
  defineCommand(family, { name: "propose", summary: "propose a payout for every payable account", example: "payout propose" }).action(runPropose);
  defineCommand(family, { name: "list", summary: "list payouts, newest first", example: "payout list" }).action(runList);
  defineCommand(family, { name: "approve", summary: "approve a proposed payout", example: "payout approve po_0Vb15o2Z000XQIg2XdJLd8" })
    .argument("<payout>", "its id")
    .action((payoutId: string, options: JsonOption) => runMove(payoutId, "approved", options));
  defineCommand(family, { name: "export", summary: "write approved payouts with their payees as CSV", example: "payout export --out payouts.csv" })
    .option("--out <file>", "write to this file instead of standard output")
    .option("--again", "export those again that were exported but are not yet paid")
    .action(runExport);
  defineCommand(family, { name: "mark-paid", summary: "book an exported payout as paid", example: "payout mark-paid po_0Vb15o2Z000XQIg2XdJLd8" })
    .argument("<payout>", "its id")
    .option("--note <text>", "the bank's reference")
    .action((payoutId: string, options: JsonOption & { note?: string }) => runMove(payoutId, "paid", options));
  defineCommand(family, { name: "return", summary: "book a payout that came back", example: "payout return po_0Vb15o2Z000XQIg2XdJLd8 --note refused" })
    .argument("<payout>", "its id")
    .option("--note <text>", "why")
    .action((payoutId: string, options: JsonOption & { note?: string }) => runMove(payoutId, "returned", options));
}
