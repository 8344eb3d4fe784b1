import { createHash } from "node:crypto";
import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { compileModel } from "../packages/scoring/src/compile-model.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluation } from "./evaluate.ts";
import type { SessionFile } from "./read-sessions.ts";
import { reportText } from "./report.ts";
import { describeSources } from "./sources.ts";
import { splitHeldOut } from "./split.ts";
import { checkThresholds } from "./thresholds.ts";
import type { Check } from "./thresholds.ts";
import { trainModel } from "./train-model.ts";
import type { FittedModel, OutOfFold } from "./train-model.ts";

/** The release that training writes. A released artefact is immutable: a new fit gets the next number. */
export const release = "additive-2";

export type TrainingRun = {
  artefact: Artefact;
  evaluation: Evaluation;
  outOfFold: OutOfFold;
  checks: Check[];
  report: string;
  counts: { fitting: number; heldOut: number; transfer: number };
};

export function runTraining(
  data: { train: SessionFile; transfer: SessionFile },
  progress: (step: string) => void,
): TrainingRun {
  const { fitting, heldOut } = splitHeldOut(data.train.sessions);
  const { fitted, refits, outOfFold } = trainModel(fitting, progress);
  const provenance = provenanceOf(fitted, data);
  const model = compileModel({ ...provenance, ...fitted, metrics: {} });
  const evaluation = evaluate({ model, refits, fitting, heldOut, transfer: data.transfer.sessions }, progress);
  const checks = checkThresholds(evaluation);
  const counts = { fitting: fitting.length, heldOut: heldOut.length, transfer: data.transfer.sessions.length };
  const artefact: Artefact = { ...provenance, metrics: metricsOf(checks), ...fitted };
  return {
    artefact,
    evaluation,
    outOfFold,
    checks,
    counts,
    report: reportText({ version: artefact.version, evaluation, outOfFold, checks, counts }),
  };
}

/** Version, sources and files. The version ends in a digest of everything that affects a score. */
function provenanceOf(
  fitted: FittedModel,
  data: { train: SessionFile; transfer: SessionFile },
): Pick<Artefact, "version" | "sources" | "files"> {
  const digest = createHash("sha256").update(JSON.stringify(fitted)).digest("hex");
  return {
    version: `${release}-${digest.slice(0, 8)}`,
    sources: describeSources([...data.train.sessions, ...data.transfer.sessions]),
    files: [data.train, data.transfer].map(({ name, sha256, sessions }) => ({ name, sha256, rows: sessions.length })),
  };
}

function metricsOf(checks: readonly Check[]): Record<string, number> {
  return Object.fromEntries(checks.map(({ requirement, measured }) => [requirement, Math.round(measured * 10_000) / 10_000]));
}
