import type { SQLInputValue } from "node:sqlite";

/** SQLite has no booleans, and undefined is not a value to it. */
const toInput = (value: unknown): SQLInputValue =>
  typeof value === "boolean" ? Number(value) : ((value ?? null) as SQLInputValue);

export const toInputs = (parameters: readonly unknown[]): SQLInputValue[] => parameters.map(toInput);
