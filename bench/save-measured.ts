import { readFileSync, writeFileSync } from "node:fs";
import type { FailoverMeasured, Measured } from "./measured.ts";

const file = new URL("./measured.json", import.meta.url);

export const readMeasured = (): Measured => JSON.parse(readFileSync(file, "utf8")) as Measured;

/** Replaces these parts of bench/measured.json and leaves the others as they are. */
export function saveMeasured(parts: Partial<Measured>): void {
  writeFileSync(file, `${JSON.stringify({ ...readMeasured(), ...parts }, undefined, 2)}\n`);
}

/** The JSON lines of a fault suite's output: see the head of bench/capacity.ts. The last line of each fault counts. */
export function parseFailovers(text: string): FailoverMeasured[] {
  const found = new Map<string, FailoverMeasured>();
  for (const json of text.match(/\{"failover":\{.*\}\}/g) ?? []) {
    const { fault, times, medianSeconds, longestSeconds } = (JSON.parse(json) as { failover: FailoverMeasured }).failover;
    if (typeof fault !== "string" || ![times, medianSeconds, longestSeconds].every(Number.isFinite)) throw new Error(`not a measurement of a failover: ${json}`);
    found.set(fault, { fault, times, medianSeconds, longestSeconds });
  }
  if (found.size === 0) throw new Error("the file has no measurement of a failover");
  return [...found.values()];
}
