import { type Command, InvalidArgumentError } from "commander";
import { fundPlatform, readCash } from "../money/payouts/platform-money.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { withStore } from "./with-store.ts";
import { parseUsd, usdOf, usdText } from "../formats/money.ts";

function parseAmount(text: string): number {
  const microUsd = parseUsd(text) ?? 0;
  if (microUsd > 0) return microUsd;
  throw new InvalidArgumentError("It must be an amount in USD such as 250 or 0.5, with at most six decimals.");
}

async function runFund(options: JsonOption & { usd: number }): Promise<void> {
  const { ref, receipt, cash } = await withStore(async ({ store, nowMs }) => {
    const booked = await fundPlatform(store, { microUsd: options.usd, actorAccountId: null, nowMs });
    return { ...booked, cash: await readCash(store) };
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
    `${usdText(document.funded_usd)} USD are booked (${ref}, receipt ${receipt}).`,
    `All funding: ${usdText(document.funding_usd)} USD. Left for payouts: ${usdText(document.available_usd)} USD.`,
  ]);
}

export function addFundCommand(program: Command): void {
  defineCommand(program, { name: "fund", summary: "book money that the operator puts in", example: "fund --usd 250" })
    .requiredOption("--usd <amount>", "the amount, in USD", parseAmount)
    .action(runFund);
}
