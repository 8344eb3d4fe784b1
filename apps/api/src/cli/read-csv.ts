import { createReadStream } from "node:fs";
import { Refusal } from "./refusal.ts";

/** One record of a CSV file: a line, or several when a quoted cell contains line breaks. */
export type CsvRecord = {
  /** The line where it begins, counted from 1. */
  line: number;
  /** The raw text without its line break. */
  text: string;
  cells: string[];
};

const chunkBytes = 256 * 1024;
/** A longer record has an unclosed quotation mark. */
const recordCharactersMax = 1024 * 1024;
/** The UTF-8 byte order mark, read as single bytes. */
const byteOrderMark = "\u00EF\u00BB\u00BF";

/** Reads a file in batches of records. Bytes are read as latin1, so that unused columns stay unchanged in any encoding. */
export async function* readCsv(path: string, onBytes: (bytes: number) => void): AsyncGenerator<CsvRecord[]> {
  let rest = "";
  let line = 1;
  let isStart = true;
  for await (const chunk of createReadStream(path, { encoding: "latin1", highWaterMark: chunkBytes }) as AsyncIterable<string>) {
    onBytes(chunk.length);
    let text = rest + chunk;
    // The mark has three characters; a shorter file is read below.
    if (isStart && text.length >= byteOrderMark.length) {
      if (text.startsWith(byteOrderMark)) text = text.slice(byteOrderMark.length);
      isStart = false;
    }
    const taken = takeRecords(text, line);
    rest = taken.rest;
    line = taken.line;
    if (taken.records.length > 0) yield taken.records;
  }
  if (rest === "") return;
  if (countOf('"', rest) % 2 === 1) throw new Refusal(`line ${line}: a quotation mark is not closed`);
  yield [toRecord(rest, line)];
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Takes all complete records: a line break ends a record if the number of quotation marks before it is even. */
function takeRecords(text: string, firstLine: number): { records: CsvRecord[]; rest: string; line: number } {
  const records: CsvRecord[] = [];
  let line = firstLine;
  let start = 0;
  let lineStart = 0;
  let isQuoted = false;
  let linesInside = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", lineStart)) {
    if (countOf('"', text.slice(lineStart, end)) % 2 === 1) isQuoted = !isQuoted;
    lineStart = end + 1;
    linesInside += 1;
    if (isQuoted) continue;
    records.push(toRecord(text.slice(start, end), line));
    line += linesInside;
    linesInside = 0;
    start = lineStart;
  }
  const rest = text.slice(start);
  if (rest.length > recordCharactersMax) throw new Refusal(`line ${line}: a quotation mark is not closed, or the line is longer than 1 MiB`);
  return { records, rest, line };
}

function toRecord(written: string, line: number): CsvRecord {
  const text = written.endsWith("\r") ? written.slice(0, -1) : written;
  return { line, text, cells: text.includes('"') ? splitQuoted(text, line) : text.split(",") };
}

/** `"` quotes a cell only at its start; inside, `""` is one mark. */
function splitQuoted(text: string, line: number): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] === '"') {
      let cell = "";
      let open = at + 1;
      let close = text.indexOf('"', open);
      while (close !== -1 && text[close + 1] === '"') {
        cell += text.slice(open, close + 1);
        open = close + 2;
        close = text.indexOf('"', open);
      }
      const isEnded = close !== -1 && (close + 1 === text.length || text[close + 1] === ",");
      if (!isEnded) throw new Refusal(`line ${line}, column ${cells.length + 1}: text follows a closing quotation mark`);
      cells.push(cell + text.slice(open, close));
      at = close + 1;
    } else {
      const comma = text.indexOf(",", at);
      const cell = comma === -1 ? text.slice(at) : text.slice(at, comma);
      if (cell.includes('"')) throw new Refusal(`line ${line}, column ${cells.length + 1}: a quotation mark is inside an unquoted cell`);
      cells.push(cell);
      at += cell.length;
    }
    if (at >= text.length) return cells;
    at += 1;
  }
}
