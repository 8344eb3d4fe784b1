import type { Faults } from "./input-fault.ts";
import type { Row } from "./read-table.ts";

type Bounds = { least?: number; most?: number; isWhole?: boolean };

/** Reads the cells of one row. What does not fit is added to the faults, and a stand-in is returned. */
export type Cells = {
  text(column: string): string;
  number(column: string, bounds: Bounds): number;
  /** Empty means not measured. */
  optionalNumber(column: string, bounds: Bounds): number | undefined;
  choice<Value>(column: string, values: ReadonlyMap<string, Value>): Value;
};

export function readCells(name: string, row: Row, faults: Faults): Cells {
  const cellOf = (column: string) => (row.cells.get(column) as string).trim();
  const refuse = (column: string, expected: string) =>
    faults.add(`${name}:${row.line}, column ${column}: got ${JSON.stringify(cellOf(column))}, expected ${expected}`);
  const number = (column: string, bounds: Bounds) => {
    const cell = cellOf(column);
    const value = Number(cell);
    if (cell !== "" && isWithin(value, bounds)) return value;
    refuse(column, describeBounds(bounds));
    return bounds.least ?? 0;
  };
  return {
    number,
    text: (column) => {
      const cell = cellOf(column);
      if (cell === "") refuse(column, "a text");
      return cell;
    },
    optionalNumber: (column, bounds) => (cellOf(column) === "" ? undefined : number(column, bounds)),
    choice: (column, values) => {
      const found = values.get(cellOf(column));
      if (found !== undefined) return found;
      refuse(column, `one of ${[...values.keys()].join(", ")}`);
      return [...values.values()][0] as never;
    },
  };
}

function isWithin(value: number, { least = -Infinity, most = Infinity, isWhole = false }: Bounds): boolean {
  return Number.isFinite(value) && value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

function describeBounds({ least, most, isWhole }: Bounds): string {
  const kind = isWhole ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  return least === undefined ? kind : `${kind} of at least ${least}`;
}
