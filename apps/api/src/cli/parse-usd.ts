import { InvalidArgumentError } from "commander";

/** An amount in USD as micro-USD, exactly: at most six decimals, more than nothing. */
export function parseUsd(text: string): number {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  const microUsd = match ? Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0")) : 0;
  if (microUsd > 0) return microUsd;
  throw new InvalidArgumentError("It must be an amount in USD such as 250 or 0.5, with at most six decimals.");
}
