import { formatMicroUsd } from "../../ui/format.ts";

const textOf = (name: string, value: unknown): string => {
  if (typeof value === "number" && name.endsWith("_micro")) return formatMicroUsd(value);
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** An action's details on one line, such as "reason: click farm". Skips null values and shows micro-dollars as dollars. */
export const describeDetail = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replace(/_micro$/, "").replaceAll("_", " ")}: ${textOf(name, value)}`)
    .join("; ");
