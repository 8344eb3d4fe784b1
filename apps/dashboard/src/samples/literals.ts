/** How each language writes a JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

type Notation = {
  indent: string;
  /** Around the entries of an object. */
  open: string;
  close: string;
  entry: (name: string, value: string) => string;
  text: (value: string) => string;
  word: (value: boolean | null) => string;
};

const lineLengthMax = 72;
const quoted = (text: string): string => JSON.stringify(text);
const jsonWord = (value: boolean | null): string => String(value);
const pythonWords = new Map<boolean | null, string>([[true, "True"], [false, "False"], [null, "None"]]);

const notations = {
  TypeScript: { indent: "  ", open: "{", close: "}", entry: (name, value) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${value}`, text: quoted, word: jsonWord },
  Python: { indent: "    ", open: "{", close: "}", entry: (name, value) => `${quoted(name)}: ${value}`, text: quoted, word: (value) => pythonWords.get(value) ?? "None" },
  Go: { indent: "\t", open: "map[string]any{", close: "}", entry: (name, value) => `${quoted(name)}: ${value}`, text: quoted, word: (value) => (value === null ? "nil" : String(value)) },
  PHP: { indent: "    ", open: "[", close: "]", entry: (name, value) => `'${name}' => ${value}`, text: (value) => `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`, word: jsonWord },
  Java: { indent: "    ", open: "Map.of(", close: ")", entry: (name, value) => `${quoted(name)}, ${value}`, text: quoted, word: jsonWord },
} as const satisfies Record<string, Notation>;
export type LiteralLanguage = keyof typeof notations;

/** Names as other languages write them: `session_duration` → `SessionDuration`, `reportOutcome` → `report_outcome`. */
export const pascalCase = (name: string): string => name.replaceAll(/(?:^|_)([a-z])/g, (_found, letter: string) => letter.toUpperCase());
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The parts in one line, or one per line where they do not fit. Go and JSON differ in whether the last line ends with a comma. */
export function layOut(parts: readonly string[], { open, close, indent, padding = "", isTrailing = true }: { open: string; close: string; indent: string; padding?: string; isTrailing?: boolean }): string {
  if (parts.length === 0) return open + close;
  const line = `${open}${padding}${parts.join(", ")}${padding}${close}`;
  if (line.length <= lineLengthMax && !line.includes("\n")) return line;
  const inner = parts.map((part) => indent + part.replaceAll("\n", `\n${indent}`)).join(",\n");
  return `${open}\n${inner}${isTrailing ? "," : ""}\n${close}`;
}

export function writeLiteral(language: LiteralLanguage, value: Json): string {
  const notation: Notation = notations[language];
  if (typeof value === "string") return notation.text(value);
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean" || value === null) return notation.word(value);
  if (Array.isArray(value)) return `[${value.map((each: Json) => writeLiteral(language, each)).join(", ")}]`;
  const parts = Object.entries(value as Record<string, Json>).map(([name, each]) => notation.entry(name, writeLiteral(language, each)));
  const { open, close, indent } = notation;
  return layOut(parts, { open, close, indent, padding: language === "TypeScript" ? " " : "", isTrailing: language !== "Java" });
}
