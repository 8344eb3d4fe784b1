/** Generates values for a JSON schema: mostly valid, some certainly invalid. */
import type { SeededRandom } from "../rig/seeded-random.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** The subset of JSON Schema that the routes use. */
export type Grammar = {
  type?: string;
  const?: Json;
  enum?: Json[];
  anyOf?: Grammar[];
  properties?: Record<string, Grammar>;
  required?: string[];
  items?: Grammar;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** Holds under a condition, which is not read: mostly it is met. */
  then?: Grammar;
};

/** Strings from answers or known to routes, such as ids, months and tokens. They reach deeper code than invented ones. */
export type Words = {
  /** Prefers a string that an answer had under this name. */
  pick(random: SeededRandom, name?: string): string;
};

export const pickFrom = <Item>(random: SeededRandom, items: readonly Item[]): Item => items[random.between(0, items.length - 1)]!;

const strangeNumbers = [0, -0, -1, 1, 0.5, 1.000_000_1, -1e-9, 5e-324, 1e21, 1e308, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 31_536_000, 31_536_001];
const strangeTexts = [
  "",
  " ",
  "\0",
  "\u202e",
  "\ud800",
  "ﬁ",
  "😀".repeat(40),
  "İ",
  "a".repeat(256),
  "9".repeat(400),
  "../../etc/passwd",
  "' OR 1=1 --",
  "'; DROP TABLE accounts; --",
  "<script>alert(1)</script>",
  "%00%ff",
  "{{nonce}}",
  "${jndi}",
  "\r\nSet-Cookie: a=b",
  "=HYPERLINK(1)",
  "0x10",
  "1e5",
  "true",
  "null",
  "2026-02-30",
  "2026-13",
  "0000-01",
  "9999-12-31T23:59:60Z",
  "+275760-09-13T00:00:00.001Z",
  "http://169.254.169.254/",
  "javascript:alert(1)",
  "//example.org",
];
const strangeNames = ["__proto__", "constructor", "prototype", "toString", "", "a.b", "$ref", "\0", "email", "user_id", "latitude", "12345678901234", "a@b.c", "session_data", "hasOwnProperty"];

export const drawText = (random: SeededRandom, words: Words, name?: string): string =>
  random.isTrue(0.6) ? words.pick(random, name) : pickFrom(random, strangeTexts);

function drawNumber(random: SeededRandom, { minimum = -10, maximum = 1_000, type }: Grammar): number {
  if (random.isTrue(0.1)) return pickFrom(random, strangeNumbers);
  const edges = [minimum, maximum, minimum - 1, maximum + 1, (minimum + maximum) / 2];
  const inside = minimum + random.next() * (Math.min(maximum, minimum + 10_000) - minimum);
  const value = random.isTrue(0.15) ? pickFrom(random, edges) : inside;
  return type === "integer" && random.isTrue(0.95) ? Math.round(value) : value;
}

/** A text that was valid: cut short, one bit changed, longer, or written twice. */
function damage(random: SeededRandom, text: string): string {
  const at = random.between(0, Math.max(0, text.length - 1));
  const flipped = String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << random.between(0, 6)));
  return pickFrom(random, [text.slice(0, at), text.slice(at), `${text.slice(0, at)}${flipped}${text.slice(at + 1)}`, `${text}A`, `${text}=`, text + text, ` ${text}`, text.replace(/\d+/, "0")]);
}

function drawString(random: SeededRandom, { minLength = 0, maxLength = 60 }: Grammar, words: Words, name: string | undefined): string {
  if (random.isTrue(0.6)) {
    const word = words.pick(random, name);
    return name?.endsWith("token") && random.isTrue(0.3) ? damage(random, word) : word;
  }
  if (random.isTrue(0.2)) return pickFrom(random, strangeTexts);
  const length = pickFrom(random, [minLength, maxLength, maxLength + 1, Math.min(maxLength, minLength + 12), Math.max(0, minLength - 1)]);
  return pickFrom(random, ["a", "é", "7", "Z"]).repeat(Math.min(length, 5_000));
}

/** Mostly valid, sometimes just outside the schema's bounds. */
export function drawValue(random: SeededRandom, grammar: Grammar | undefined, words: Words, name?: string): Json {
  if (!grammar) return {};
  if (grammar.const !== undefined) return grammar.const;
  if (grammar.enum) return pickFrom(random, grammar.enum);
  if (grammar.anyOf) return drawValue(random, pickFrom(random, grammar.anyOf), words, name);
  switch (grammar.type) {
    case "object": {
      const entries = Object.entries(grammar.properties ?? {}).filter(([field]) => grammar.required?.includes(field) || random.isTrue(0.6));
      const meets = random.isTrue(0.7);
      return Object.fromEntries(
        entries.map(([field, each]) => {
          const more = meets ? (grammar.then?.properties?.[field]?.required ?? []) : [];
          return [field, drawValue(random, more.length === 0 ? each : { ...each, required: [...(each.required ?? []), ...more] }, words, field)];
        }),
      );
    }
    case "array":
      return Array.from({ length: random.between(0, 3) }, () => drawValue(random, grammar.items, words, name));
    case "number":
    case "integer":
      return drawNumber(random, grammar);
    case "boolean":
      return random.isTrue(0.5);
    case "string":
      return drawString(random, grammar, words, name);
    case undefined:
    default:
      return drawText(random, words);
  }
}

function drawStrange(random: SeededRandom, words: Words): Json {
  const choices: (() => Json)[] = [
    () => null,
    () => random.isTrue(0.5),
    () => pickFrom(random, strangeNumbers),
    () => drawText(random, words),
    () => [],
    () => ({}),
    () => [drawText(random, words), null],
    () => ({ [pickFrom(random, strangeNames)]: drawText(random, words) }),
  ];
  return pickFrom(random, choices)();
}

/** All objects and arrays within a value, including itself. */
function containersOf(value: Json): (Json[] | { [name: string]: Json })[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}

/** Mutates one place of a value. `unknown` makes the content of a field that no schema has. */
export function mutateValue(random: SeededRandom, value: Json, context: { words: Words; unknown: () => string }): Json {
  const containers = containersOf(value);
  if (containers.length === 0 || random.isTrue(0.05)) return drawStrange(random, context.words);
  const container = pickFrom(random, containers) as { [name: string]: Json };
  const names = Object.keys(container);
  const name = names.length > 0 ? pickFrom(random, names) : "0";
  const changes: (() => void)[] = [
    () => delete container[name],
    () => void (container[name] = drawStrange(random, context.words)),
    () => void (container[name] = [container[name] ?? null]),
    () => void (container[name] = { [name]: container[name] ?? null }),
    () => void (container[name] = JSON.stringify(container[name]) ?? ""),
    () => void (container[pickFrom(random, strangeNames)] = drawStrange(random, context.words)),
    () => {
      // In an array it would be an element, which schemas allow.
      if (!Array.isArray(container)) container[`unknown_${random.between(0, 9)}`] = pickFrom<Json>(random, [context.unknown(), { deep: [context.unknown()] }]);
    },
  ];
  pickFrom(random, changes)();
  return value;
}
