import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { artefactModule } from "./artefact-module.ts";
import { modelCard } from "./model-card.ts";
import { drawModelPlots } from "./plots.ts";
import { printReportFile } from "./report-file.ts";
import { release } from "./run-training.ts";
import type { TrainingRun } from "./run-training.ts";

/** Writes artefact, report, model card and plots below `root` and returns their paths relative to it. */
export function writeOutputs(run: TrainingRun, { root, replace }: { root: string; replace: boolean }): string[] {
  const artefactPath = `packages/scoring/src/artefacts/${release}.ts`;
  const artefact = artefactModule(run.artefact);
  assertNotReleased(join(root, artefactPath), artefact, replace);
  const report = printReportFile(run.artefact, { ...run, version: run.artefact.version });
  const files: Record<string, string> = {
    [artefactPath]: artefact,
    "docs/model/report.json": report,
    "docs/model-card.md": modelCard(run.artefact, report),
  };
  for (const [name, svg] of Object.entries(drawModelPlots(run.artefact, run.evaluation))) {
    files[`docs/model/${name}`] = svg;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return Object.keys(files);
}

/** A released artefact must not change: the scores of old calls must be reproducible. */
function assertNotReleased(path: string, text: string, replace: boolean): void {
  if (replace || !existsSync(path) || readFileSync(path, "utf8") === text) return;
  throw new Error(
    `this fit differs from the released ${release}: increase the release number, or pass --replace if it is not released yet`,
  );
}
