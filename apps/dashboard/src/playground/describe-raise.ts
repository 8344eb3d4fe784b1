import { writeDuration, writeInteger } from "@assay/scoring/explain/write-amounts.ts";
import type { SignalName } from "@assay/scoring/signals.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";

export type Raise = { signal: SignalName; from: number | boolean; to: number | boolean; score: number };

const decimalsMax = 12;

/** Rounded away from `from`, so that the rounded value still lifts the level. */
function roundAway(to: number, from: number, step: number): number {
  return (to > from ? Math.ceil(to / step) : Math.floor(to / step)) * step;
}

type Texts = { to: string; from: string };

/** Both numbers with as few decimals as show the change, from `decimals` on. */
function writeNumbers(from: number, to: number, decimals: number): Texts {
  for (let digits = decimals; digits <= decimalsMax; digits += 1) {
    const texts = { to: roundAway(to, from, 10 ** -digits).toFixed(digits), from: from.toFixed(digits) };
    if (texts.to !== texts.from) return { to: String(Number(texts.to)), from: String(Number(texts.from)) };
  }
  return { to: String(to), from: String(from) };
}

/** In whole seconds, minutes or hours, unless these would hide the change. */
function writeDurations(from: number, to: number): Texts {
  const step = to < 10 ? 0.1 : to < 3_600 ? 1 : to < 172_800 ? 60 : 3_600;
  const texts = { to: writeDuration(roundAway(to, from, step)), from: writeDuration(from) };
  if (texts.to !== texts.from) return texts;
  const exact = writeNumbers(from, to, 1);
  return { to: `${exact.to} seconds`, from: exact.from };
}

const writePages = (count: number) => `${writeInteger(count)} ${count === 1 ? "page" : "pages"}`;
const writeInteractions = (count: number) => `${writeInteger(count)} ${count === 1 ? "interaction" : "interactions"}`;

function describeChange({ signal, from, to }: Raise): string {
  const [before, after] = [Number(from), Number(to)];
  switch (signal) {
    case "user_engagement": {
      const texts = writeNumbers(before, after, 2);
      return `An engagement of ${texts.to} instead of ${texts.from}`;
    }
    case "session_duration": {
      const texts = writeDurations(before, after);
      return `A duration of ${texts.to} instead of ${texts.from}`;
    }
    case "scroll_depth": {
      const texts = writeNumbers(before * 100, after * 100, 0);
      return `A scroll depth of ${texts.to}% instead of ${texts.from}%`;
    }
    case "interaction_count":
      return `${writeInteractions(after)} instead of ${writeInteger(before)}`;
    case "page_views":
      return `${writePages(after)} instead of ${writeInteger(before)}`;
    case "return_visitor":
      return to === true ? "A returning visitor instead of a new one" : "A new visitor instead of a returning one";
  }
}

/** One line of `would_raise` as a sentence. */
export const describeRaise = (raise: Raise): string =>
  `${describeChange(raise)} would lift it to ${trustLevelOf(raise.score)} (${raise.score.toFixed(1)}).`;
