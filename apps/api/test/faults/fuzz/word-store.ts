import type { SeededRandom } from "../rig/seeded-random.ts";
import { pickFrom, type Words } from "./draw-value.ts";

const first = ["2026-01", "2026-10-01T00:00:00Z", "converted", "genuine", "banner", "feed", "gaming", "Starter", "Growth", "Scale", "a name", "fuzz@example.com", "DE", "10", "7", "csv", "pdf", "json", "active", "paused", "suspended", "https://example.com/landing"];
const keptMax = 600;
const keptOfNameMax = 30;
const namesMax = 300;
const lengthMin = 2;
const lengthMax = 300;
const itemsReadMax = 20;
/** Tokens in a path are those of ads; in bodies they are those of sessions. */
export const pathToken = "path token";
/** Parameter names of the last path segment in the routes that URLs in answers lead to. */
const lastSegmentNames = [pathToken, "file"];

export type WordStore = Words & {
  /** Stores the strings of an answer. */
  learn(text: string): void;
};

/** A bounded sample of strings from answers: an id that one route returns is accepted by another. `planted`: what answers hardly ever tell, by the name of the parameter. */
export function createWordStore(random: SeededRandom, hasCanary: (text: string) => boolean, planted: Readonly<Record<string, readonly string[]>> = {}): WordStore {
  const all: string[] = [];
  const byName = new Map<string, string[]>();

  function add(list: string[], text: string, max: number): void {
    if (list.length < max) list.push(text);
    else list[random.between(0, max - 1)] = text;
  }

  function keep(name: string, text: string): void {
    if (text.length < lengthMin || text.length > lengthMax || hasCanary(text)) return;
    add(all, text, keptMax);
    const named = byName.get(name) ?? [];
    if (named.length > 0 || byName.size < namesMax) byName.set(name, named);
    add(named, text, keptOfNameMax);
    if (/^https?:/.test(text)) for (const each of lastSegmentNames) keep(each, text.slice(text.lastIndexOf("/") + 1));
  }

  function walk(name: string, value: unknown): void {
    if (typeof value === "string") keep(name, value);
    else if (Array.isArray(value)) for (const each of value.slice(0, itemsReadMax)) walk(name, each);
    else if (typeof value === "object" && value !== null) for (const [field, each] of Object.entries(value)) walk(field, each);
  }

  return {
    pick(chance, name = "") {
      const own = Object.hasOwn(planted, name) ? planted[name] : undefined;
      if (own && chance.isTrue(0.8)) return pickFrom(chance, own);
      const named = byName.get(name);
      if (named && chance.isTrue(0.7)) return pickFrom(chance, named);
      return all.length > 0 && chance.isTrue(0.5) ? pickFrom(chance, all) : pickFrom(chance, first);
    },
    learn(text) {
      try {
        walk("", JSON.parse(text));
      } catch {
        // Not JSON: a page or an image.
      }
    },
  };
}
