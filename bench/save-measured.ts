import { readFileSync, writeFileSync } from "node:fs";
import type { Measured } from "./measured.ts";

const file = new URL("./measured.json", import.meta.url);

export const readMeasured = (): Measured => JSON.parse(readFileSync(file, "utf8")) as Measured;

/** Replaces these parts of bench/measured.json and leaves the others as they are. */
export function saveMeasured(parts: Partial<Measured>): void {
  writeFileSync(file, `${JSON.stringify({ ...readMeasured(), ...parts }, undefined, 2)}\n`);
}
