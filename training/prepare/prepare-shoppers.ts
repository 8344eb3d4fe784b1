import { Faults } from "./input-fault.ts";
import type { PreparedSession, PreparedSource } from "./prepared-session.ts";
import { noticeOf, roundTo, rowIdOf } from "./prepared-session.ts";
import { readCells } from "./read-cells.ts";
import type { InputFile, Row } from "./read-table.ts";
import { readTable } from "./read-table.ts";

export const shoppersSource = "uci_online_shoppers";

const pageKinds = ["Administrative", "Informational", "ProductRelated"] as const;

export const shoppersForm = {
  what: "online_shoppers_intention.csv of UCI dataset 468 (12,330 sessions, 18 columns)",
  columns: [
    ...pageKinds.flatMap((kind) => [kind, `${kind}_Duration`]),
    "BounceRates",
    "ExitRates",
    "PageValues",
    "SpecialDay",
    "Month",
    "OperatingSystems",
    "Browser",
    "Region",
    "TrafficType",
    "VisitorType",
    "Weekend",
    "Revenue",
  ],
} as const;

/** The largest bounce rate in the data, of pages that nobody goes on from. */
const bounceRateMax = 0.2;
const visitorTypes: ReadonlyMap<string, boolean | "unknown"> = new Map<string, boolean | "unknown">([
  ["Returning_Visitor", true],
  ["New_Visitor", false],
  ["Other", "unknown"],
]);
/** A spreadsheet writes TRUE, pandas writes True. */
const revenues: ReadonlyMap<string, 0 | 1> = new Map([["TRUE", 1], ["FALSE", 0], ["True", 1], ["False", 0]]);

export function prepareShoppers(file: InputFile): PreparedSource {
  const faults = new Faults();
  const timesSeen = new Map<string, number>();
  const repeated: number[] = [];
  const sessions = readTable(file, shoppersForm).map((row): PreparedSession => {
    const cells = readCells(file.name, row, faults);
    const sumOf = (columns: readonly string[], isWhole: boolean) =>
      columns.reduce((sum, column) => sum + cells.number(column, { least: 0, isWhole }), 0);
    const visitor = cells.choice("VisitorType", visitorTypes);
    const identity = identityOf(row);
    const times = timesSeen.get(identity) ?? 0;
    if (times > 0) repeated.push(row.line);
    timesSeen.set(identity, times + 1);
    return {
      // Equal rows are different sessions: the first, the second and so on get ids of their own.
      rowId: rowIdOf(shoppersSource, `${identity}\n${times}`),
      userEngagement: roundTo(1 - cells.number("BounceRates", { least: 0, most: bounceRateMax }) / bounceRateMax, 4),
      sessionDurationSeconds: roundTo(sumOf(pageKinds.map((kind) => `${kind}_Duration`), false), 1),
      interactionCount: undefined,
      pageViews: sumOf(pageKinds, true),
      isReturning: visitor === "unknown" ? undefined : visitor,
      label: cells.choice("Revenue", revenues),
      task: "engaged",
      source: shoppersSource,
    };
  });
  faults.throwIfAny();
  return { sessions, notices: noticeOf(repeated, "the same in all columns as an earlier one; kept, as in the original") };
}

/** The values and not their spelling: copies of the file write 7.5E-05 and 7.50E-05, TRUE and True. */
function identityOf({ cells }: Row): string {
  return shoppersForm.columns
    .map((column) => cells.get(column) as string)
    .map((cell) => (cell !== "" && Number.isFinite(Number(cell)) ? String(Number(cell)) : cell.toLowerCase()))
    .join(",");
}
