import { type DescribedType, type Field, pascalCase, type TypeUse, wrapText } from "./describe-types.ts";

type ObjectType = Extract<DescribedType, { kind: "object" }>;

const header = "// Generated from Assay's contract by scripts/print-client-types.ts.\n\npackage dev.assay;\n";
/** Callers make these; they get all others. */
const requestNames: ReadonlySet<string> = new Set(["SessionData", "TrafficWindow", "UsageWindow", "AdRequest", "UserContext"]);
/** The shortest verdict: what it has, all have. */
const commonVerdict = "Score";
const verdictNames: ReadonlySet<string> = new Set(["Prediction", "Score", "Analysis", "Session"]);

const camelCase = (name: string): string => pascalCase(name).replace(/^./, (letter) => letter.toLowerCase());
const indent = (text: string): string => text.replace(/^(?=.)/gm, "    ");

/** Text of the contract as Javadoc: code in backticks, and no markup of its own. */
const escapeDoc = (text: string): string => text.replace(/`([^`]*)`|([&<>@])/g, (_all, code: string | undefined, mark: string) => (code === undefined ? `{@literal ${mark}}` : `{@code ${code}}`));

function printDoc(text: string, tags: readonly string[] = []): string {
  const lines = wrapText(escapeDoc(text));
  if (lines.length === 1 && tags.length === 0) return `/** ${lines[0]} */\n`;
  const all = [...lines, ...(tags.length > 0 ? ["", ...tags.flatMap(wrapText)] : [])];
  return `/**\n${all.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

const scalars = {
  number: { type: "double", boxed: "Double", read: "number", item: "asNumber" },
  integer: { type: "long", boxed: "Long", read: "integer", item: "asNumber" },
  boolean: { type: "boolean", boxed: "Boolean", read: "flag", item: "" },
  string: { type: "String", boxed: "String", read: "text", item: "asText" },
} as const;

type ScalarKind = keyof typeof scalars;

function scalarOf(type: TypeUse): (typeof scalars)[ScalarKind] | undefined {
  if (type.kind === "literals") return scalars.string;
  return type.kind in scalars ? scalars[type.kind as ScalarKind] : undefined;
}

/** Type and expression of a getter. */
function printRead(name: string, type: TypeUse, isNullable: boolean): [type: string, read: string] {
  const orNull = isNullable ? "OrNull" : "";
  const scalar = scalarOf(type);
  if (scalar) return [isNullable ? scalar.boxed : scalar.type, `${scalar.read}${orNull}("${name}")`];
  if (type.kind === "named") return [type.name, `object${orNull}("${name}", ${type.name}::new)`];
  if (type.kind === "list" || type.kind === "pair") {
    if (type.item.kind === "named") return [`List<${type.item.name}>`, `list${orNull}("${name}", each -> new ${type.item.name}(asObject(each)))`];
    const item = scalarOf(type.item);
    if (item) return [`List<${item.item === "asText" ? "String" : "Double"}>`, `list${orNull}("${name}", Fields::${item.item})`];
  }
  throw new Error(`cannot print a getter for ${name}: ${JSON.stringify(type)}`);
}

function printGetter({ name, comment, type, isRequired }: Field): string {
  const members = type.kind === "union" ? type.members.filter(({ kind }) => kind !== "null") : [type];
  const isNullable = !isRequired || (type.kind === "union" && members.length < type.members.length);
  const isMixed = members.length > 1;
  const member = members[0]!;
  const [returned, read] = isMixed ? ["Object", `any("${name}")`] : printRead(name, member, isNullable);
  const isFlag = returned === "boolean";
  const method = isFlag && name.startsWith("is_") ? camelCase(name) : `${isFlag ? "is" : "get"}${pascalCase(name)}`;
  const values = member.kind === "literals" ? `${member.values.map((value) => `{@code ${value}}`).join(", ")}; ` : "";
  const nullability = /^[a-z]/.test(returned) ? "the value" : isNullable ? "may be null" : "never null";
  const tag = isMixed ? "@return a number or a boolean, may be null" : `@return ${values}${nullability}`;
  return `${printDoc(comment || `The field {@code ${name}}.`, [tag])}public ${returned} ${method}() {\n    return ${read};\n}\n`;
}

