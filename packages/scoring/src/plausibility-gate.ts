import type { Artefact, GateCheck, ReasonCode } from "./artefact.ts";
import { exactLog1p } from "./exact-math.ts";
import type { SignalName, Signals } from "./signals.ts";

type CompiledCheck = GateCheck & { from: number; width: number };

export type Gate = {
  /** 1 for plausible behaviour of a person, falling to the floor for what no person can do. */
  openness(signals: Signals): number;
  /** At least the highest openness of the sessions between two that differ in one signal. */
  opennessMost(one: Signals, other: Signals): number;
  /** The checks that close the gate for this session, the tightest first. */
  reasons(signals: Signals): GateFinding[];
};

/** A check that closes the gate, with the amount of its numerator from which it does so for this session. */
export type GateFinding = { code: ReasonCode; limit: number };

/**
 * Each check closes gradually on a logarithmic scale, so that small changes of a signal move the score only a
 * little. The tightest check counts, so that an additional signal can only close the gate further.
 */
export function compileGate(gate: Artefact["gate"]): Gate {
  const checks: CompiledCheck[] = gate.checks.map((check) => {
    const from = exactLog1p(check.closesFrom);
    return { ...check, from, width: exactLog1p(check.closedAt) - from };
  });
  return {
    openness(signals) {
      let closed = 0;
      for (let index = 0; index < checks.length; index += 1) {
        const share = closedShare(checks[index] as CompiledCheck, signals);
        if (share > closed) closed = share;
      }
      return 1 - closed * (1 - gate.floor);
    },
    opennessMost(one, other) {
      // Every check is monotonic in each signal, so that on the way from one to the other it never closes less than
      // at one of the two.
      let closed = 0;
      for (const check of checks) closed = Math.max(closed, Math.min(closedShare(check, one), closedShare(check, other)));
      return 1 - closed * (1 - gate.floor);
    },
    reasons(signals) {
      return checks
        .map((check) => ({ code: check.code, limit: limitOf(check, signals), share: closedShare(check, signals) }))
        .filter(({ share }) => share > 0)
        .toSorted((left, right) => right.share - left.share)
        .map(({ code, limit }) => ({ code, limit }));
    },
  };
}

function closedShare(check: CompiledCheck, signals: Signals): number {
  const amount = countOf(signals, check.numerator);
  if (!(amount > check.closesFrom)) return 0;
  let ratio = amount;
  if (check.denominator !== undefined) {
    const divisor = countOf(signals, check.denominator);
    if (!(divisor >= 0)) return 0;
    ratio = amount / (1 + divisor);
  }
  if (!(ratio > check.closesFrom)) return 0;
  const share = (exactLog1p(ratio) - check.from) / check.width;
  return share > 1 ? 1 : share;
}

const limitOf = ({ closesFrom, denominator }: CompiledCheck, signals: Signals): number =>
  denominator === undefined ? closesFrom : closesFrom * (1 + countOf(signals, denominator));

/** The gate checks amounts only; NaN stands for a missing signal. */
function countOf(signals: Signals, name: SignalName): number {
  switch (name) {
    case "session_duration":
      return signals.session_duration ?? Number.NaN;
    case "interaction_count":
      return signals.interaction_count ?? Number.NaN;
    case "page_views":
      return signals.page_views ?? Number.NaN;
    case "user_engagement":
    case "scroll_depth":
    case "return_visitor":
      return Number.NaN;
  }
}
