import { type Command, InvalidArgumentError } from "commander";
import { readConfig } from "../config.ts";
import { Failure } from "../failure/failure.ts";
import { parseUsd, usdOf, usdText } from "../formats/money.ts";
import { bookCorrection, type CorrectedMoney, type Correction } from "../money/corrections/book-correction.ts";
import { readPrepaidStart } from "../money/corrections/prepaid-start.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

type CorrectOptions = JsonOption & { email: string; usd: number; reason?: string; operator?: string; on?: CorrectedMoney };

const amountExpected = "an amount in USD such as 250 or 0.5, with at most six decimals";

function parseDeposit(text: string): number {
  const microUsd = parseUsd(text) ?? 0;
  if (microUsd > 0) return microUsd;
  throw new InvalidArgumentError(`It must be ${amountExpected}.`);
}

function parseAdjustment(text: string): number {
  const microUsd = parseUsd(text.replace(/^-/, "")) ?? 0;
  if (microUsd > 0) return text.startsWith("-") ? -microUsd : microUsd;
  throw new InvalidArgumentError(`It must be ${amountExpected}; negative to take money back.`);
}

function parseMoney(text: string): CorrectedMoney {
  if (text === "earnings" || text === "prepaid") return text;
  throw new InvalidArgumentError("It must be earnings or prepaid.");
}

async function runCorrection(kind: Correction["kind"], options: CorrectOptions): Promise<void> {
  const { callPayer: payer, payoutFourEyes } = readConfig();
  const on = kind === "deposit" ? "prepaid" : (options.on ?? (payer === "developer" ? "prepaid" : "earnings"));
  const booked = await withStore(async ({ store, nowMs }) => {
    const account = await findAccount(store, options.email);
    if (kind === "deposit" && account.status === "closed") throw new Refusal(`the account ${account.email} is closed`);
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    await readPrepaidStart(store, { payer, nowMs });
    const correction: Correction = { accountId: account.id, kind, on, microUsd: options.usd, reason: options.reason, actorAccountId, mayCorrectOwn: !payoutFourEyes, nowMs };
    return bookCorrection(store, correction).catch((error: Error) => {
      throw error instanceof Failure ? new Refusal(error.message) : error;
    });
  });
  const document = {
    ref: booked.ref,
    receipt: booked.receipt,
    kind,
    on,
    usd: usdOf(options.usd),
    balance_usd: usdOf(booked.balanceMicroUsd),
    spendable_usd: usdOf(booked.spendableMicroUsd),
  };
  if (options.json) return printJson(document);
  return printLines([
    `Booked ${usdText(document.usd)} USD (${booked.ref}, receipt ${booked.receipt}).`,
    `Balance of ${options.email}: ${usdText(document.balance_usd)} USD, of which calls can spend ${usdText(document.spendable_usd)} USD.`,
  ]);
}

export function addCorrectionCommands(program: Command): void {
  const operator = ["--operator <address>", "the operator who acts; not needed where there is one"] as const;
  const deposit = { name: "deposit", summary: "book money that a developer paid in for calls", example: "deposit --email developer@localhost --usd 250 --reason 'bank transfer 17'" };
  defineCommand(program, deposit)
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--usd <amount>", "the amount, in USD", parseDeposit)
    .option("--reason <text>", "shown to the developer; without names of persons")
    .option(...operator)
    .action((options: CorrectOptions) => runCorrection("deposit", options));
  const adjust = { name: "adjust", summary: "correct an account's money, in either direction", example: "adjust --email developer@localhost --usd -3.5 --reason 'paid twice in May'" };
  defineCommand(program, adjust)
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--usd <amount>", "the amount, in USD; negative to take money back", parseAdjustment)
    .requiredOption("--reason <text>", "shown to the developer; without names of persons")
    .option("--on <money>", "earnings or prepaid; default: prepaid if CALL_PAYER=developer, else earnings", parseMoney)
    .option(...operator)
    .action((options: CorrectOptions) => runCorrection("adjustment", options));
}
