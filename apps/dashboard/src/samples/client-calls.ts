/**
 * The calls that the clients have a method for, and how each client is used. The names of all clients are here and
 * nowhere else: the playground and the API reference take their samples from it.
 */
import { type Json, layOut, type LiteralLanguage, pascalCase, snakeCase, writeLiteral } from "./literals.ts";

export type SampleRequest = { path: Readonly<Record<string, string>>; query: Readonly<Record<string, string>>; body: Json | undefined };
type Argument = { kind: "signals" | "window" | "span" | "ad" | "text" | "number"; value: Json };
type ClientCall = { method: string; result: string; argumentsOf: (request: SampleRequest) => Argument[] };

const text = (value: string | undefined): Argument => ({ kind: "text", value: value ?? "" });
const signalsOf = ({ body }: SampleRequest): Argument[] => [{ kind: "signals", value: (body as { session_data: Json }).session_data }];

/** By operationId. Operations that are not listed have no method: their samples are in curl only. */
export const clientCalls: Readonly<Record<string, ClientCall>> = {
  predict: { method: "predict", result: "verdict", argumentsOf: signalsOf },
  score: { method: "score", result: "verdict", argumentsOf: signalsOf },
  analyze: { method: "analyze", result: "verdict", argumentsOf: signalsOf },
  analyzeTraffic: { method: "analyzeTraffic", result: "traffic", argumentsOf: ({ body }) => [{ kind: "window", value: body ?? {} }] },
  session: { method: "session", result: "session", argumentsOf: ({ path }) => [text(path.session_id)] },
  recordOutcome: { method: "reportOutcome", result: "recorded", argumentsOf: ({ path, body }) => [text(path.session_id), text((body as { outcome: string }).outcome)] },
  usage: { method: "usage", result: "usage", argumentsOf: ({ query }) => [{ kind: "span", value: query }] },
  statement: { method: "statement", result: "statement", argumentsOf: ({ path }) => [text(path.month)] },
  requestAd: { method: "requestAd", result: "result", argumentsOf: ({ body }) => [{ kind: "ad", value: body ?? {} }] },
  ledgerProof: { method: "proof", result: "proof", argumentsOf: ({ query }) => [{ kind: "number", value: Number(query.seq) }] },
};

export type ClientLanguage = LiteralLanguage;
export type Written = { address: string; key: string };
type Client = {
  /** Reads the key from the environment. */
  key: string;
  write: (call: ClientCall & { request: SampleRequest }, written: Written) => string;
};

type Fields = Readonly<Record<string, Json>>;

const isFields = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const classNames = { signals: "SessionData", window: "TrafficWindow", span: "UsageWindow", ad: "AdRequest" } as const;
const requiredSignals: ReadonlySet<string> = new Set(["user_engagement", "session_duration"]);
const goName = (name: string): string => pascalCase(name).replace(/Id$/, "ID");

/** Optional numbers and booleans are pointers: 0 and false are values. */
function goValue(name: string, value: Json): string {
  if (isFields(value)) return `&${structOf(`assay.${pascalCase(name)}`, value)}`;
  const written = writeLiteral("Go", value);
  if (typeof value === "string" || requiredSignals.has(name)) return written;
  return typeof value === "number" && /(count|views)$/.test(name) ? `assay.Ptr[int64](${written})` : `assay.Ptr(${written})`;
}

/** gofmt aligns the values of fields that stand below each other. */
function structOf(name: string, value: Fields): string {
  const fields = Object.entries(value).map(([field, each]) => [`${goName(field)}:`, goValue(field, each)] as const);
  const write = (width: number) => layOut(fields.map(([field, each]) => `${field.padEnd(width)} ${each}`), { open: `${name}{`, close: "}", indent: "\t" });
  return write(0).includes("\n") ? write(Math.max(...fields.map(([field]) => field.length))) : write(0);
}

const goArgument = ({ kind, value }: Argument): string => (kind === "text" || kind === "number" ? writeLiteral("Go", value) : structOf(`assay.${classNames[kind]}`, value as Fields));

