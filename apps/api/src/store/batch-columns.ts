/**
 * A batch is sent as columns: one array per field is much cheaper to pass to the writer's thread, or to PostgreSQL, than
 * one object per item. The fields of an item are described once; arrays, parameters and SQL are derived from that.
 */

type Value = string | number | null;

export type Field<Item> = {
  /** In PostgreSQL. */
  type: "text" | "bigint" | "float8";
  of: (item: Item) => Value;
  /** For text from callers, which an array literal must quote. Our own ids and codes need no quotes. */
  quoted?: true;
};

export type Fields<Item> = Readonly<Record<string, Field<Item>>>;

export type ColumnsOf<Described> = {
  [Name in keyof Described]: Described[Name] extends { of: (item: never) => infer Value } ? Value[] : never;
};

export function toColumns<Item, Described extends Fields<Item>>(fields: Described, items: readonly Item[]): ColumnsOf<Described> {
  const columns = Object.entries(fields).map(([name, { of }]) => [name, items.map(of)]);
  return Object.fromEntries(columns) as ColumnsOf<Described>;
}

const plainArray = (values: readonly Value[]) =>
  `{${values.includes(null) ? values.map((value) => value ?? "NULL").join(",") : values.join(",")}}`;

const quotedArray = (values: readonly Value[]) =>
  `{${values.map((value) => (value === null ? "NULL" : `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(",")}}`;

/** The columns as PostgreSQL array literals, in the order of the fields. */
export function toParameters<Described extends Fields<never>>(
  fields: Described,
  columns: { readonly [Name in keyof Described]: readonly Value[] },
): string[] {
  return Object.entries(fields).map(([name, { quoted }]) => (quoted ? quotedArray : plainArray)(columns[name]!));
}

/** `accountId` becomes `account_id`. */
export const toSqlName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `INSERT INTO … VALUES (?, …)` for one row. */
export const insertText = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
