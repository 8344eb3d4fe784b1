import { slotCount } from "./key-slot.ts";

/** Which primary has which slots: its place (host:port), and the ranges. */
export type SlotMap = Map<string, { host: string; port: number; ranges: [first: number, last: number][] }>;

export const placeOf = ({ host, port }: { host: string; port: number }): string => `${host}:${port}`;

const isSlot = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < slotCount;

/** The reply of CLUSTER SLOTS. A server that does not know its own address leaves it empty: it is the one that was `asked`. */
export function readSlots(reply: unknown, asked: { host: string }): SlotMap | undefined {
  if (!Array.isArray(reply)) return undefined;
  const primaries: SlotMap = new Map();
  for (const entry of reply as unknown[]) {
    if (!Array.isArray(entry)) return undefined;
    const [first, last, primary] = entry as unknown[];
    if (!isSlot(first) || !isSlot(last) || first > last || !Array.isArray(primary)) return undefined;
    const [name, port] = primary as unknown[];
    const host = name === null || name === "" || name === "?" ? asked.host : name;
    if (typeof host !== "string" || !Number.isInteger(port) || (port as number) < 1) return undefined;
    const endpoint = { host, port: port as number };
    const known = primaries.get(placeOf(endpoint)) ?? { ...endpoint, ranges: [] };
    known.ranges.push([first, last]);
    primaries.set(placeOf(endpoint), known);
  }
  return primaries.size > 0 ? primaries : undefined;
}

/** `MOVED 3999 127.0.0.1:6381` and `ASK …`. An address that is left out is that of the server that answered. */
export function readRedirection(error: unknown): { kind: "MOVED" | "ASK"; place: string } | "TRYAGAIN" | undefined {
  const text = error instanceof Error ? error.message : "";
  if (text.startsWith("TRYAGAIN")) return "TRYAGAIN";
  const [, kind, place] = /^(MOVED|ASK) \d+ (\S+:\d+)$/.exec(text) ?? [];
  return kind === undefined ? undefined : { kind: kind as "MOVED" | "ASK", place: place! };
}

/** The host may be an IPv6 address, which has colons of its own. */
export function readPlace(place: string): { host: string; port: number } {
  const colon = place.lastIndexOf(":");
  return { host: place.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(place.slice(colon + 1)) };
}
