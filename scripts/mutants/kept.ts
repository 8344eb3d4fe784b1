// Faults that would lose or double money, let somebody in, or hide a broken ledger, each with the test that notices it.
import { accessFaults } from "./kept-access.ts";
import { laneFaults } from "./kept-lane.ts";
import { ledgerFaults } from "./kept-ledger.ts";
import { payoutsFaults } from "./kept-payouts.ts";
import type { KeptMutant } from "./locate.ts";

export const keptMutants: readonly KeptMutant[] = [ledgerFaults, payoutsFaults, accessFaults, laneFaults].flatMap((faultsByTest) =>
  Object.entries(faultsByTest).flatMap(([file, byTitle]) => Object.entries(byTitle).flatMap(([title, faults]) => faults.map((fault) => ({ ...fault, killedBy: [file, title] as const })))),
);
