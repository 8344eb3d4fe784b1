import { type Attacker, openForgers } from "./attackers.ts";
import { runInstallation, type SimulatedAccount, type SimulatedOutcome } from "./run-installation.ts";

/** An attacker with what became of its accounts. */
export type AttackerOutcome = { attacker: Attacker; accounts: SimulatedOutcome[] };

const daysPerNote = 10;

/** All attackers work in one installation, as they would. */
export async function runAttackers(attackers: readonly Attacker[], { days, seed, tell }: { days: number; seed: number; tell: (text: string) => void }): Promise<AttackerOutcome[]> {
  const accounts = attackers.flatMap((attacker, number): SimulatedAccount[] =>
    openForgers(attacker, seed + 1_000 * number).map((nextDay, index) => ({
      group: attacker.name,
      payee: `GB00FORGER${number}N${index % attacker.payees}`,
      rhythm: "daytime",
      seed: seed + 1_000 * number + index,
      nextDay,
    })),
  );
  const outcomes = await runInstallation(accounts, { days, onDay: (day) => (day % daysPerNote === 0 ? tell(`attackers: day ${day} of ${days}`) : undefined) });
  return attackers.map((attacker) => ({ attacker, accounts: outcomes.filter(({ group }) => group === attacker.name) }));
}