/** A chain of the fields that are there; the required ones come first. */
function javaObject(name: string, value: Fields): string {
  const written = (field: string, each: Json) => (isFields(each) ? javaObject(pascalCase(field), each) : writeLiteral("Java", each));
  const required = Object.entries(value).filter(([field]) => requiredSignals.has(field)).map(([field, each]) => written(field, each));
  const links = Object.entries(value).filter(([field]) => !requiredSignals.has(field)).map(([field, each]) => `.with${pascalCase(field)}(${written(field, each)})`);
  const start = `${name}.of(${required.join(", ")})`;
  return links.length > 1 ? [start, ...links.map((link) => `    ${link.replaceAll("\n", "\n    ")}`)].join("\n") : start + links.join("");
}

const javaArgument = ({ kind, value }: Argument): string => (kind === "text" || kind === "number" ? writeLiteral("Java", value) : javaObject(classNames[kind], value as Fields));

/** Windows that say nothing are left out where a language has optional arguments. */
const given = (call: ClientCall, request: SampleRequest): Argument[] => call.argumentsOf(request).filter(({ kind, value }) => kind !== "span" || Object.keys(value as Fields).length > 0);

export const clients: Readonly<Record<ClientLanguage, Client>> = {
  TypeScript: {
    key: "process.env.ASSAY_API_KEY",
    write: ({ request, ...call }, { address, key }) =>
      [
        `import { Assay } from "@assay/sdk";`,
        ``,
        `const assay = new Assay({ apiKey: ${key}, baseUrl: "${address}" });`,
        `const ${call.result} = await assay.${call.method}(${given(call, request).map(({ value }) => writeLiteral("TypeScript", value)).join(", ")});`,
      ].join("\n"),
  },
  Python: {
    key: `os.environ["ASSAY_API_KEY"]`,
    write: ({ request, ...call }, { address, key }) =>
      [
        `import os`,
        `from assay import Assay`,
        ``,
        `assay = Assay(api_key=${key}, base_url="${address}")`,
        `${call.result} = assay.${snakeCase(call.method)}(${given(call, request).map(({ value }) => writeLiteral("Python", value)).join(", ")})`,
      ].join("\n"),
  },
  Go: {
    key: `os.Getenv("ASSAY_API_KEY")`,
    write: ({ method, result, argumentsOf, request }, { address, key }) =>
      [
        `client, err := assay.New(${key}, "${address}")`,
        `if err != nil {`,
        `\treturn err`,
        `}`,
        `${result}, err := client.${pascalCase(method)}(${["ctx", ...argumentsOf(request).map(goArgument)].join(", ")})`,
      ].join("\n"),
  },
  PHP: {
    key: `getenv('ASSAY_API_KEY')`,
    write: ({ request, ...call }, { address, key }) =>
      [
        `$assay = new \\Assay\\Assay(apiKey: ${key}, baseUrl: '${address}');`,
        `$${call.result} = $assay->${call.method}(${given(call, request).map(({ value }) => writeLiteral("PHP", value)).join(", ")});`,
      ].join("\n"),
  },
  Java: {
    key: `System.getenv("ASSAY_API_KEY")`,
    write: ({ request, ...call }, { address, key }) =>
      [`var assay = Assay.builder(${key}, "${address}").build();`, `var ${call.result} = assay.${call.method}(${given(call, request).map(javaArgument).join(", ")});`].join("\n"),
  },
};

/** How each client checks that a delivery comes from Assay. The variables are those of the receiving server. */
export const webhookSamples: Readonly<Record<ClientLanguage, string>> = {
  TypeScript: `import { verifyWebhook } from "@assay/sdk/webhooks";\n\nconst event = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);`,
  Python: `from assay import verify_webhook\n\nevent = verify_webhook(request.body, request.headers, os.environ["WEBHOOK_SECRET"])`,
  Go: `event, err := assay.VerifyWebhook(body, request.Header, []string{os.Getenv("WEBHOOK_SECRET")})`,
  PHP: `$event = \\Assay\\Webhook::verify(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));`,
  Java: `var event = Webhook.verify(body, headers, List.of(System.getenv("WEBHOOK_SECRET")));`,
};
