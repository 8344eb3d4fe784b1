import type { HonestClicks } from "./honest-clicks.ts";
import type { HonestResult } from "./simulate-honest.ts";

const daysPerMonth = 30;

/** How many marks two accounts or more have in common. */
function countSharedMarks(results: readonly HonestResult[]): { marks: number; shared: number } {
  const marks = new Float64Array(results.reduce((count, each) => count + each.marks.length, 0));
  let at = 0;
  for (const each of results) {
    marks.set(each.marks, at);
    at += each.marks.length;
  }
  marks.sort();
  let shared = 0;
  for (let index = 1; index < marks.length; index += 1) if (marks[index] === marks[index - 1]) shared += 1;
  return { marks: marks.length, shared };
}

const percent = (count: number, all: number) => `${((100 * count) / Math.max(1, all)).toFixed(2)} %`;
const median = (values: readonly number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number) => items.reduce((sum, each) => sum + of(each), 0);

/** The most of honest accounts that may be held wrongly in a year, and of their days of which something may wait. */
const heldShareMax = 0.001;
const waitingShareMax = 0.002;

/** What is promised to honest accounts and does not hold. */
export function findHonestBreaches(results: readonly HonestResult[], clicks: readonly HonestClicks[]): string[] {
  const breaches: string[] = [];
  const limit = (what: string, { count, all, shareMax }: { count: number; all: number; shareMax: number }) => {
    if (count > shareMax * all) breaches.push(`${what}: ${count} of ${all}, at most ${percent(shareMax * all, all)} may.`);
  };
  limit("Accounts held wrongly for their calls", { count: results.filter(({ heldOnDay }) => heldOnDay !== undefined).length, all: results.length, shareMax: heldShareMax });
  limit("Accounts held wrongly for their clicks", { count: sumOf(clicks, (each) => each.held), all: sumOf(clicks, (each) => each.accounts), shareMax: heldShareMax });
  const [days, waiting] = [sumOf(results, (each) => each.callDays) + sumOf(clicks, (each) => each.days), sumOf(results, (each) => each.repeatedDays) + sumOf(clicks, (each) => each.waitingDays)];
  limit("Account-days of which something waits", { count: waiting, all: days, shareMax: waitingShareMax });
  return breaches;
}

export function describeHonest(results: readonly HonestResult[], clicks: readonly HonestClicks[], { days, seed }: { days: number; seed: number }): string {
  const held = results.filter(({ heldOnDay }) => heldOnDay !== undefined);
  const delayed = results.filter(({ delayMonths }) => delayMonths > 0);
  const resolved = delayed.filter(({ delayMonths }) => Number.isFinite(delayMonths));
  const promised = results.filter(({ isPromised }) => isPromised);
  const { marks, shared } = countSharedMarks(results);
  const [callDays, repeatedDays] = [sumOf(results, (each) => each.callDays), sumOf(results, (each) => each.repeatedDays)];
  const [waitingDays, clickDays, heldForClicks, clickers] = (["waitingDays", "days", "held", "accounts"] as const).map((name) => sumOf(clicks, (each) => each[name])) as [number, number, number, number];
  const sessions = results.reduce((sum, each) => sum + each.sessions, 0);
  const rows = [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, some]) => {
    const heldHere = some.filter(({ heldOnDay }) => heldOnDay !== undefined);
    const highest = Math.exp(Math.max(...some.map(({ logEvidenceMax }) => logEvidenceMax)));
    const why = heldHere.slice(0, 3).map(({ heldBy, heldOnDay, index }) => `account ${index}: ${heldBy}, day ${heldOnDay! + 1}`);
    return `| ${[kind, some.length, heldHere.length, highest < 1e6 ? highest.toFixed(2) : highest.toExponential(1), why.join("; ")].join(" | ")} |`;
  });
  return [
    `${results.length} honest accounts over ${days} days, ${sessions} sessions, seed ${seed}.`,
    "",
    "| kind | accounts | ever held wrongly | highest evidence (1,000 holds) | |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `- Ever held wrongly: ${held.length} of ${results.length} (${percent(held.length, results.length)}).`,
    `- Delayed by the growth rule, if nobody ever reviews them: ${delayed.length} (${percent(delayed.length, results.length)}). ` +
      `Of these ${resolved.length} are paid by later months without help, ${median(resolved.map(({ delayMonths }) => delayMonths * daysPerMonth))} days late (median; the longest ` +
      `${Math.max(0, ...resolved.map(({ delayMonths }) => delayMonths * daysPerMonth))}); the others still wait for a review at the end.`,
    `- Delayed before 3,500 USD in all although the first month was at most 350 USD and no month more than twice the best before it: ` +
      `${promised.filter(({ isDelayedEarly }) => isDelayedEarly).length} of ${promised.length}.`,
    `- Account-days of which something waits as one exact session: ${repeatedDays} of ${callDays} (${percent(repeatedDays, callDays)}).`,
    `- Account-days of which clicks wait for a crowded network: ${waitingDays} of ${clickDays} (${percent(waitingDays, clickDays)}): ` +
      `${clicks.map((each) => `${each.kind} ${each.waitingDays} of ${each.days}`).join("; ")}.`,
    `- Accounts that were held for their clicks: ${heldForClicks} of ${clickers} (${percent(heldForClicks, clickers)}).`,
    `- Finely measured sessions that are compared between accounts: ${marks}; equal in two accounts: ${shared}.`,
    "",
    "",
  ].join("\n");
}
