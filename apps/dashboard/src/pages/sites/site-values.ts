import { ApiError } from "../../api/request.ts";

/** One origin per line. Empty lines and spaces around them mean nothing. */
export const parseOrigins = (text: string): string[] =>
  text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

/** The field that the server's refusal is about; undefined if it is about none. */
export function fieldOf(error: Error | null): "name" | "origins" | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  if (/^(Missing required field: )?name\b/.test(error.message)) return "name";
  return /\borigins?\b/i.test(error.message) ? "origins" : undefined;
}
