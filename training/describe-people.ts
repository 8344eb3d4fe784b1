import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import { isPerson } from "./learn-gate.ts";
import type { Session } from "./read-sessions.ts";

const deciles = Array.from({ length: 11 }, (_, index) => index / 10);

/** Deciles of each signal among people, the reference for checks of an account's traffic as a whole. */
export function describePeople(sessions: readonly Session[]): Artefact["people"] {
  const people = sessions.filter(isPerson);
  const described: Record<string, number[]> = {};
  for (const name of signalNames) {
    const values = people
      .map(({ signals }) => signals[name])
      .filter((value) => value !== undefined)
      .map(Number)
      .toSorted((left, right) => left - right);
    if (values.length === 0) continue;
    described[name] = deciles.map((share) => values[Math.round(share * (values.length - 1))] as number);
  }
  return described;
}
