import { msPerDay } from "../../apps/api/src/formats/time.ts";
import { createDraws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { type Attacker, openForgers } from "./attackers.ts";
import { toDayRows } from "./day-rows.ts";
import { openHonestAccount } from "./honest-accounts.ts";
import { runInstallation, type SimulatedAccount, type SimulatedOutcome } from "./run-installation.ts";
import { simulateHonestAccount, type ToRows } from "./simulate-honest.ts";

/** An attacker with what became of its accounts. */
export type AttackerOutcome = { attacker: Attacker; accounts: SimulatedOutcome[] };

/** Honest accounts among them: what the store's jobs found, and whether that is what the pure rules say. */
export type HonestSample = { accounts: number; held: number; different: { index: number; check: string }[] };

const daysPerNote = 10;
const honestGroup = "honest";
const logDifferenceMax = 1e-6;

function simulateForgers(attackers: readonly Attacker[], seed: number): SimulatedAccount[] {
  return attackers.flatMap((attacker, number) =>
    openForgers(attacker, seed + 1_000 * number).map((nextDay, index): SimulatedAccount => {
      const spelling = attacker.spellings?.[index % attacker.spellings.length];
      const payee = spelling ? { ...spelling, country: "DE" } : { account: `GB00FORGER${number}N${index % attacker.payees}` };
      return { group: attacker.name, payee, rhythm: "daytime", seed: seed + 1_000 * number + index, nextDay, attacker };
    }),
  );
}

function simulateHonest(accounts: number, seed: number): SimulatedAccount[] {
  return Array.from({ length: accounts }, (_, index) => {
    const { kind, nextDay } = openHonestAccount(index, seed);
    return { group: honestGroup, payee: { account: `GB00HONEST${index}` }, rhythm: kind.rhythm, seed: honestSeedOf(seed, index), nextDay };
  });
}

const honestSeedOf = (seed: number, index: number) => seed + 1_000_000 + index;

/** The rows that the account had in the store. */
function openRows(seed: number, startMs: number): ToRows {
  const draws = createDraws(seed);
  return (visits, day, rhythm) => toDayRows(visits, { dayMs: startMs + day * msPerDay, rhythm, draws });
}

function compareHonest(outcomes: readonly SimulatedOutcome[], { startMs, days, seed }: { startMs: number; days: number; seed: number }): HonestSample {
  const different = outcomes.flatMap(({ logEvidenceOf }, index) =>
    [...simulateHonestAccount(index, { days, seed, toRows: openRows(honestSeedOf(seed, index), startMs) }).logEvidenceOf]
      .filter(([check, logEvidence]) => !(Math.abs(logEvidence - (logEvidenceOf.get(check) ?? Number.NaN)) <= logDifferenceMax))
      .map(([check]) => ({ index, check })),
  );
  return { accounts: outcomes.length, held: outcomes.filter(({ foundOnDay }) => foundOnDay !== undefined).length, different };
}

/** All attackers, and some honest accounts, work in one installation, as they would. */
export async function runAttackers(
  attackers: readonly Attacker[],
  options: { startMs: number; days: number; seed: number; honestAccounts: number; tell: (text: string) => void },
): Promise<{ outcomes: AttackerOutcome[]; honest: HonestSample }> {
  const { startMs, days, seed, honestAccounts, tell } = options;
  const accounts = [...simulateForgers(attackers, seed), ...simulateHonest(honestAccounts, seed)];
  const found = await runInstallation(accounts, { startMs, days, onDay: (day) => (day % daysPerNote === 0 ? tell(`attackers: day ${day} of ${days}`) : undefined) });
  return {
    outcomes: attackers.map((attacker) => ({ attacker, accounts: found.filter(({ group }) => group === attacker.name) })),
    honest: compareHonest(found.filter(({ group }) => group === honestGroup), { startMs, days, seed }),
  };
}
