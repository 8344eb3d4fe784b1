import { readFileSync } from "node:fs";
import type { Artefact, PlainCheck, TimedCheck } from "../packages/scoring/src/artefact.ts";
import {
  calibrationTable,
  certaintyTable,
  checksTable,
  discriminationTable,
  leftOutTable,
  levelsTable,
  missingTable,
  otherFiguresTable,
} from "./report.ts";
import type { Table } from "./report.ts";
import { sha256Of } from "./report-file.ts";
import type { ReportFile } from "./report-file.ts";

/** Fills every `{{name}}` of the template from the artefact and the text of its report. An unknown or unused name is a bug. */
export function modelCard(artefact: Artefact, reportText: string): string {
  const template = readFileSync(new URL("./model-card-template.md", import.meta.url), "utf8");
  const parts: Record<string, string> = { ...partsOf(artefact, JSON.parse(reportText) as ReportFile), report_digest: sha256Of(reportText) };
  const used = new Set<string>();
  const text = template.replaceAll(/\{\{([a-z_]+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`the template of the model card uses {{${name}}}, which is unknown`);
    used.add(name);
    return part;
  });
  const unused = Object.keys(parts).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`the template of the model card does not use ${unused.join(", ")}`);
  return text;
}

function partsOf(artefact: Artefact, report: ReportFile): Record<string, string> {
  const { evaluation, checks } = report;
  const failed = checks.filter(({ isMet }) => !isMet);
  return {
    version: artefact.version,
    verdict: failed.length === 0 ? "All requirements are met." : `${failed.length} of ${checks.length} requirements are not met; they are marked FAIL.`,
    checks: drawTable(checksTable(checks)),
    discrimination: drawTable(discriminationTable(evaluation)),
    calibration: drawTable(calibrationTable(evaluation)),
    levels: drawTable(levelsTable(evaluation)),
    left_out: drawTable(leftOutTable(evaluation)),
    certainty: drawTable(certaintyTable(evaluation)),
    missing: drawTable(missingTable(evaluation)),
    figures: drawTable(otherFiguresTable(report)),
    sources: drawTable([
      ["Source", "Task", "Sessions", "Origin", "Licence", "Use"],
      ...artefact.sources.map((source) => {
        const { name, task, rows, origin, licence, use } = source;
        return [name, task, String(rows), origin, licence, use];
      }),
    ]),
    files: drawTable([
      ["File", "Sessions", "SHA-256"],
      ...artefact.files.map(({ name, rows, sha256 }) => [name, String(rows), sha256]),
    ]),
    gate: drawTable([
      ["Reason code", "Closes from", "Closed at"],
      ...artefact.gate.checks
        .filter((check): check is PlainCheck => !("given" in check))
        .map(({ code, closesFrom, closedAt }) => [`\`${code}\``, String(closesFrom), String(closedAt)]),
    ]),
    timed_gate: drawTable(timedTable(artefact.gate.checks.filter((check): check is TimedCheck => "given" in check))),
    return_points: returnSentence(artefact.curves.return_visitor.values),
  };
}

/** One row per length of a session, one column per check. */
function timedTable(checks: readonly TimedCheck[]): Table {
  const knots = checks[0]?.given.knots ?? [];
  return [
    ["Seconds", ...checks.map(({ code }) => `\`${code}\``)],
    ...knots.map((knot, index) => [String(knot), ...checks.map(({ given }) => String(given.closesFrom[index]))]),
  ];
}

function returnSentence(values: readonly number[]): string {
  const rise = (values.at(-1) ?? 0) - (values[0] ?? 0);
  return rise === 0 ? "In this fit the signal adds nothing." : `In this fit a returning visitor gains ${rise.toFixed(3)} log-odds.`;
}

function drawTable(table: Table): string {
  const [header = [], ...rows] = table;
  const drawRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [drawRow(header), drawRow(header.map(() => "---")), ...rows.map(drawRow)].join("\n");
}
