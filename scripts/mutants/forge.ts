import type { Mutant } from "./mutant.ts";

const killedBy = ["bench/bench.test.ts", "forge.ts runs, and prints what it promises"] as const;

export const forgeMutants: readonly Mutant[] = [
  {
    name: "the simulated installation examines no sessions",
    file: "bench/forge/run-installation.ts",
    from: '"watch_sessions", ',
    to: "",
    killedBy,
  },
  {
    name: "the jittered loop varies as much as people do",
    file: "bench/forge/attackers.ts",
    from: "const jitterShare = 0.03;",
    to: "const jitterShare = 0.9;",
    killedBy,
  },
  {
    name: "the day of a finding is counted from 0",
    file: "bench/forge/describe-attackers.ts",
    from: "foundOnDay - attacker.forgesFrom + 1",
    to: "foundOnDay - attacker.forgesFrom",
    killedBy,
  },
  {
    name: "simulated calls are not charged in full",
    file: "bench/forge/run-installation.ts",
    from: "rows.length * perCallMicroUsd",
    to: "(rows.length / 2) * perCallMicroUsd",
    killedBy,
  },
  {
    name: "the store's evidence is compared with that of other sessions",
    file: "bench/forge/run-attackers.ts",
    from: ", toRows: openRows(honestSeedOf(seed, index)) }",
    to: " }",
    killedBy,
  },
];
