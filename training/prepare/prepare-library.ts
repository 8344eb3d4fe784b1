import { activeShare } from "./active-share.ts";
import { Faults } from "./input-fault.ts";
import type { PreparedSession, PreparedSource } from "./prepared-session.ts";
import { noticeOf, roundTo, rowIdOf } from "./prepared-session.ts";
import type { Cells } from "./read-cells.ts";
import { readCells } from "./read-cells.ts";
import type { InputFile } from "./read-table.ts";
import { readTable } from "./read-table.ts";

export const librarySource = "auth_library_logs";

export const libraryForm = {
  what: "simple_features.csv of Zenodo record 3477932 (67,352 sessions, 32 columns)",
  columns: [
    "ID",
    "NUMBER_OF_REQUESTS",
    "TOTAL_DURATION",
    "AVERAGE_TIME",
    "STANDARD_DEVIATION",
    "REPEATED_REQUESTS",
    "HTTP_RESPONSE_2XX",
    "HTTP_RESPONSE_3XX",
    "HTTP_RESPONSE_4XX",
    "HTTP_RESPONSE_5XX",
    "GET_METHOD",
    "POST_METHOD",
    "HEAD_METHOD",
    "OTHER_METHOD",
    "NIGHT",
    "UNASSIGNED",
    "IMAGES",
    "TOTAL_HTML",
    "HTML_TO_IMAGE",
    "HTML_TO_CSS",
    "HTML_TO_JS",
    "WIDTH",
    "DEPTH",
    "STD_DEPTH",
    "CONSECUTIVE",
    "DATA",
    "PPI",
    "SF_REFERRER",
    "SF_FILETYPE",
    "MAX_BARRAGE",
    "PENALTY",
    "ROBOT",
  ],
} as const;

/** The authors end a session after half an hour without a request, so no mean gap is longer. */
const gapSecondsMax = 1_800;
const share = { least: 0, most: 1 };
const labels: ReadonlyMap<string, 0 | 1> = new Map([["0", 1], ["1", 0]]);
/** Shares are printed with all digits; a count computed from one is this close to a whole number. */
const countTolerance = 0.01;

/** Lines in which two columns disagree. The published description does not rule that out, so they are only counted. */
type Oddities = { notWhole: number[]; negative: number[]; meanGap: number[]; noDeviation: number[]; withoutHtml: number[] };

export function prepareLibrary(file: InputFile): PreparedSource {
  const faults = new Faults();
  const odd: Oddities = { notWhole: [], negative: [], meanGap: [], noDeviation: [], withoutHtml: [] };
  const lineOfId = new Map<string, number>();
  const sessions = readTable(file, libraryForm).map((row): PreparedSession => {
    const cells = readCells(file.name, row, faults);
    const id = cells.text("ID");
    const earlier = lineOfId.get(id);
    if (earlier !== undefined) faults.add(`${file.name}:${row.line}, column ID: ${id} is also in line ${earlier}`);
    lineOfId.set(id, row.line);
    const sessionDurationSeconds = cells.number("TOTAL_DURATION", { least: 0, isWhole: true });
    return {
      rowId: rowIdOf(librarySource, id),
      userEngagement: engagementOf(cells, sessionDurationSeconds, (kind) => odd[kind].push(row.line)),
      sessionDurationSeconds,
      ...countsOf(cells, (kind) => odd[kind].push(row.line)),
      isReturning: undefined,
      label: cells.choice("ROBOT", labels),
      task: "human",
      source: librarySource,
    };
  });
  faults.throwIfAny();
  return { sessions, notices: describeOddities(odd) };
}

/** Not measured for a session of zero length. */
function engagementOf(cells: Cells, durationSeconds: number, note: (kind: keyof Oddities) => void): number | undefined {
  const requests = cells.number("NUMBER_OF_REQUESTS", { least: 1, isWhole: true });
  const mean = cells.number("AVERAGE_TIME", { least: 0, most: gapSecondsMax });
  const deviation = cells.optionalNumber("STANDARD_DEVIATION", { least: 0 });
  if (durationSeconds === 0) return undefined;
  const ownMean = durationSeconds / Math.max(1, requests - 1);
  if (Math.abs(mean - ownMean) > 0.001 * Math.max(1, ownMean)) note("meanGap");
  if (deviation === undefined) note("noDeviation");
  return roundTo(activeShare(mean > 0 ? mean : ownMean, deviation ?? 0), 4);
}

/** Pages are requests for HTML. Interactions are requests for neither HTML, images, style sheets nor scripts. */
function countsOf(cells: Cells, note: (kind: keyof Oddities) => void): Pick<PreparedSession, "pageViews" | "interactionCount"> {
  const requests = cells.number("NUMBER_OF_REQUESTS", { least: 1, isWhole: true });
  const html = cells.number("TOTAL_HTML", share) * requests;
  const pageViews = Math.round(html);
  const images = cells.number("IMAGES", share) * requests;
  const styleSheets = cells.number("HTML_TO_CSS", { least: 0 }) * pageViews;
  const scripts = cells.number("HTML_TO_JS", { least: 0 }) * pageViews;
  const counts = [html, images, styleSheets, scripts];
  if (counts.some((count) => Math.abs(count - Math.round(count)) > countTolerance)) note("notWhole");
  const others = requests - counts.reduce((sum, count) => sum + Math.round(count), 0);
  if (others < 0) note("negative");
  const hasRatio = cells.number("HTML_TO_CSS", { least: 0 }) + cells.number("HTML_TO_JS", { least: 0 }) > 0;
  if (pageViews === 0 && hasRatio) note("withoutHtml");
  return { pageViews, interactionCount: Math.max(0, others) };
}

function describeOddities({ notWhole, negative, meanGap, noDeviation, withoutHtml }: Oddities): string[] {
  return [
    ...noticeOf(notWhole, "a share times the number of requests is not a whole number; it was rounded"),
    ...noticeOf(negative, "more HTML, images, style sheets and scripts than requests; counted as no interaction"),
    ...noticeOf(meanGap, "AVERAGE_TIME is not TOTAL_DURATION / (NUMBER_OF_REQUESTS - 1); AVERAGE_TIME was used"),
    ...noticeOf(noDeviation, "a duration, but no STANDARD_DEVIATION; all gaps were taken as equal"),
    ...noticeOf(withoutHtml, "no HTML, but a ratio of style sheets or scripts to it; those count as interactions"),
  ];
}
