import type { Mutant } from "./mutant.ts";

/** Faults of the second model's gate and confidence. */
export const evaluatorMutants: readonly Mutant[] = [
  {
    name: "the gate allows in every session what it allows in the longest",
    file: "packages/scoring/src/plausibility-gate.ts",
    from: "const x = exactLog1p(countOf(signals, given.signal));",
    to: "const x = exactLog1p(1e9);",
    killedBy: ["packages/scoring/src/impossible-sessions.test.ts", "no impossible session scores above 10, whatever its other signals are"],
  },
  {
    name: "a complete session at a threshold is as certain as its parts",
    file: "packages/scoring/src/certainty.ts",
    from: "return isIncomplete(subset) || openness < 1 ? Math.min(confidence, boundedMax) : confidence;",
    to: "return confidence;",
    killedBy: ["packages/scoring/src/current-model.test.ts", "no complete session at a threshold is certain, nor one that the gate has put there"],
  },
  {
    name: "confidence looks at all signals together only",
    file: "packages/scoring/src/certainty.ts",
    from: "        if (subset === 0) break;",
    to: "        break;",
    killedBy: ["packages/scoring/src/current-model.test.ts", "leaving out a signal that the API does not require never raises the confidence"],
  },
  {
    name: "sessions without behaviour are put on the scale of those with it",
    file: "packages/scoring/src/scale.ts",
    from: "(seen & behaviourBits) === 0 ? bareMaps : whole",
    to: "seen < 0 ? bareMaps : whole",
    killedBy: ["training/released-model.test.ts", "the report was measured on these very bytes of the artefact, and with an evaluator that gives these very scores"],
  },
];
