import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BadStream, createLineWriter, type Line, parseRow, readLines, rowText } from "./export-format.ts";

const header = { assay_export: 1, version: "0.1.0", exported_at: "2026-01-01T00:00:00.000Z", migrations: ["0001-foundation"], fingerprint: null };

async function writeStream(rows: readonly (readonly unknown[])[]): Promise<Buffer> {
  const parts: string[] = [];
  const writer = createLineWriter(async (text) => void parts.push(text));
  await writer.write([JSON.stringify(header), JSON.stringify({ table: "tiers", columns: ["name"] })]);
  await writer.write(rows.map(rowText));
  await writer.end({ tiers: rows.length });
  return Buffer.from(parts.join(""));
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readAll(bytes: Buffer, chunkSize = 7): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(inChunks(bytes, chunkSize))) lines.push(line);
  return lines;
}

const isRefused = (bytes: Buffer) => assert.rejects(readAll(bytes, 64 * 1024), BadStream);

const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: "grapheme" }),
  fc.maxSafeInteger(),
  // JSON has no negative zero, and no column contains one.
  fc.double({ noDefaultInfinity: true, noNaN: true }).filter((number) => !Object.is(number, -0)),
  fc.uint8Array({ maxLength: 40 }),
);

describe("the stream between export and import", () => {
  it("round-trips every value exactly, however it is split into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), fc.integer({ min: 1, max: 300 }), async (rows, chunkSize) => {
        const lines = await readAll(await writeStream(rows), chunkSize);
        const read = lines.flatMap((line) => (line.kind === "row" ? [parseRow(line.text)] : []));
        const sent = rows.map((row) => row.map((each) => (each instanceof Uint8Array ? Buffer.from(each) : each)));
        assert.deepEqual(read, sent);
        assert.equal(lines.at(-1)?.kind, "end");
      }),
      { numRuns: 200 },
    );
  });

  it("is refused when it is truncated anywhere", async () => {
    const bytes = await writeStream([["Starter"], ["Grün"]]);
    for (let length = 0; length < bytes.length; length += 1) await isRefused(bytes.subarray(0, length));
  });

  it("is refused when any byte of it has changed", async () => {
    const bytes = await writeStream([["Starter"], ["Grün"]]);
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = altered[at]! ^ 1;
      await isRefused(altered);
    }
  });

  it("is refused when text follows its end line, or when a line never ends", async () => {
    const bytes = await writeStream([]);
    for (const more of ['["more"]\n', "more"]) await isRefused(Buffer.concat([bytes, Buffer.from(more)]));
    await isRefused(Buffer.concat([Buffer.from("["), Buffer.alloc(17 * 1024 * 1024, "1")]));
  });

  it("refuses numbers that JSON cannot represent", () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => rowText([number]), /not finite/);
  });
});
