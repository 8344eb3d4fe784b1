import { type Command, InvalidArgumentError } from "commander";
import { parseUsd, usdOf, usdText } from "../formats/money.ts";
import { fundPlatform, readPlatformMoney } from "../money/payouts/platform-money.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines } from "./print.ts";
import { withStore } from "./with-store.ts";

function parseAmount(text: string): number {
  const microUsd = parseUsd(text) ?? 0;
  if (microUsd > 0) return microUsd;
  throw new InvalidArgumentError("It must be an amount in USD such as 250 or 0.5, with at most six decimals.");
}

async function runFund(options: JsonOption & { usd: number; operator?: string }): Promise<void> {
  const { ref, receipt, cash } = await withStore(async ({ store, nowMs }) => {
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    const booked = await fundPlatform(store, { microUsd: options.usd, actorAccountId, nowMs });
    return { ...booked, cash: await readPlatformMoney(store) };
  });
  const document = {
    ref,
    receipt,
    funded_usd: usdOf(options.usd),
    funding_usd: usdOf(cash.fundingMicroUsd),
    available_usd: usdOf(cash.availableMicroUsd),
  };
  if (options.json) return printJson(document);
  return printLines([
    `Booked ${usdText(document.funded_usd)} USD (${ref}, receipt ${receipt}).`,
    `Total funding: ${usdText(document.funding_usd)} USD. Available for payouts: ${usdText(document.available_usd)} USD.`,
  ]);
}

export function addFundCommand(program: Command): void {
  defineCommand(program, { name: "fund", summary: "book the operator's own funding", example: "fund --usd 250" })
    .requiredOption("--usd <amount>", "the amount, in USD", parseAmount)
    .option("--operator <address>", "the operator who does this; needed if there are several")
    .action(runFund);
}
