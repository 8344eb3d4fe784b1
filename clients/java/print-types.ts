// Writes the classes of requests and answers in src/main/java/dev/assay from packages/contract:  node clients/java/print-types.ts
import { writeFileSync } from "node:fs";
import { answers, type NamedSchema, requests, type Schema, verdicts } from "../list-answer-types.ts";

const header = "// Generated from Assay's contract by clients/java/print-types.ts.\n\npackage dev.assay;\n";

/** Names of the items of lists whose own names are not plurals. */
const itemNames: Readonly<Record<string, string>> = { series: "Point", histogram: "Band", waiting: "Waiting", held: "Held" };

const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
const camelCase = (name: string): string => pascalCase(name).replace(/^./, (letter) => letter.toLowerCase());
const itemNameOf = (name: string): string => itemNames[name] ?? pascalCase(name.replace(/s$/, ""));
const indentBy = (text: string): string => text.replace(/^(?=.)/gm, "    ");

/** Text of the contract as Javadoc: code in backticks, and no markup of its own. */
const escapeDoc = (text: string): string => text.replace(/`([^`]*)`|([&<>@])/g, (_all, code: string | undefined, mark: string) => (code === undefined ? `{@literal ${mark}}` : `{@code ${code}}`));

function wrapDoc(paragraphs: readonly string[]): string {
  const lines = paragraphs.flatMap((paragraph) => {
    const wrapped = [""];
    for (const word of paragraph.split(" ")) {
      const line = wrapped.at(-1)!;
      if (line !== "" && line.length + word.length > 105) wrapped.push(word);
      else wrapped[wrapped.length - 1] = line === "" ? word : `${line} ${word}`;
    }
    return wrapped;
  });
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

type Getter = { type: string; read: string; nested: string };

const scalars: Readonly<Record<string, { type: string; boxed: string; read: string }>> = {
  number: { type: "double", boxed: "Double", read: "number" },
  integer: { type: "long", boxed: "Long", read: "integer" },
  boolean: { type: "boolean", boxed: "Boolean", read: "flag" },
  string: { type: "String", boxed: "String", read: "text" },
};

function kindOf(schema: Schema): string {
  if (schema.enum || typeof schema.const === "string") return "string";
  return schema.type ?? "any";
}

function printGetterOf(name: string, schema: Schema, isNullable: boolean): Getter {
  const orNull = isNullable ? "OrNull" : "";
  const kind = kindOf(schema);
  const scalar = scalars[kind];
  if (scalar) return { type: isNullable ? scalar.boxed : scalar.type, read: `${scalar.read}${orNull}("${name}")`, nested: "" };
  if (kind === "object") {
    const type = pascalCase(name);
    return { type, read: `object${orNull}("${name}", ${type}::new)`, nested: printNested(type, schema) };
  }
  if (kind !== "array") throw new Error(`cannot print this schema of the contract as a getter: ${JSON.stringify(schema)}`);
  const item = schema.items ?? {};
  if (kindOf(item) === "object") {
    const type = itemNameOf(name);
    return { type: `List<${type}>`, read: `list${orNull}("${name}", each -> new ${type}(asObject(each)))`, nested: printNested(type, item) };
  }
  const isText = kindOf(item) === "string";
  return { type: isText ? "List<String>" : "List<Double>", read: `list${orNull}("${name}", Fields::${isText ? "asText" : "asNumber"})`, nested: "" };
}

function printGetter(name: string, schema: Schema, isRequired: boolean): string {
  const kinds = schema.anyOf?.filter(({ type }) => type !== "null");
  const isNullable = !isRequired || (schema.anyOf !== undefined && kinds!.length < schema.anyOf.length);
  const isMixed = kinds !== undefined && kinds.length > 1;
  const getter: Getter = isMixed ? { type: "Object", read: `any("${name}")`, nested: "" } : printGetterOf(name, kinds?.[0] ?? schema, isNullable);
  const { type, read, nested } = getter;
  const isFlag = type === "boolean";
  const method = isFlag && /^is_/.test(name) ? camelCase(name) : `${isFlag ? "is" : "get"}${pascalCase(name)}`;
  const isPrimitive = /^[a-z]/.test(type);
  const returns = isMixed ? "a number or a boolean, may be null" : isPrimitive ? "the value" : isNullable ? "may be null" : "never null";
  const comment = wrapDoc([escapeDoc(schema.description ?? `The field {@code ${name}}.`), "", `@return ${returns}`]);
  return `\n${indentBy(`${comment}public ${type} ${method}() {\n    return ${read};\n}\n`)}${nested}`;
}

const printGetters = (schema: Schema, without: ReadonlySet<string> = new Set()): string =>
  Object.entries(schema.properties ?? {})
    .filter(([name]) => !without.has(name))
    .map(([name, property]) => printGetter(name, property, schema.required?.includes(name) ?? false))
    .join("");

function printNested(type: string, schema: Schema): string {
  const comment = wrapDoc([escapeDoc(schema.description ?? `One of the items.`)]);
  return `\n${indentBy(`${comment}public static final class ${type} extends Fields {\n    ${type}(Map<String, ?> fields) {\n        super(fields);\n    }\n${printGetters(schema)}}\n`)}`;
}

function importsOf(code: string): string {
  const used = ["List", "Map"].filter((name) => new RegExp(`\\b${name}<`).test(code)).map((name) => `import java.util.${name};\n`);
  return `${header}\n${used.join("")}\n${code}`;
}

function printAnswer({ name, comment, schema }: NamedSchema, base: string, without?: ReadonlySet<string>): string {
  const open = base === "Answer" && name === "Verdict" ? "public abstract class" : "public final class";
  return importsOf(`${wrapDoc([escapeDoc(comment)])}${open} ${name} extends ${base} {\n    ${name}(Map<String, ?> fields, Meta meta) {\n        super(fields, meta);\n    }\n${printGetters(schema, without)}}\n`);
}

type Wither = { parameter: string; value: string; nested: string };

function printWitherOf(name: string, schema: Schema): Wither {
  const scalar = scalars[kindOf(schema)];
  if (scalar) return { parameter: scalar.type, value: "value", nested: "" };
  const type = pascalCase(name);
  return { parameter: type, value: "value.toMap()", nested: `\n${indentBy(printRequestClass({ name: type, comment: schema.description ?? "", schema }, "public static final class"))}` };
}

function printWither(type: string, name: string, schema: Schema): string {
  const { parameter, value, nested } = printWitherOf(name, schema);
  const values = schema.enum ? `one of ${schema.enum.map((each) => `{@code ${String(each)}}`).join(", ")}` : "the value";
  const comment = wrapDoc([escapeDoc(schema.description ?? ""), "", `@param value ${values}`, "@return a copy with the value, never null"]);
  return `\n${indentBy(`${comment}public ${type} with${pascalCase(name)}(${parameter} value) {\n    return new ${type}(with("${name}", ${value}));\n}\n`)}${nested}`;
}

function printRequestClass({ name, comment, schema }: NamedSchema, open: string): string {
  const required = Object.entries(schema.properties ?? {}).filter(([each]) => schema.required?.includes(each));
  const optional = Object.entries(schema.properties ?? {}).filter(([each]) => !schema.required?.includes(each));
  const parameters = required.map(([each, property]) => `${scalars[kindOf(property)]!.type} ${camelCase(each)}`).join(", ");
  const pairs = required.map(([each]) => `"${each}", ${camelCase(each)}`).join(", ");
  const ofComment = wrapDoc(["With what is required, and nothing else.", "", ...required.map(([each, { description }]) => `@param ${camelCase(each)} ${escapeDoc(description ?? "")}`), "@return never null"]);
  const report = name === "SessionData" ? " Also takes the collector's report, of which only {@code session_data} and {@code session_token} are sent." : "";
  const mapComment = wrapDoc([`With the fields of a map, such as parsed JSON.${report}`, "", "@param fields by their names in JSON", "@return never null"]);
  const constructors = [
    `private ${name}(Map<String, ?> fields) {\n    super(fields);\n}\n`,
    `${ofComment}public static ${name} of(${parameters}) {\n    return new ${name}(mapOf(${pairs}));\n}\n`,
    `${mapComment}public static ${name} fromMap(Map<String, ?> fields) {\n    return new ${name}(fields);\n}\n`,
  ];
  return `${wrapDoc([escapeDoc(comment)])}${open} ${name} extends Fields {\n${indentBy(constructors.join("\n"))}${optional.map(([each, property]) => printWither(name, each, property)).join("")}}\n`;
}

/** What all verdicts have. */
const commonNames: ReadonlySet<string> = new Set(Object.keys(verdicts.find(({ name }) => name === "Score")!.schema.properties!));

export function printTypes(): ReadonlyMap<string, string> {
  const { schema } = verdicts.find(({ name }) => name === "Score")!;
  const files = [
    ["Verdict", printAnswer({ name: "Verdict", comment: "What all verdicts on a session have.", schema }, "Answer")],
    ...verdicts.map((each) => [each.name, printAnswer(each, "Verdict", commonNames)]),
    ...answers.map((each) => [each.name, printAnswer(each, "Answer")]),
    ...requests.map((each) => [each.name, importsOf(printRequestClass(each, "public final class"))]),
  ] as [string, string][];
  return new Map(files.map(([name, text]) => [`${name}.java`, text]));
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, text] of printTypes()) writeFileSync(new URL(`src/main/java/dev/assay/${file}`, import.meta.url), text);
}
