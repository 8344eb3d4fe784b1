import type { Balance } from "@assay/contract/balance.ts";
import { isoTime } from "../../formats/time.ts";
import { findMoneyStates } from "./money-states.ts";
import { describeStates } from "./read-balance.ts";

/** 20 USD pending, 100 USD due. */
const sums = {
  balanceMicroUsd: 120_000_000,
  depositsMicroUsd: 0,
  pendingMicroUsd: 20_000_000,
  dueMicroUsd: 100_000_000,
  unexaminedMicroUsd: [],
  beyondGrowthMicroUsd: 0,
  inPayoutMicroUsd: 0,
  paidMicroUsd: 0,
};

/** The balance of an account on hold, for the test scenario `held`: the sums are made up, the rules are those for everybody. */
export function describeHeldExample(nowMs: number): Balance {
  const facts = { hasHold: true, hasFinding: false, isLinkedToHeld: false, hasPayee: true, payeeUsableFromMs: 0, minimumMicroUsd: 0, isFunded: true, nowMs };
  const states = findMoneyStates(sums, facts);
  return { ...describeStates(states, ["A test key asked for this answer."]), spendable_usd: 0, next_date: isoTime(states.nextMs) };
}
