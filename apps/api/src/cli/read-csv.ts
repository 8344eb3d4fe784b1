import { createReadStream } from "node:fs";
import { Refusal } from "./refusal.ts";

/** One record of a CSV file: a line, or several when a quoted cell holds line breaks. */
export type CsvRecord = {
  /** Where it begins, from 1. */
  line: number;
  /** As it was written, without its line break. */
  text: string;
  cells: string[];
};

const chunkBytes = 256 * 1024;
/** A record longer than this is a quotation mark that nobody closed. */
const recordCharactersMax = 1024 * 1024;
/** The UTF-8 byte order mark, read as single bytes. */
const byteOrderMark = "\u00EF\u00BB\u00BF";

/**
 * Reads a file in batches of records. Bytes are taken as they are (latin1), so that columns nobody looks
 * at come out again unchanged, whatever their encoding.
 */
export async function* readCsv(path: string, onBytes: (bytes: number) => void): AsyncGenerator<CsvRecord[]> {
  let rest = "";
  let line = 1;
  let isStart = true;
  for await (const chunk of createReadStream(path, { encoding: "latin1", highWaterMark: chunkBytes }) as AsyncIterable<string>) {
    onBytes(chunk.length);
    let text = rest + chunk;
    // Three characters are needed to tell; a shorter file is read below.
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

/** All records that are complete: a line break ends one where the quotation marks before it are even. */
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
  refuseEndless(rest, line);
  return { records, rest, line };
}

function refuseEndless(record: string, line: number): void {
  if (record.length > recordCharactersMax) throw new Refusal(`line ${line}: a quotation mark is not closed, or the line is longer than 1 MiB`);
}

function toRecord(written: string, line: number): CsvRecord {
  const text = written.endsWith("\r") ? written.slice(0, -1) : written;
  return { line, text, cells: text.includes('"') ? splitQuoted(text, line) : text.split(",") };
}

/** `"` opens a cell only at its start; within, `""` is one mark. */
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
      if (cell.includes('"')) throw new Refusal(`line ${line}, column ${cells.length + 1}: a quotation mark stands inside a cell that is not quoted`);
      cells.push(cell);
      at += cell.length;
    }
    if (at >= text.length) return cells;
    at += 1;
  }
}
