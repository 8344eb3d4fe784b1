import { Failure } from "../../failure/failure.ts";

/** Query strings are texts: their schema says that this one is a whole number. */
export function parsePageLimit(text: string | undefined, bounds: { fallback: number; max: number }): number {
  const limit = text === undefined ? bounds.fallback : Number(text);
  if (limit < 1 || limit > bounds.max) throw new Failure("invalid_request", `limit must be a whole number from 1 to ${bounds.max}`);
  return limit;
}
