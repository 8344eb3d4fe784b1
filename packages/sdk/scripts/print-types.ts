// Writes src/types.ts and src/webhook-types.ts from packages/contract, so that the published package has the contract's types
// without depending on it:  node packages/sdk/scripts/print-types.ts
import { writeFileSync } from "node:fs";
import { AdReply, AdRequest, noFillReasons } from "@assay/contract/ads.ts";
import { AnalysisReply, PredictReply, ScoreReply, SessionData, testScenarios } from "@assay/contract/scoring.ts";
import { OutcomeReply, SessionReply, outcomes } from "@assay/contract/sessions.ts";
import { TrafficReply, TrafficRequest } from "@assay/contract/traffic.ts";
import { StatementReply, UsageQuery, UsageReply } from "@assay/contract/usage.ts";
import { deliveredTypes, eventKinds } from "@assay/contract/webhooks.ts";

/** The subset of JSON Schema that the contract uses. */
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

const header = "// Generated from packages/contract by packages/sdk/scripts/print-types.ts; types.test.ts fails when it is out of date.\n";

/** Exported name, its JSDoc, and the contract's schema. */
const declarations: readonly [name: string, comment: string, schema: Schema][] = [
  ["SessionData", "The six signals of one visitor session: behaviour only, never personal data. Leave out optional signals that were not measured.", SessionData],
  ["Prediction", "Answer of `predict`: the verdict on a session.", PredictReply],
  ["ShortPrediction", "Answer of `score`: the verdict in its shorter shape.", ScoreReply],
  ["Analysis", "Answer of `analyze`: the verdict, and what each signal contributed to it.", AnalysisReply],
  ["TrafficWindow", "Time window for `analyzeTraffic`; the last seven days by default.", TrafficRequest],
  ["Traffic", "Answer of `analyzeTraffic`: a summary of your own sessions in a time window.", TrafficReply],
  ["Session", "Answer of `session`: a scored session as it is stored.", SessionReply],
  ["Outcome", "How a scored session ended. `converted` and `genuine` are good outcomes; `refunded`, `fraud` and `bot` are bad ones.", { enum: outcomes }],
  ["RecordedOutcome", "Answer of `reportOutcome`.", OutcomeReply],
  ["AdRequest", "Request of `requestAd`; every field is optional.", AdRequest],
  ["Ad", "An ad to show, with the URLs that record its impression and its click.", AdReply],
  ["NoFillReason", "Why a request got no ad.", { enum: noFillReasons }],
  ["UsageWindow", "Time window for `usage`; the last 30 days by default.", UsageQuery],
  ["Usage", "Answer of `usage`: live calls in a span of time, and what they earned.", UsageReply],
  ["Statement", "Answer of `statement`: a month of an account's money.", StatementReply],
  ["TestScenario", "Answer that a test key can force.", { enum: testScenarios }],
];

/** Lists whose codes may become more: callers must expect one that is newer than their SDK. */
const growingLists: ReadonlySet<string> = new Set(["attestation_issues"]);

const unionOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

function printArray(schema: Schema, indent: string): string {
  const item = printType(schema.items ?? {}, indent);
  const isPair = schema.minItems === 2 && schema.maxItems === 2;
  if (isPair) return `[${item}, ${item}]`;
  const isUnion = (schema.items?.enum ?? schema.items?.anyOf) !== undefined;
  return isUnion ? `(${item})[]` : `${item}[]`;
}

const printGrowingList = ({ items }: Schema): string => `(${unionOf(items?.enum ?? [])} | (string & {}))[]`;

function printType(schema: Schema, indent: string): string {
  if (schema.enum) return unionOf(schema.enum);
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
      throw new Error(`cannot print this schema of the contract as a type: ${JSON.stringify(schema)}`);
  }
}

const printName = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function printObject(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const comment = property.description ? `${inner}/** ${property.description} */\n` : "";
    const type = growingLists.has(name) ? printGrowingList(property) : printType(property, inner);
    // JSON.stringify omits undefined values, so callers may pass them even with exactOptionalPropertyTypes.
    return `${comment}${inner}${printName(name)}${required.has(name) ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

export function printTypes(): string {
  const printed = declarations.map(([name, comment, schema]) => `\n/** ${comment} */\nexport type ${name} = ${printType(schema, "")};\n`);
  return header + printed.join("");
}

/** What is in the `data` of each type of event that is delivered. */
export function printWebhookTypes(): string {
  const properties = Object.fromEntries(deliveredTypes.map((type) => [type, { ...eventKinds[type].data, description: eventKinds[type].summary }]));
  const data: Schema = { type: "object", properties, required: deliveredTypes };
  return `${header}\n/** \`data\` of every type of event. */\nexport type WebhookData = ${printType(data, "")};\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL("../src/types.ts", import.meta.url), printTypes());
  writeFileSync(new URL("../src/webhook-types.ts", import.meta.url), printWebhookTypes());
}
