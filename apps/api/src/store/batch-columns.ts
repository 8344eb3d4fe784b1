/**
 * The fields of an item are described once. What PostgreSQL gets (one array per field), what SQLite's writer thread gets
 * (see `packRows`), and the SQL of both are derived from that.
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

/** A batch for the writer thread. Three values cross to it much faster than an array per field, and those faster than an object per item. */
export type PackedRows = {
  /** Row by row. NaN stands for null: SQLite binds it as NULL. */
  numbers: Float64Array;
  /** Our own ids and codes, row by row, joined by line feeds. An empty one stands for null. */
  texts: string;
  /** Texts from callers, row by row. */
  quoted: (string | null)[];
};

const namesWhere = <Described extends Fields<never>>(fields: Described, isWanted: (field: Field<never>) => boolean): (keyof Described & string)[] =>
  Object.keys(fields).filter((name) => isWanted(fields[name]!));

/** The names of the fields in each part of a packed row, in their order. */
export const layOut = <Described extends Fields<never>>(fields: Described) => ({
  numbers: namesWhere(fields, ({ type }) => type !== "text"),
  texts: namesWhere(fields, ({ type, quoted }) => type === "text" && !quoted),
  quoted: namesWhere(fields, ({ quoted }) => quoted === true),
});

export function createPacker<Item>(fields: Fields<Item>): (items: readonly Item[]) => PackedRows {
  const layout = layOut(fields);
  const numberOf = layout.numbers.map((name) => fields[name]!.of as (item: Item) => number | null);
  const textOf = layout.texts.map((name) => fields[name]!.of as (item: Item) => string | null);
  const quotedOf = layout.quoted.map((name) => fields[name]!.of as (item: Item) => string | null);
  return (items) => {
    const numbers = new Float64Array(items.length * numberOf.length);
    const quoted: (string | null)[] = [];
    let texts = "";
    let filled = 0;
    for (const item of items) {
      for (const of of numberOf) numbers[filled++] = of(item) ?? Number.NaN;
      for (const of of textOf) texts += `${of(item) ?? ""}\n`;
      for (const of of quotedOf) quoted.push(of(item));
    }
    return { numbers, texts, quoted };
  };
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
