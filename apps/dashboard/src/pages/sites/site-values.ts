import { ApiError } from "../../api/request.ts";

/** One origin per line. Empty lines and spaces around them mean nothing. */
export const parseOrigins = (text: string): string[] =>
  text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

type Refusal = { field: "name" | "origins" | undefined; message: string };

/** What the server refused, at the field that it is about; undefined if that is none. An origin is named instead of its number. */
export function describeRefusal(error: Error | null, sent: { origins: readonly string[] }): Refusal | undefined {
  if (error === null) return undefined;
  const { message } = error;
  if (!(error instanceof ApiError) || error.status !== 400) return { field: undefined, message };
  const [, place, expected] = /^origins\.(\d+) (.+)$/s.exec(message) ?? [];
  if (place !== undefined) return { field: "origins", message: `${sent.origins[Number(place)] ?? "It"} ${expected}` };
  if (message.startsWith("origins ")) return { field: "origins", message };
  return { field: message.startsWith("name ") ? "name" : undefined, message };
}
