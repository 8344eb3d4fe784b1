import type { Artefact, GateCheck, PlainCheck, ReasonCode, TimedCheck } from "./artefact.ts";
import { exactExp, exactLog1p } from "./exact-math.ts";
import { cellOf, scaledKnots, shareOf } from "./interpolation.ts";
import type { SignalName, Signals } from "./signals.ts";

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

type CompiledCheck = {
  code: ReasonCode;
  /** 0 for what people do to 1 for what none does. Monotonic in each signal. */
  closedShare(signals: Signals): number;
  limitOf(signals: Signals): number;
};

/**
 * Each check closes gradually on a logarithmic scale, so that small changes of a signal move the score only a
 * little. The tightest check counts, so that an additional signal can only close the gate further.
 */
export function compileGate(gate: Artefact["gate"]): Gate {
  const checks = gate.checks.map(compileCheck);
  return {
    openness(signals) {
      let closed = 0;
      for (let index = 0; index < checks.length; index += 1) {
        const share = (checks[index] as CompiledCheck).closedShare(signals);
        if (share > closed) closed = share;
      }
      return 1 - closed * (1 - gate.floor);
    },
    opennessMost(one, other) {
      // Every check is monotonic in each signal, so that on the way from one to the other it never closes less than
      // at one of the two.
      let closed = 0;
      for (const check of checks) closed = Math.max(closed, Math.min(check.closedShare(one), check.closedShare(other)));
      return 1 - closed * (1 - gate.floor);
    },
    reasons(signals) {
      return checks
        .map((check) => ({ code: check.code, limit: check.limitOf(signals), share: check.closedShare(signals) }))
        .filter(({ share }) => share > 0)
        .toSorted((left, right) => right.share - left.share)
        .map(({ code, limit }) => ({ code, limit }));
    },
  };
}

const compileCheck = (check: GateCheck): CompiledCheck => ("given" in check ? compileTimed(check) : compilePlain(check));

function compileTimed({ code, numerator, given, width }: TimedCheck): CompiledCheck {
  const knots = scaledKnots(given.knots, "log");
  const limits = scaledKnots(given.closesFrom, "log");
  /** Below this amount no length of a session closes the gate: most sessions need no logarithm. */
  const least = given.closesFrom[0] as number;
  const logLimitOf = (signals: Signals): number => {
    const x = exactLog1p(countOf(signals, given.signal));
    const cell = cellOf(knots, x);
    const low = limits[cell] as number;
    return low + shareOf(knots, cell, x) * ((limits[cell + 1] as number) - low);
  };
  return {
    code,
    closedShare(signals) {
      const amount = countOf(signals, numerator);
      if (!(amount > least) || !(countOf(signals, given.signal) >= 0)) return 0;
      const share = (exactLog1p(amount) - logLimitOf(signals)) / width;
      return share > 1 ? 1 : share > 0 ? share : 0;
    },
    limitOf: (signals) => exactExp(logLimitOf(signals)) - 1,
  };
}

function compilePlain({ code, numerator, denominator, closesFrom, closedAt }: PlainCheck): CompiledCheck {
  const from = exactLog1p(closesFrom);
  const width = exactLog1p(closedAt) - from;
  return {
    code,
    closedShare(signals) {
      const amount = countOf(signals, numerator);
      if (!(amount > closesFrom)) return 0;
      let ratio = amount;
      if (denominator !== undefined) {
        const divisor = countOf(signals, denominator);
        if (!(divisor >= 0)) return 0;
        ratio = amount / (1 + divisor);
      }
      if (!(ratio > closesFrom)) return 0;
      const share = (exactLog1p(ratio) - from) / width;
      return share > 1 ? 1 : share;
    },
    limitOf: (signals) => (denominator === undefined ? closesFrom : closesFrom * (1 + countOf(signals, denominator))),
  };
}

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
