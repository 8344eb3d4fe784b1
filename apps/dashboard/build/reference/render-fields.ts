import { escapeHtml, inlineText } from "./html.ts";
import type { Parameter, Schema } from "./openapi.ts";

const plural = (type: string): string => (type.endsWith("s") ? type : `${type}s`);

/** `^(low|high)$`: the document keeps a list out of `enum` if tools would take its first value for a default. */
const listedIn = (pattern = ""): string[] | undefined => /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1]?.split("|");

/** Values of a closed list, also where the list is a union of single values. */
export function choicesOf({ enum: choices, const: only, anyOf, pattern }: Schema): string[] {
  if (only !== undefined) return [only];
  return choices ?? listedIn(pattern) ?? (anyOf ?? []).flatMap((each) => (each.enum === undefined && each.const === undefined ? [] : choicesOf(each)));
}

/** `number`, `array of objects`, `string or null`. */
export function typeOf(schema: Schema): string {
  const { type, format, items, anyOf, additionalProperties } = schema;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (type === "array" && items) return `array of ${typeOf(items).split(" or ").map(plural).join(" or ")}`;
  if (typeof additionalProperties === "object") return `object of ${plural(typeOf(additionalProperties))}`;
  if (format === "date-time") return "time";
  return type ?? "string";
}

const count = (value: number): string => value.toLocaleString("en");

function spanOf(minimum: number | undefined, maximum: number | undefined, unit = ""): string[] {
  if (minimum !== undefined && maximum !== undefined) return [minimum === maximum ? `${count(minimum)}${unit}` : `${count(minimum)} to ${count(maximum)}${unit}`];
  if (minimum !== undefined) return [`at least ${count(minimum)}${unit}`];
  return maximum === undefined ? [] : [`at most ${count(maximum)}${unit}`];
}

/** Bounds in words, as HTML. */
export function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: Schema): string {
  const words = [...spanOf(minimum, maximum), ...spanOf(minLength, maxLength, " characters"), ...spanOf(minItems, maxItems, " items")];
  return [...words, ...(pattern === undefined || listedIn(pattern) ? [] : [`<code>${escapeHtml(pattern)}</code>`])].join(", ");
}

/** Fields inside of a schema: of the object, of an array's items, of every branch of a union. */
function innerOf(schema: Schema): { name: string; field: Schema; isRequired: boolean }[] {
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, field, isRequired: required.has(name) }));
  const others = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(innerOf);
  const byName = Map.groupBy([...own, ...others], ({ name }) => name);
  const branches = schema.anyOf?.filter(({ properties }) => properties).length ?? 1;
  // A field that only some branches of a union have may be missing.
  return [...byName.values()].map((same) => ({ ...same[0]!, isRequired: same.length >= branches && same.every(({ isRequired }) => isRequired) }));
}

/** A closed list, of the field itself or of its items. */
const shownChoices = (schema: Schema): string[] => (schema.items ? shownChoices(schema.items) : choicesOf(schema));

/** A request says what it must have; an answer says what it may lack. */
export type Direction = "sent" | "answered";
/** A description repeats its choices in words. */
const listing = / One of [\w, ]+\.$/;
type FieldOptions = { id: string; direction: Direction; depth?: number; note?: string; isRequired?: boolean };

const presenceOf = (direction: Direction, isRequired: boolean): string => {
  if (direction === "answered") return isRequired ? "" : ` <span class="may">may be absent</span>`;
  return isRequired ? ` <span class="must">required</span>` : "";
};

/** One field in a list of fields. Inner fields are folded from the second level on. */
export function renderField(name: string, schema: Schema, { id, direction, depth = 0, note = "", isRequired = false }: FieldOptions): string {
  const choices = shownChoices(schema);
  const bounds = boundsOf(schema) || (schema.items ? boundsOf(schema.items) : "");
  const inner = innerOf(schema);
  const list = inner.length === 0 ? "" : renderFields(inner.map((each) => ({ ...each, id: `${id}.${each.name}` })), direction, depth + 1);
  const folded = list === "" || depth === 0 ? list : `<details><summary>${inner.length} ${inner.length === 1 ? "field" : "fields"}</summary>${list}</details>`;
  return [
    `<li id="${id}"><a href="#${id}">${escapeHtml(name)}</a> <span class="type">${typeOf(schema)}</span>`,
    ...(bounds === "" ? [] : [` <span class="bounds">${bounds}</span>`]),
    presenceOf(direction, isRequired),
    ...(schema.description === undefined ? [] : [`<p>${inlineText(choices.length > 0 ? schema.description.replace(listing, "") : schema.description)}${note}</p>`]),
    ...(choices.length === 0 ? [] : [`<p class="choices">${choices.map((each) => `<code>${escapeHtml(each)}</code>`).join(" ")}</p>`]),
    `${folded}</li>`,
  ].join("");
}

type Listed = { name: string; field: Schema; isRequired: boolean; id: string };

export function renderFields(fields: readonly Listed[], direction: Direction, depth = 0): string {
  return `<ul class="fields">${fields.map(({ name, field, isRequired, id }) => renderField(name, field, { id, direction, depth, isRequired })).join("")}</ul>`;
}

/** The fields of a body, or the body itself where it has none. */
export function renderBody(schema: Schema, id: string, direction: Direction): string {
  const inner = innerOf(schema);
  if (inner.length === 0) return `<p class="whole"><span class="type">${typeOf(schema)}</span></p>`;
  return renderFields(inner.map((each) => ({ ...each, id: `${id}.${each.name}` })), direction);
}

export const renderParameters = (parameters: readonly Parameter[], id: string): string =>
  `<ul class="fields">${parameters
    .map(({ name, in: place, required, schema, description }) => renderField(name, { ...schema, ...(description !== undefined && { description }) }, { id: `${id}.${place}.${name}`, direction: "sent", depth: 1, isRequired: required === true }))
    .join("")}</ul>`;
