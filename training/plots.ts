import type { Artefact, Curve } from "../packages/scoring/src/artefact.ts";
import { scaled } from "../packages/scoring/src/interpolation.ts";
import type { ReliabilityBin } from "../packages/scoring/src/measure.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import { sourceNames } from "./evaluate.ts";
import type { Evaluation, SourceKey } from "./evaluate.ts";
import { drawPlots } from "./line-plot.ts";
import type { Plot, PlotLine } from "./line-plot.ts";

/** File name and SVG text of every plot of the model card. */
export function drawModelPlots(artefact: Artefact, evaluation: Evaluation): Record<string, string> {
  return {
    "curves.svg": drawPlots(signalNames.map((name) => curvePlot(name, artefact.curves[name]))),
    "score.svg": drawPlots([scorePlot(artefact)]),
    "calibration.svg": drawPlots([calibrationPlot(evaluation)]),
    "roc.svg": drawPlots([rocPlot(evaluation)]),
    "confidence.svg": drawPlots([confidencePlot(evaluation)]),
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

function scorePlot({ calibration }: Artefact): Plot {
  const { from, step, human, engaged } = calibration;
  const line = (name: string, valueAt: (index: number) => number): PlotLine => ({
    name,
    points: human.map((_, index) => [from + index * step, valueAt(index)] as const),
  });
  return {
    title: "From log-odds to score",
    xLabel: "sum of curves and pairs, log-odds",
    yLabel: "score, or 100 × probability",
    x: [-6, 6],
    y: [0, 100],
    lines: [
      line("score, gate open", (index) => 50 * ((human[index] as number) + (engaged[index] as number))),
      line("P(person)", (index) => 100 * (human[index] as number)),
      line("P(engaged)", (index) => 100 * (engaged[index] as number)),
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

function confidencePlot({ stability }: Evaluation): Plot {
  return {
    title: "Confidence with hidden signals",
    xLabel: "mean confidence",
    yLabel: "share with unchanged level",
    x: [0, 1],
    y: [0, 1],
    diagonal: true,
    lines: [
      { name: "at random", points: reliabilityPoints(stability.random.reliability), dots: true },
      { name: "interactions, pages or both", points: reliabilityPoints(stability.optional.reliability), dots: true },
    ],
  };
}
