import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { artefact as releasedArtefact } from "../packages/scoring/src/artefacts/additive-2.ts";
import { compileModel } from "../packages/scoring/src/compile-model.ts";
import { artefactModule } from "./artefact-module.ts";
import { readOptionalSessionFile } from "./read-sessions.ts";
import { runTraining } from "./run-training.ts";
import type { TrainingRun } from "./run-training.ts";
import { syntheticFiles } from "./synthetic-sessions.ts";
import { checkThresholds } from "./thresholds.ts";
import { writeOutputs } from "./write-outputs.ts";

const steps: string[] = [];
const first = runTraining(syntheticFiles(1, 700), (step) => steps.push(step));
const root = mkdtempSync(join(tmpdir(), "assay-training-"));
after(() => rmSync(root, { recursive: true }));

const outputsOf = (run: TrainingRun, folder: string) => {
  const paths = writeOutputs(run, { root: join(root, folder), replace: false });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, folder, path), "utf8")]));
};

it("training is reproducible: the same sessions give the same files and the same report", () => {
  const second = runTraining(syntheticFiles(1, 700), () => undefined);
  assert.equal(second.report, first.report);
  assert.deepEqual(outputsOf(second, "second"), outputsOf(first, "first"));
});

it("writes the artefact, the model card and its plots", () => {
  const outputs = outputsOf(first, "outputs");
  assert.deepEqual(Object.keys(outputs).toSorted(), [
    "docs/model-card.md",
    "docs/model/calibration.svg",
    "docs/model/confidence.svg",
    "docs/model/curves.svg",
    "docs/model/report.json",
    "docs/model/roc.svg",
    "docs/model/score.svg",
    "packages/scoring/src/artefacts/additive-2.ts",
  ]);
  assert.match(outputs["docs/model-card.md"] ?? "", new RegExp(first.artefact.version));
  assert.doesNotMatch(outputs["docs/model-card.md"] ?? "", /\{\{/);
});

it("prints the released artefact byte for byte", () => {
  const released = new URL("../packages/scoring/src/artefacts/additive-2.ts", import.meta.url);
  assert.equal(artefactModule(releasedArtefact), readFileSync(released, "utf8"));
});

it("does not overwrite a released artefact with a different fit unless told to", () => {
  const folder = join(root, "released");
  const [artefactPath = ""] = writeOutputs(first, { root: folder, replace: false });
  writeOutputs(first, { root: folder, replace: false });
  writeFileSync(join(folder, artefactPath), "another fit");
  assert.throws(() => writeOutputs(first, { root: folder, replace: false }), /differs from the released/);
  assert.equal(readFileSync(join(folder, artefactPath), "utf8"), "another fit");
  writeOutputs(first, { root: folder, replace: true });
  assert.equal(readFileSync(join(folder, artefactPath), "utf8"), artefactModule(first.artefact));
});

it("the fitted model separates synthetic people from synthetic robots", () => {
  assert.ok(first.evaluation.sources.library.auc > 0.8);
  assert.ok(first.evaluation.sources.library.calibrationError < 0.15);
});

it("the fitted model is monotonic in engagement, and its confidence in the signals seen, on any data", () => {
  const model = compileModel(first.artefact);
  for (let step = 0; step < 20; step += 1) {
    const session = { session_duration: 10 * step, page_views: step, interaction_count: 3 };
    const less = model.explain({ ...session, user_engagement: step / 20 });
    const more = model.explain({ ...session, user_engagement: (step + 1) / 20 });
    assert.ok(more.unroundedScore >= less.unroundedScore);
    const { page_views: _left, ...rest } = session;
    assert.ok(model.score({ ...rest, user_engagement: step / 20 }).confidence <= less.confidence);
  }
});

it("a measurement beyond its limit fails the requirement", () => {
  const { evaluation } = first;
  const withAuc = (auc: number) => {
    const library = { ...evaluation.sources.library, auc };
    const checks = checkThresholds({ ...evaluation, sources: { ...evaluation.sources, library } });
    return checks.find(({ requirement }) => requirement === "AUC, library");
  };
  assert.equal(withAuc(0.9369)?.isMet, false);
  assert.equal(withAuc(0.9371)?.isMet, true);
});

it("reports the progress of every stage", () => {
  for (const stage of [/fold 4 of 4/, /calibrating/, /confidence/, /baselines/, /left|leaving/]) {
    assert.ok(steps.some((step) => stage.test(step)), String(stage));
  }
});

it("without transfer.csv, training measures the rest and claims nothing about the sources in it", () => {
  const { train } = syntheticFiles(1, 700);
  const run = runTraining({ train, transfer: readOptionalSessionFile(root, "transfer.csv") }, () => undefined);
  assert.equal(run.artefact.version, first.artefact.version);
  const aboutTransfer = /GStore|gstore_ga360|reading/;
  assert.deepEqual(run.checks.filter(({ requirement }) => aboutTransfer.test(requirement)), []);
  assert.equal(run.checks.length, first.checks.filter(({ requirement }) => !aboutTransfer.test(requirement)).length);
  assert.doesNotMatch(run.report, /NaN|gstore_ga360|scroll_reading/);
  for (const [path, text] of Object.entries(outputsOf(run, "without"))) assert.doesNotMatch(text, /\bNaN\b/, path);
});
