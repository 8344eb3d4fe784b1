import { inflateSync } from "node:zlib";

/** The texts of a PDF with standard fonts, in drawing order. */
export function textsOf(pdf: Buffer): string {
  const latin1 = pdf.toString("latin1");
  const streams = [...latin1.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body]) => {
    const bytes = Buffer.from(body!, "latin1");
    try {
      return inflateSync(bytes).toString("latin1");
    } catch {
      return "";
    }
  });
  const drawn = streams.join("\n").matchAll(/\[((?:<[0-9a-f]*>|[-\d.\s])*)\] TJ/g);
  return [...drawn].map(([, parts]) => [...parts!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => Buffer.from(hex!, "hex").toString("latin1")).join("")).join("\n");
}
