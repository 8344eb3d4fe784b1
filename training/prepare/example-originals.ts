import { libraryForm } from "./prepare-library.ts";
import { shoppersForm } from "./prepare-shoppers.ts";
import type { InputFile } from "./read-table.ts";

// Made-up sessions in the form of the originals, for tests without them.

type LibraryRequests = { html: number; images: number; css: number; js: number; others: number };

/** A line of the library's file, in which the other columns are computed from the requests and their gaps as there. */
export function libraryLine(
  id: string,
  { html, images, css, js, others }: LibraryRequests,
  { gaps, isRobot }: { gaps: readonly number[]; isRobot: boolean },
): Record<string, string> {
  const requests = html + images + css + js + others;
  const duration = gaps.reduce((sum, gap) => sum + gap, 0);
  const mean = gaps.length === 0 ? 0 : duration / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  const zeros = Object.fromEntries(libraryForm.columns.map((column) => [column, "0.0"]));
  return {
    ...zeros,
    ID: id,
    NUMBER_OF_REQUESTS: String(requests),
    TOTAL_DURATION: String(duration),
    AVERAGE_TIME: String(mean),
    STANDARD_DEVIATION: gaps.length === 0 ? "" : String(Math.sqrt(variance)),
    IMAGES: String(images / requests),
    TOTAL_HTML: String(html / requests),
    HTML_TO_CSS: String(html === 0 ? 0 : css / html),
    HTML_TO_JS: String(html === 0 ? 0 : js / html),
    ROBOT: isRobot ? "1" : "0",
  };
}

/** A line of the shoppers' file with three pages; `changes` are cells that differ. */
export const shoppersLine = (changes: Record<string, string> = {}): Record<string, string> => ({
  Administrative: "1",
  Administrative_Duration: "10.5",
  Informational: "0",
  Informational_Duration: "0",
  ProductRelated: "2",
  ProductRelated_Duration: "64.25",
  BounceRates: "0.05",
  ExitRates: "0.1",
  PageValues: "0",
  SpecialDay: "0",
  Month: "Feb",
  OperatingSystems: "2",
  Browser: "2",
  Region: "1",
  TrafficType: "2",
  VisitorType: "Returning_Visitor",
  Weekend: "FALSE",
  Revenue: "FALSE",
  ...changes,
});

export function fileOf(name: string, columns: readonly string[], lines: readonly Record<string, string>[]): InputFile {
  const text = [columns.join(","), ...lines.map((line) => columns.map((column) => line[column] ?? "").join(","))].join("\n");
  return { name, bytes: Buffer.from(`${text}\n`) };
}

export const libraryFile = (lines: readonly Record<string, string>[]) => fileOf("simple_features.csv", libraryForm.columns, lines);
export const shoppersFile = (lines: readonly Record<string, string>[]) =>
  fileOf("online_shoppers_intention.csv", shoppersForm.columns, lines);
