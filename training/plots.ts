import type { Artefact, Curve } from "../packages/scoring/src/artefact.ts";
import { compileCertainty } from "../packages/scoring/src/certainty.ts";
import { bitOf } from "../packages/scoring/src/evaluate-terms.ts";
import { alongKnots, scaled } from "../packages/scoring/src/interpolation.ts";
import type { ReliabilityBin } from "../packages/scoring/src/measure.ts";
import { compileScale } from "../packages/scoring/src/scale.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import { compileSubsetSum, everythingBits, learntBits } from "../packages/scoring/src/stability.ts";
import { sourceNames } from "./evaluate.ts";
import type { Evaluation, SourceKey } from "./evaluate.ts";
import { drawPlots } from "./line-plot.ts";
import type { Plot, PlotLine } from "./line-plot.ts";

/** File name and SVG text of every plot of the model card. */
export function drawModelPlots(artefact: Artefact, evaluation: Evaluation): Record<string, string> {
  return {
    "curves.svg": drawPlots(signalNames.map((name) => curvePlot(name, artefact.curves[name]))),
    "score.svg": drawPlots([scorePlot(artefact, false), scorePlot(artefact, true)]),
    "calibration.svg": drawPlots([calibrationPlot(evaluation)]),
    "roc.svg": drawPlots([rocPlot(evaluation)]),
    "confidence.svg": drawPlots([confidencePlot(evaluation), certaintyPlot(artefact)]),
  };
}

function curvePlot(name: string, { scale, knots, values }: Curve): Plot {
  const x = knots.map((knot) => scaled(knot, scale));
  const every = Math.ceil(knots.length / 7);
  return {
    title: name,
    xLabel: scale === "log" ? "value, logarithmic" : "value",
    yLabel: "log-odds",
    x: [x[0] as number, x.at(-1) as number],
    y: [-3, 3],
    xMarks: knots
      .map((knot, index) => [x[index] as number, String(knot)] as const)
      .filter((_, index) => index % every === 0),
    lines: [{ name: "", points: x.map((at, index) => [at, values[index] as number] as const), dots: true }],
  };
}

function scorePlot({ calibration }: Artefact, isBare: boolean): Plot {
  const scale = compileScale(calibration);
  const seen = isBare ? 0 : everythingBits;
  const line = (name: string, valueAt: (logOdds: number) => number): PlotLine => ({
    name,
    points: Array.from({ length: 49 }, (_, index) => [-6 + index / 4, valueAt(-6 + index / 4)] as const),
  });
  return {
    title: isBare ? "Neither engagement nor interactions" : "From log-odds to score",
    xLabel: "sum of curves and pairs, log-odds",
    yLabel: "score, or 100 × probability",
    x: [-6, 6],
    y: [0, 100],
    lines: [
      line("score, gate open", (logOdds) => scale.scoreAt(seen, logOdds)),
      line("P(person)", (logOdds) => 100 * scale.probabilities(seen, logOdds).human),
      line("P(engaged)", (logOdds) => 100 * scale.probabilities(seen, logOdds).engaged),
    ],
  };
}

const plotted = ["library", "shoppers", "gstore"] as const satisfies readonly SourceKey[];

const plottedOf = (sources: Evaluation["sources"]) => plotted.filter((key) => sources[key].sessions > 0);

const reliabilityPoints = (bins: readonly ReliabilityBin[]) => bins.map(({ said, seen }) => [said, seen] as const);

function calibrationPlot({ sources }: Evaluation): Plot {
  return {
    title: "Calibration on unseen sessions, prior one half",
    xLabel: "predicted probability",
    yLabel: "observed share",
    x: [0, 1],
    y: [0, 1],
    diagonal: true,
    lines: plottedOf(sources).map((key) => ({
      name: sourceNames[key],
      points: reliabilityPoints(sources[key].reliability),
      dots: true,
    })),
  };
}

function rocPlot({ sources }: Evaluation): Plot {
  return {
    title: "ROC on unseen sessions",
    xLabel: "share of label 0 at or above the score",
    yLabel: "share of label 1",
    x: [0, 1],
    y: [0, 1],
    diagonal: true,
    lines: plottedOf(sources).map((key) => ({
      name: `${sourceNames[key]}, AUC ${sources[key].auc.toFixed(3)}`,
      points: sources[key].roc.map(({ falsePositives, truePositives }) => [falsePositives, truePositives] as const),
    })),
  };
}

function confidencePlot({ certainty }: Evaluation): Plot {
  return {
    title: "Confidence, by fits on other samples",
    xLabel: "mean confidence",
    yLabel: "share with unchanged level",
    x: [0, 1],
    y: [0, 1],
    diagonal: true,
    lines: [
      { name: "nothing hidden", points: reliabilityPoints(certainty.nothing.reliability), dots: true },
      { name: "hidden at random", points: reliabilityPoints(certainty.random.reliability), dots: true },
      { name: "interactions, pages or both", points: reliabilityPoints(certainty.optional.reliability), dots: true },
    ],
  };
}

const spreadMarks = [-6, -4, -2, -1, 0, 1, 2, 4, 6];

/** Confidence of a session with the four signals, and with no interactions, along its log-odds. */
function certaintyPlot(artefact: Artefact): Plot {
  const scale = compileScale(artefact.calibration);
  const tables = artefact.certainty as NonNullable<Artefact["certainty"]>;
  const { ownConfidence } = compileCertainty({ tables, scale, sumOver: compileSubsetSum(artefact.pairs) });
  const [raws, showns] = [Float64Array.from(tables.confidence.raw), Float64Array.from(tables.confidence.shown)];
  const line = (name: string, seen: number): PlotLine => ({
    name,
    points: Array.from({ length: 241 }, (_, index) => {
      const logOdds = -6 + index / 20;
      return [logOdds, alongKnots(raws, showns, ownConfidence(seen, logOdds, 1))] as const;
    }),
  });
  return {
    title: "Confidence along the log-odds",
    xLabel: "sum of curves and pairs, log-odds",
    yLabel: "confidence, by these signals alone",
    x: [-6, 6],
    y: [0, 1],
    xMarks: spreadMarks.map((mark) => [mark, String(mark)] as const),
    lines: [line("all signals", everythingBits), line("no interactions", learntBits & ~bitOf("interaction_count"))],
  };
}
