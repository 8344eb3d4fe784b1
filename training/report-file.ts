import { createHash } from "node:crypto";
import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { compileModel } from "../packages/scoring/src/compile-model.ts";
import type { Model } from "../packages/scoring/src/model.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import type { Signals } from "../packages/scoring/src/signals.ts";
import { artefactModule } from "./artefact-module.ts";
import { seededRandom } from "./random.ts";
import type { ReportParts } from "./report.ts";

/** Every figure of the model card at full precision, and which artefact and evaluator they were measured with. */
export type ReportFile = ReportParts & { artefactSha256: string; scoresSha256: string };

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

export function printReportFile(artefact: Artefact, { version, counts, checks, outOfFold, evaluation }: ReportParts): string {
  const artefactSha256 = sha256Of(artefactModule(artefact));
  const scoresSha256 = digestScores(compileModel(artefact));
  const report: ReportFile = { version, artefactSha256, scoresSha256, counts, checks, outOfFold, evaluation };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

const sessionsPerSubset = 40;
const sessionsSeed = 17;

/** Digest of what fixed sessions get, with every subset of signals: it shows a change of the evaluator's code. */
export function digestScores(model: Model): string {
  const random = seededRandom(sessionsSeed);
  const drawAmount = (most: number) => Math.floor(most * random() * random() * random());
  const explanations: unknown[] = [];
  for (let seen = 0; seen < 1 << signalNames.length; seen += 1) {
    for (let session = 0; session < sessionsPerSubset; session += 1) {
      const signals: Signals = {
        user_engagement: random(),
        session_duration: drawAmount(30_000),
        scroll_depth: random(),
        interaction_count: drawAmount(1_000),
        page_views: drawAmount(600),
        return_visitor: random() < 0.5,
      };
      for (const [index, name] of signalNames.entries()) if ((seen & (1 << index)) === 0) delete signals[name];
      const { baseValue, contributions, unroundedScore, interval } = model.explain(signals);
      explanations.push([model.score(signals), baseValue, contributions, unroundedScore, interval]);
    }
  }
  return sha256Of(JSON.stringify(explanations));
}
