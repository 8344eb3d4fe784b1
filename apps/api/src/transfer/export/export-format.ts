/**
 * The stream between `export` and `import`: JSON lines, described in docs/backup.md.
 *
 *   {"assay_export":1,"version":…,"exported_at":…,"migrations":[…],"fingerprint":…}    first line
 *   {"table":"accounts","columns":["id",…]}                                           before each table's rows
 *   ["acct_…",…]                                                                      a row, in the order of the columns
 *   {"end":true,"rows":{"accounts":2,…},"sha256":"…"}                                 last line: hash over all bytes before it, and `rows`
 *
 * Values are JSON values; bytes are {"base64":"…"}.
 */
import { createHash } from "node:crypto";

export const formatVersion = 1;
/** The longest line is a 2 MiB image in base64; this leaves ample room. */
const lineBytesMax = 16 * 1024 * 1024;
const newline = 10;

export type ExportHeader = {
  assay_export: number;
  version: string;
  exported_at: string;
  migrations: string[];
  /** The secret's fingerprint; null when no secret was ever used. */
  fingerprint: string | null;
};
export type TableHeader = { table: string; columns: string[] };
export type ExportEnd = { end: true; rows: Record<string, number>; sha256: string };

export type Line =
  | { kind: "header"; header: ExportHeader }
  | { kind: "table"; table: TableHeader }
  /** Unparsed: PostgreSQL takes it as it is. */
  | { kind: "row"; text: string }
  | { kind: "end"; end: ExportEnd };

/** The input is not an export, or was truncated or altered. */
export class BadStream extends Error {
  readonly kind: "not_an_export" | "cut_short" | "altered";
  constructor(kind: BadStream["kind"]) {
    super(kind);
    this.name = "BadStream";
    this.kind = kind;
  }
}

const toJson = (value: unknown): unknown => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value);

export function rowText(values: readonly unknown[]): string {
  // JSON would turn it into null.
  const isLost = (value: unknown) => typeof value === "number" && !Number.isFinite(value);
  if (values.some(isLost)) throw new Error("a number that is not finite cannot be exported");
  return JSON.stringify(values.map(toJson));
}

export const parseRow = (text: string): unknown[] =>
  (JSON.parse(text) as unknown[]).map((value) =>
    typeof value === "object" && value !== null ? Buffer.from((value as { base64: string }).base64, "base64") : value,
  );

/** Yields complete lines; text after the last newline means the stream was truncated. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, bytes.subarray(from, at)]);
      pieces = [];
      pieceBytes = 0;
      from = at + 1;
    }
    pieces.push(bytes.subarray(from));
    pieceBytes += bytes.length - from;
    if (pieceBytes > lineBytesMax) throw new BadStream("not_an_export");
  }
  if (pieceBytes > 0) throw new BadStream("cut_short");
}

function parseLine(text: string): Line {
  if (text.startsWith("[")) return { kind: "row", text };
  let value: Partial<ExportHeader & TableHeader & ExportEnd> | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw new BadStream("not_an_export");
  }
  if (value?.assay_export !== undefined && Array.isArray(value.migrations)) return { kind: "header", header: value as ExportHeader };
  if (value?.table !== undefined && Array.isArray(value.columns)) return { kind: "table", table: value as TableHeader };
  if (value?.end === true && typeof value.rows === "object") return { kind: "end", end: value as ExportEnd };
  throw new BadStream("not_an_export");
}

/** Yields the lines. Only the end line, whose hash covers all lines before it, makes them trustworthy. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const hash = createHash("sha256");
  let hasEnded = false;
  for await (const bytes of splitLines(chunks)) {
    if (hasEnded) throw new BadStream("altered");
    const line = parseLine(bytes.toString("utf8"));
    if (line.kind === "end") {
      if (hash.update(JSON.stringify(line.end.rows)).digest("hex") !== line.end.sha256) throw new BadStream("altered");
      hasEnded = true;
    } else {
      hash.update(bytes).update("\n");
    }
    yield line;
  }
  if (!hasEnded) throw new BadStream("cut_short");
}

export type LineWriter = {
  write(lines: readonly string[]): Promise<void>;
  end(rows: Record<string, number>): Promise<{ sha256: string; bytes: number }>;
};

export function createLineWriter(write: (text: string) => Promise<void>): LineWriter {
  const hash = createHash("sha256");
  let bytes = 0;
  const put = async (text: string) => {
    bytes += Buffer.byteLength(text);
    await write(text);
  };
  return {
    async write(lines) {
      const text = lines.map((line) => `${line}\n`).join("");
      hash.update(text);
      await put(text);
    },
    async end(rows) {
      const sha256 = hash.update(JSON.stringify(rows)).digest("hex");
      await put(`${JSON.stringify({ end: true, rows, sha256 } satisfies ExportEnd)}\n`);
      return { sha256, bytes };
    },
  };
}
