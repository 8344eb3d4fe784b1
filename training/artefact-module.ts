import type { Artefact } from "../packages/scoring/src/artefact.ts";

const bytesMax = 80_000;
const lineWidth = 110;

/** Writes a TypeScript module rather than JSON: Node and every bundler import it in the same way. */
export function artefactModule(artefact: Artefact): string {
  const text = [
    "// Written by the training command; see docs/model-card.md. Never edited, never changed once released.",
    'import type { Artefact } from "../artefact.ts";',
    "",
    `export const artefact: Artefact = ${literal(artefact, "")};`,
    "",
  ].join("\n");
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > bytesMax) throw new Error(`the artefact has ${bytes} bytes, more than ${bytesMax}`);
  return text;
}

/** Like JSON, but values that fit on a line stay on one line, and so do all lists of numbers. */
function literal(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || flat.length + indent.length <= lineWidth) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "number")) return flat;
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${indent}]`;
  }
  const printMember = ([key, member]: [string, unknown]) => `${inner}${JSON.stringify(key)}: ${literal(member, inner)},\n`;
  return `{\n${Object.entries(value).map(printMember).join("")}${indent}}`;
}