function printWither(owner: string, { name, comment, type }: Field): string {
  const scalar = scalarOf(type);
  if (!scalar && type.kind !== "named") throw new Error(`cannot print a setter for ${name}: ${JSON.stringify(type)}`);
  const parameter = scalar?.type ?? (type as { name: string }).name;
  const values = type.kind === "literals" ? `one of ${type.values.map((value) => `{@code ${value}}`).join(", ")}` : "the value";
  const doc = printDoc(comment, [`@param value ${values}`, "@return a copy with the value, never null"]);
  return `${doc}public ${owner} with${pascalCase(name)}(${parameter} value) {\n    return new ${owner}(with("${name}", ${scalar ? "value" : "value.toMap()"}));\n}\n`;
}

function printRequest({ name, comment, fields }: ObjectType): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const parameters = required.map((each) => `${scalarOf(each.type)!.type} ${camelCase(each.name)}`).join(", ");
  const pairs = required.map((each) => `"${each.name}", ${camelCase(each.name)}`).join(", ");
  const ofDoc = printDoc(required.length > 0 ? "With what is required, and nothing else." : "With nothing.", [...required.map((each) => `@param ${camelCase(each.name)} ${escapeDoc(each.comment)}`), "@return never null"]);
  const report = name === "SessionData" ? " Takes the collector's report too, of which only `session_data` and `session_token` are sent." : "";
  const mapDoc = printDoc(`With the fields of a map, such as parsed JSON.${report}`, ["@param fields by their names in JSON", "@return never null"]);
  const members = [
    `private ${name}(Map<String, ?> fields) {\n    super(fields);\n}\n`,
    `${ofDoc}public static ${name} of(${parameters}) {\n    return new ${name}(mapOf(${pairs}));\n}\n`,
    `${mapDoc}public static ${name} fromMap(Map<String, ?> fields) {\n    return new ${name}(fields);\n}\n`,
    ...fields.filter(({ isRequired }) => !isRequired).map((each) => printWither(name, each)),
  ];
  return `${printDoc(comment)}public final class ${name} extends Fields {\n${indent(members.join("\n"))}}\n`;
}

/** An answer has facts about its call; what is within one has not. */
function printAnswer({ name, comment, fields }: Pick<ObjectType, "name" | "comment" | "fields">, base: string, kind = "public final class"): string {
  const [more, passed] = base === "Fields" ? ["", ""] : [", Meta meta", ", meta"];
  const constructor = `${name}(Map<String, ?> fields${more}) {\n    super(fields${passed});\n}\n`;
  return `${printDoc(comment)}${kind} ${name} extends ${base} {\n${indent([constructor, ...fields.map(printGetter)].join("\n"))}}\n`;
}

function finish(code: string): string {
  const used = ["List", "Map"].filter((name) => code.includes(`${name}<`)).map((name) => `import java.util.${name};\n`);
  return `${header}\n${used.join("")}\n${code}`;
}

/** The text of each file, by its name. */
export function printJavaTypes(types: readonly DescribedType[]): ReadonlyMap<string, string> {
  const objects = types.filter((type): type is ObjectType => type.kind === "object");
  const common = objects.find(({ name }) => name === commonVerdict)!.fields;
  const isCommon = ({ name }: Field) => common.some((each) => each.name === name);
  const files = objects.map((type): [string, string] => {
    if (requestNames.has(type.name)) return [type.name, printRequest(type)];
    if (verdictNames.has(type.name)) return [type.name, printAnswer({ ...type, fields: type.fields.filter((each) => !isCommon(each)) }, "Verdict")];
    return [type.name, printAnswer(type, type.role === "answer" || type.name === "Ad" ? "Answer" : "Fields")];
  });
  files.push(["Verdict", printAnswer({ name: "Verdict", comment: "What all verdicts on a session have.", fields: common }, "Answer", "public abstract class")]);
  return new Map(files.map(([name, code]) => [`${name}.java`, finish(code)]));
}
