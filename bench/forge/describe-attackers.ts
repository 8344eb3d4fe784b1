import { msPerDay } from "../../apps/api/src/formats/time.ts";
import { monthEndAfter, payableFromMs } from "../../apps/api/src/money/payable-months.ts";
import type { AttackerOutcome, HonestSample } from "./run-attackers.ts";

const usd = (microUsd: number): string => Math.round(microUsd / 1e6).toLocaleString("en-US");
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Days from the first forgery to the end of the day that opened a finding, or how many of several accounts were found and when. */
function describeFinding({ attacker, accounts }: AttackerOutcome): string {
  const found = accounts.flatMap(({ foundOnDay, findingCode }) => (foundOnDay === undefined ? [] : [{ days: foundOnDay - attacker.forgesFrom + 1, code: findingCode }]));
  if (found.length === 0) return "not found";
  const days = found.map((each) => each.days).toSorted((left, right) => left - right);
  const codes = [...new Set(found.map(({ code }) => code))].join(", ");
  if (accounts.length === 1) return `${days[0]} (${codes})`;
  return `${found.length} of ${accounts.length} accounts, the first after ${days[0]}, the last after ${days.at(-1)} (${codes})`;
}

function describeOutcome(outcome: AttackerOutcome, days: number): string {
  const { attacker, accounts } = outcome;
  const paid = accounts.flatMap((account) => account.paid);
  const paidWithin = (limit: number) => sum(paid.filter(({ day }) => day <= limit).map(({ microUsd }) => microUsd));
  const first = Math.min(...paid.map(({ day }) => day));
  const cells = [
    attacker.name,
    `${attacker.accounts > 1 ? `${attacker.accounts} × ` : ""}${attacker.callsPerDay}`,
    usd(sum(accounts.map(({ accruedMicroUsd }) => accruedMicroUsd))),
    Number.isFinite(first) ? `${usd(paidWithin(first))} (day ${first})` : "0",
    usd(paidWithin(90)),
    usd(paidWithin(days)),
    describeFinding(outcome),
  ];
  return `| ${cells.join(" | ")} |`;
}

function describeAgreement({ accounts, different }: HonestSample): string {
  const others = new Set(different.map(({ index }) => index));
  if (others.size === 0) return `In all ${accounts} the evidence in the store is what the pure rules say.`;
  return `In ${others.size} of them the evidence in the store is NOT what the pure rules say: accounts ${[...others].slice(0, 10).join(", ")}.`;
}

/** What an account that nobody reviewed may be paid for its first month, and within 90 days. */
const firstMonthMaxMicroUsd = 350_000_000;
const earlyDays = 90;
const earlyMaxMicroUsd = 3 * firstMonthMaxMicroUsd;

/** Of each payee, the accounts that name it: what they were paid by a day. */
function paidByPayee({ attacker, accounts }: AttackerOutcome, untilDay: number): number[] {
  const sums = Array.from({ length: attacker.payees }, () => 0);
  for (const [index, { paid }] of accounts.entries()) sums[index % attacker.payees]! += sum(paid.filter(({ day }) => day <= untilDay).map(({ microUsd }) => microUsd));
  return sums;
}

/** The day on which the month of the start is paid. What is paid later is of several months. */
const findFirstPayday = (start: string): number => Math.round((payableFromMs(monthEndAfter(Date.parse(start))) - Date.parse(start)) / msPerDay);

/** Attackers that got more without anybody looking than is promised. */
export function findBreaches(outcomes: readonly AttackerOutcome[], start: string): string[] {
  const firstPayday = findFirstPayday(start);
  return outcomes.flatMap((outcome) => {
    const { attacker } = outcome;
    const first = Math.min(...outcome.accounts.flatMap(({ paid }) => paid.map(({ day }) => day)));
    const [inFirst, early, ever] = [first, earlyDays, Number.POSITIVE_INFINITY].map((day) => Math.max(...paidByPayee(outcome, day))) as [number, number, number];
    if (attacker.isNaive && ever > 0) return `${attacker.name}: ${usd(ever)} USD, and 0 were promised.`;
    if (first <= firstPayday && inFirst > firstMonthMaxMicroUsd) return `${attacker.name}: ${usd(inFirst)} USD in the first month that pays.`;
    return early > earlyMaxMicroUsd ? `${attacker.name}: ${usd(early)} USD within ${earlyDays} days.` : [];
  });
}

export function describeAttackers(outcomes: readonly AttackerOutcome[], { days, start, origin, honest }: { days: number; start: string; origin: string; honest: HonestSample }): string {
  return [
    `Attackers over ${days} days from ${start} on. Sessions that are sent again: ${origin}. Amounts in USD; payable means without anybody looking.`,
    "",
    `| attacker | calls a day | accrued | payable in the first month that pays | payable within 90 days | within ${days} days | days until a finding |`,
    "|---|---|---|---|---|---|---|",
    ...outcomes.map((outcome) => describeOutcome(outcome, days)),
    "",
    `${honest.accounts} honest accounts worked in the same store: ${honest.held} were held. ${describeAgreement(honest)}`,
    "",
    "",
  ].join("\n");
}
