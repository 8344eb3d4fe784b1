import { clientCalls, type ClientLanguage, clients, type SampleRequest } from "./client-calls.ts";
import type { Json } from "./literals.ts";

export const sampleLanguages = ["curl", "TypeScript", "Python", "Go", "PHP", "Java"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** An operation of the API with the values of one call. */
export type SampleCall = SampleRequest & { operationId: string; method: string; template: string; security: "key" | "campaign" | "none" };
export type SampleOptions = {
  address: string;
  /** Gets the expression that reads the key from the environment. Default: it is shown as it is. */
  showKey?: (expression: string) => string;
};

const credentials = { key: "X-API-Key: ", campaign: "Authorization: Bearer ", none: "" };
const variables = { key: "$ASSAY_API_KEY", campaign: "$ASSAY_CAMPAIGN_TOKEN", none: "" };

/** Path and query of the call. */
export function routeOf({ template, path, query }: Pick<SampleCall, "template" | "path" | "query">): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (mark, name: string) => path[name] ?? mark);
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

const lineLengthMax = 72;

/** On one line if it fits there. */
function writeJson(value: Json): string {
  const line = JSON.stringify(value);
  return line.length <= lineLengthMax ? line : JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}

/** Single quotes keep everything as it is, but for themselves. */
const inShell = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

function writeCurl(call: SampleCall, { address, showKey = (expression) => expression }: SampleOptions): string {
  const route = routeOf(call);
  const shown = /[?&]/.test(route) ? `"${address}${route}"` : `${address}${route}`;
  const credential = call.security === "key" ? showKey(variables.key) : variables[call.security];
  return [
    `curl -s ${shown}`,
    ...(call.security === "none" ? [] : [`  -H "${credentials[call.security]}${credential}"`]),
    ...(call.body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${inShell(writeJson(call.body))}`]),
  ].join(" \\\n");
}

/** Languages of a call: all, or curl alone where no client has a method for it. */
export const languagesOf = (operationId: string): readonly SampleLanguage[] => (operationId in clientCalls ? sampleLanguages : ["curl"]);

/** The call in a language. The clients retry it, with one idempotency key for all attempts. */
export function writeSample(language: SampleLanguage, call: SampleCall, options: SampleOptions): string {
  if (language === "curl") return writeCurl(call, options);
  const client = clients[language satisfies ClientLanguage];
  const known = clientCalls[call.operationId];
  if (!known) throw new Error(`no client has a method for ${call.operationId}`);
  const key = options.showKey ? options.showKey(client.key) : client.key;
  const { method, result, argumentsOf } = known;
  return client.write({ method, result, given: argumentsOf(call) }, { address: options.address, key });
}
