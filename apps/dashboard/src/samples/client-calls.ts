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
  usage: { method: "usage", result: "usage", argumentsOf: () => [{ kind: "span", value: {} }] },
  statement: { method: "statement", result: "statement", argumentsOf: ({ path }) => [text(path.month)] },
  requestAd: { method: "requestAd", result: "result", argumentsOf: ({ body }) => [{ kind: "ad", value: body ?? {} }] },
  ledgerProof: { method: "proof", result: "proof", argumentsOf: ({ query }) => [{ kind: "number", value: Number(query.seq) }] },
};

export type ClientLanguage = LiteralLanguage;
type Written = { address: string; key: string };
/** A call with its arguments. */
type Call = { method: string; result: string; given: readonly Argument[] };
type Client = {
  /** Reads the key from the environment. */
  key: string;
  write: (call: Call, written: Written) => string;
};

const goNames: Readonly<Record<string, string>> = { session_id: "SessionID" };
const isObject = (value: Json): value is { readonly [name: string]: Json } => typeof value === "object" && value !== null && !Array.isArray(value);

/** Optional numbers and booleans are pointers, whose type a literal must have. */
function goField(name: string, value: Json): string {
  if (isObject(value)) return structOf("&assay.UserContext", value);
  if (name === "user_engagement" || name === "session_duration" || typeof value === "string") return writeLiteral("Go", value);
  if (name === "interaction_count" || name === "page_views") return `assay.Ptr(int64(${writeLiteral("Go", value)}))`;
  return `assay.Ptr(${typeof value === "number" && Number.isInteger(value) ? `${value}.0` : writeLiteral("Go", value)})`;
}

/** gofmt aligns the values of fields that stand below each other. */
function structOf(name: string, value: Json): string {
  const fields = Object.entries(value as Record<string, Json>).map(([field, each]) => [`${goNames[field] ?? pascalCase(field)}:`, goField(field, each)] as const);
  const write = (width: number) => layOut(fields.map(([field, each]) => `${field.padEnd(width)} ${each}`), { open: `${name}{`, close: "}", indent: "\t" });
  return write(0).includes("\n") ? write(Math.max(...fields.map(([field]) => field.length))) : write(0);
}

function goArgument({ kind, value }: Argument): string {
  const structs = { signals: "assay.SessionData", window: "assay.TrafficWindow", span: "assay.UsageWindow", ad: "assay.AdRequest" };
  return kind === "text" || kind === "number" ? writeLiteral("Go", value) : structOf(structs[kind], value);
}

/** `AdRequest.of().withFormat("native")`, with the fields that are required inside of the parentheses. */
function javaValue(type: string, value: Readonly<Record<string, Json>>, required: readonly string[] = []): string {
  const first = required.map((name) => writeLiteral("Java", value[name] ?? 0)).join(", ");
  const withers = Object.entries(value)
    .filter(([name]) => !required.includes(name))
    .map(([name, each]) => `.with${pascalCase(name)}(${isObject(each) ? javaValue(pascalCase(name), each) : writeLiteral("Java", each)})`);
  const indent = withers.length > 1 ? "\n    " : "";
  return `${type}.of(${first})${withers.map((each) => indent + each.replaceAll("\n", "\n    ")).join("")}`;
}

function javaArgument({ kind, value }: Argument): string {
  if (!isObject(value)) return writeLiteral("Java", value);
  if (kind === "signals") return javaValue("SessionData", value, ["user_engagement", "session_duration"]);
  return javaValue(kind === "ad" ? "AdRequest" : "TrafficWindow", value);
}

/** Of these languages only Go has no optional arguments. */
const writeArguments = (language: ClientLanguage, given: readonly Argument[]): string =>
  given
    .filter(({ kind }) => kind !== "span")
    .map(({ value }) => writeLiteral(language, value))
    .join(", ");

export const clients: Readonly<Record<ClientLanguage, Client>> = {
  TypeScript: {
    key: "process.env.ASSAY_API_KEY",
    write: ({ method, result, given }, { address, key }) =>
      [
        `import { Assay } from "@assay/sdk";`,
        ``,
        `const assay = new Assay({ apiKey: ${key}, baseUrl: "${address}" });`,
        `const ${result} = await assay.${method}(${writeArguments("TypeScript", given)});`,
      ].join("\n"),
  },
  Python: {
    key: `os.environ["ASSAY_API_KEY"]`,
    write: ({ method, result, given }, { address, key }) =>
      [
        `import os`,
        `from assay import Assay`,
        ``,
        `assay = Assay(api_key=${key}, base_url="${address}")`,
        `${result} = assay.${snakeCase(method)}(${writeArguments("Python", given)})`,
      ].join("\n"),
  },
  Go: {
    key: `os.Getenv("ASSAY_API_KEY")`,
    write: ({ method, result, given }, { address, key }) =>
      [
        `import assay "assay.dev/client"`,
        ``,
        `client, err := assay.New(${key}, "${address}")`,
        `if err != nil {`,
        `\treturn err`,
        `}`,
        `${result}, err := client.${pascalCase(method)}(${["ctx", ...given.map(goArgument)].join(", ")})`,
      ].join("\n"),
  },
  PHP: {
    key: `getenv('ASSAY_API_KEY')`,
    write: ({ method, result, given }, { address, key }) =>
      [
        `use Assay\\Assay;`,
        ``,
        `$assay = new Assay(apiKey: ${key}, baseUrl: '${address}');`,
        `$${result} = $assay->${method}(${writeArguments("PHP", given)});`,
      ].join("\n"),
  },
  Java: {
    key: `System.getenv("ASSAY_API_KEY")`,
    write: ({ method, result, given }, { address, key }) =>
      [
        `import dev.assay.*;`,
        ``,
        `var assay = Assay.builder(${key}, "${address}").build();`,
        `var ${result} = assay.${method}(${given.filter(({ kind }) => kind !== "span").map(javaArgument).join(", ")});`,
      ].join("\n"),
  },
};

/** How each client checks that a delivery comes from Assay. The variables are those of the receiving server. */
export const webhookSamples: Readonly<Record<ClientLanguage, string>> = {
  TypeScript: `import { verifyWebhook } from "@assay/sdk/webhooks";\n\nconst event = await verifyWebhook(\n  await request.text(),\n  request.headers,\n  process.env.WEBHOOK_SECRET,\n);`,
  Python: `import os\nfrom assay import verify_webhook\n\nevent = verify_webhook(body, headers, os.environ["WEBHOOK_SECRET"])`,
  Go: `import assay "assay.dev/client"\n\nsecrets := []string{os.Getenv("WEBHOOK_SECRET")}\nevent, err := assay.VerifyWebhook(body, request.Header, secrets)`,
  PHP: `use Assay\\Webhook;\n\n$body = file_get_contents('php://input');\n$event = Webhook::verify($body, getallheaders(), getenv('WEBHOOK_SECRET'));`,
  Java: `import dev.assay.*;\n\nvar secrets = List.of(System.getenv("WEBHOOK_SECRET"));\nvar event = Webhook.verify(body, headers, secrets);`,
};
