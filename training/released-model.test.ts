import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { artefact } from "../packages/scoring/src/artefacts/additive-2.ts";
import { currentModel } from "../packages/scoring/src/current-model.ts";
import { releasedModels } from "../packages/scoring/src/released-models.ts";
import { modelCard } from "./model-card.ts";
import { drawModelPlots } from "./plots.ts";
import { digestScores } from "./report-file.ts";
import type { ReportFile } from "./report-file.ts";
import { release } from "./run-training.ts";
import { checkThresholds } from "./thresholds.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const reportText = read("docs/model/report.json");
const report = JSON.parse(reportText) as ReportFile;
const card = read("docs/model-card.md");

it("the version ends in the digest of everything that affects a score", () => {
  const { version, sources: _sources, files: _files, metrics: _metrics, ...fitted } = artefact;
  assert.equal(version, `${release}-${sha256(JSON.stringify(fitted)).slice(0, 8)}`);
  assert.equal(currentModel.version, version);
});

it("the report was measured on these very bytes of the artefact, and with an evaluator that gives these very scores", () => {
  assert.equal(report.version, artefact.version);
  assert.equal(report.artefactSha256, sha256(read(`packages/scoring/src/artefacts/${release}.ts`)));
  assert.equal(report.scoresSha256, digestScores(currentModel));
});

it("the first model gives the very scores that it gave when it was released", () => {
  const [first] = releasedModels;
  assert.equal(first?.model.version, "additive-1-62b6fa6a");
  assert.equal(digestScores(first.model), "784d4c79bc3fec2744fff2c302e0148b25af8f50aac5befabaefb364422200e7");
});

it("the model card is its template filled from the artefact and the report, byte for byte", () => {
  assert.equal(card, modelCard(artefact, reportText));
  assert.ok(card.includes(sha256(reportText)));
});

it("the plots are drawn from the artefact and the report, byte for byte", () => {
  const plots = Object.entries(drawModelPlots(artefact, report.evaluation));
  assert.equal(plots.length, 5);
  for (const [name, svg] of plots) assert.equal(read(`docs/model/${name}`), svg, name);
});

it("the checks of the report, and the metrics of the artefact, follow from the report's figures", () => {
  assert.deepEqual(report.checks, checkThresholds(report.evaluation));
  const rounded = report.checks.map(({ requirement, measured }) => [requirement, Math.round(measured * 10_000) / 10_000]);
  assert.deepEqual(artefact.metrics, Object.fromEntries(rounded));
});

it("each result on the model card follows from the figure and the limit beside it", () => {
  const rows = [...card.matchAll(/^\| (.+) \| (-?[\d.]+) \| (>= |<= )?([\d.]+)(?: to ([\d.]+))? \| (PASS|FAIL) \|$/gm)];
  assert.deepEqual(rows.map(([, requirement]) => requirement), Object.keys(artefact.metrics));
  for (const [row, , figure, side, limit, upper, result] of rows) {
    const [measured, bound] = [Number(figure), Number(limit)];
    const isMet = upper !== undefined ? measured >= bound && measured <= Number(upper) : side === ">= " ? measured >= bound : measured <= bound;
    assert.equal(result, isMet ? "PASS" : "FAIL", row);
  }
  const failed = rows.filter((row) => row[6] === "FAIL").length;
  assert.ok(card.includes(failed === 0 ? "All requirements are met." : `${failed} of ${rows.length} requirements are not met; they are marked FAIL.`));
});

it("the figures of the report agree with each other: errors with their bins, areas with their curves, shares with a whole", () => {
  const { sources, certainty } = report.evaluation;
  for (const { calibrationError, reliability } of [...Object.values(sources), ...Object.values(certainty)]) {
    const gaps = reliability.reduce((sum, { said, seen, weight }) => sum + weight * Math.abs(said - seen), 0);
    assert.ok(Math.abs(gaps / reliability.reduce((sum, { weight }) => sum + weight, 0) - calibrationError) < 1e-9);
  }
  for (const { auc, roc, levelsOfZeros, levelsOfOnes } of Object.values(sources)) {
    const area = roc.slice(1).reduce((sum, { falsePositives, truePositives }, index) => {
      const before = roc[index]!;
      return sum + ((falsePositives - before.falsePositives) * (truePositives + before.truePositives)) / 2;
    }, 0);
    // The curve is thinned out for plotting, so its area is a little off.
    assert.ok(Math.abs(area - auc) < 0.005, `${area} ${auc}`);
    for (const { low, medium, high } of [levelsOfZeros, levelsOfOnes]) assert.ok(Math.abs(low + medium + high - 1) < 1e-9);
  }
});
