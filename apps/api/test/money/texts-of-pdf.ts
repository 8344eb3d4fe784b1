import { inflateSync } from "node:zlib";

/** The texts of a PDF with standard fonts, in drawing order. */
export function textsOf(pdf: Buffer): string {
  const latin1 = pdf.toString("latin1");
  // By their length: a stream may itself end in a line break.
  const streams = [...latin1.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g)].map(({ 0: head, 1: length, index }) => {
    const start = index + head.length;
    const bytes = pdf.subarray(start, start + Number(length));
    try {
      return inflateSync(bytes).toString("latin1");
    } catch {
      return "";
    }
  });
  const drawn = streams.join("\n").matchAll(/\[((?:<[0-9a-f]*>|[-\d.\s])*)\] TJ/g);
  return [...drawn].map(([, parts]) => [...parts!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => Buffer.from(hex!, "hex").toString("latin1")).join("")).join("\n");
}
