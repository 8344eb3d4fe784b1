import type { Artefact, Probabilities } from "./artefact.ts";
import { bitOf } from "./evaluate-terms.ts";
import { exactLogit, exactSigmoid } from "./exact-math.ts";
import { onGrid } from "./interpolation.ts";
import type { Calibration } from "./model.ts";

/** From log-odds to probabilities and to the score before the gate. `seen`: the signals seen, as bits. */
export type Scale = {
  probabilities(seen: number, logOdds: number): { human: number; engaged: number };
  /** 0 to 100. */
  scoreAt(seen: number, logOdds: number): number;
  /** The least log-odds with this score in a session with every signal; infinite where there is none. */
  logOddsFor(score: number): number;
};

const behaviourBits = bitOf("user_engagement") | bitOf("interaction_count");

type Compiled = { human: Float64Array; engaged: Float64Array; scores: Float64Array };

export function compileScale(shipped: Artefact["calibration"], own?: Calibration): Scale {
  const { from, step, offset, bare } = shipped;
  const compile = ({ human, engaged }: Probabilities): Compiled => ({
    human: Float64Array.from(human),
    engaged: Float64Array.from(engaged),
    scores: Float64Array.from(human, (probability, index) => {
      const score = scoreOf(probability, engaged[index] as number, offset);
      return own === undefined ? score : recalibrate(score, own);
    }),
  });
  const whole = compile(shipped);
  const bareMaps = bare === undefined ? whole : compile(bare);
  const mapsFor = (seen: number) => ((seen & behaviourBits) === 0 ? bareMaps : whole);
  return {
    probabilities(seen, logOdds) {
      const { human, engaged } = mapsFor(seen);
      return { human: onGrid(human, from, step, logOdds), engaged: onGrid(engaged, from, step, logOdds) };
    },
    scoreAt: (seen, logOdds) => onGrid(mapsFor(seen).scores, from, step, logOdds),
    logOddsFor: (score) => inverseOnGrid(whole.scores, { from, step }, score),
  };
}

/** Half of the score is "is a person", half is "is engaged": by convention, as is the offset. */
function scoreOf(human: number, engaged: number, offset: number | undefined): number {
  if (offset === undefined) return 50 * (human + engaged);
  return 100 * exactSigmoid(offset + (exactLogit(human) + exactLogit(engaged)) / 2);
}

const recalibrate = (score: number, { shift, slope }: Calibration) => 100 * exactSigmoid(shift + slope * exactLogit(score / 100));

function inverseOnGrid(values: Float64Array, { from, step }: { from: number; step: number }, target: number): number {
  const next = values.findIndex((value) => value >= target);
  if (next === -1) return Number.POSITIVE_INFINITY;
  if (next === 0) return Number.NEGATIVE_INFINITY;
  const [low, high] = [values[next - 1] as number, values[next] as number];
  return from + (next - 1 + (target - low) / (high - low)) * step;
}
