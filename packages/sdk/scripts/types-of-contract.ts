import { AdReply, AdRequest, noFillReasons } from "@assay/contract/ads.ts";
import { AnalysisReply, PredictReply, ScoreReply, SessionData, testScenarios } from "@assay/contract/scoring.ts";
import { OutcomeReply, SessionReply, outcomes } from "@assay/contract/sessions.ts";
import { TrafficReply, TrafficRequest } from "@assay/contract/traffic.ts";

/** The part of JSON Schema that the contract is written in. */
type Schema = {
  type?: string | undefined;
  description?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  anyOf?: readonly Schema[] | undefined;
  items?: Schema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  properties?: Readonly<Record<string, Schema>> | undefined;
  required?: readonly string[] | undefined;
};

const header = "// Printed from packages/contract by packages/sdk/scripts/print-types.ts; a test says when it is out of date.\n";

/** Public name, what it is, and the schema of the contract that it is printed from. */
const declarations: readonly [name: string, explained: string, schema: Schema][] = [
  ["SessionData", "The six signals of one visitor session. Behaviour only: never send personal data.", SessionData],
  ["Prediction", "What `predict` answers.", PredictReply],
  ["ShortPrediction", "What `score` answers.", ScoreReply],
  ["Analysis", "What `analyze` answers: the verdict and where it comes from.", AnalysisReply],
  ["TrafficWindow", "The span of time that `analyzeTraffic` looks at.", TrafficRequest],
  ["Traffic", "What `analyzeTraffic` answers: your own sessions taken together.", TrafficReply],
  ["Session", "What `session` answers: a judged session, as it is kept.", SessionReply],
  ["Outcome", "How a judged session ended.", { enum: outcomes }],
  ["RecordedOutcome", "What `reportOutcome` answers.", OutcomeReply],
  ["AdRequest", "What `requestAd` asks for; everything may be left out.", AdRequest],
  ["Ad", "An ad to show.", AdReply],
  ["NoFillReason", "Why there is no ad.", { enum: noFillReasons }],
  ["TestScenario", "The answer that a test key may force.", { enum: testScenarios }],
];

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

function printArray(schema: Schema, indent: string): string {
  const item = printType(schema.items ?? {}, indent);
  const isPair = schema.minItems === 2 && schema.maxItems === 2;
  if (isPair) return `[${item}, ${item}]`;
  const isUnion = (schema.items?.enum ?? schema.items?.anyOf) !== undefined;
  return isUnion ? `(${item})[]` : `${item}[]`;
}

function printType(schema: Schema, indent: string): string {
  if (schema.enum) return listed(schema.enum);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((each) => printType(each, indent)).join(" | ");
  switch (schema.type) {
    case "object":
      return printObject(schema, indent);
    case "array":
      return printArray(schema, indent);
    case "integer":
      return "number";
    case "number":
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case undefined:
    default:
      throw new Error(`the contract uses a schema that cannot be printed: ${JSON.stringify(schema)}`);
  }
}

function printObject(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const comment = property.description ? `${inner}/** ${property.description} */\n` : "";
    const type = printType(property, inner);
    // JSON leaves out what is undefined, so callers may write it.
    return `${comment}${inner}${name}${required.has(name) ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

export function printTypes(): string {
  const printed = declarations.map(([name, explained, schema]) => `\n/** ${explained} */\nexport type ${name} = ${printType(schema, "")};\n`);
  return header + printed.join("");
}
