/**
 * The calls that the clients have a method for, and how each client is used. The names of all clients are here and
 * nowhere else: the playground and the API reference take their samples from it.
 */
import { camelCase, type Json, layOut, type LiteralLanguage, pascalCase, snakeCase, writeLiteral } from "./literals.ts";

export type SampleRequest = { path: Readonly<Record<string, string>>; query: Readonly<Record<string, string>>; body: Json | undefined };
type Argument = { kind: "signals" | "window" | "ad" | "text" | "number"; value: Json };
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
  usage: { method: "usage", result: "usage", argumentsOf: () => [] },
  statement: { method: "statement", result: "statement", argumentsOf: ({ path }) => [text(path.month)] },
  requestAd: { method: "requestAd", result: "result", argumentsOf: ({ body }) => [{ kind: "ad", value: body ?? {} }] },
  ledgerProof: { method: "proof", result: "proof", argumentsOf: ({ query }) => [{ kind: "number", value: Number(query.seq) }] },
};

/** Of these the TypeScript client has no method yet: their samples call the service with fetch. */
const fetchedInTypeScript: ReadonlySet<string> = new Set(["usage", "statement", "proof"]);

export type ClientLanguage = LiteralLanguage;
export type Written = { address: string; key: string };
type Client = {
  /** Reads the key from the environment. */
  key: string;
  write: (call: ClientCall & { request: SampleRequest; route: string }, written: Written) => string;
};

/** gofmt aligns the values of fields that stand below each other. */
function structOf(name: string, value: Json): string {
  const fields = Object.entries(value as Record<string, Json>).map(([field, each]) => {
    const isNested = typeof each === "object" && each !== null;
    return [`${pascalCase(field)}:`, isNested ? structOf("assay.UserContext", each) : writeLiteral("Go", each)] as const;
  });
  const write = (width: number) => layOut(fields.map(([field, each]) => `${field.padEnd(width)} ${each}`), { open: `${name}{`, close: "}", indent: "\t" });
  return write(0).includes("\n") ? write(Math.max(...fields.map(([field]) => field.length))) : write(0);
}

const goArgument = ({ kind, value }: Argument): string => {
  const structs = { signals: "assay.Signals", window: "assay.Window", ad: "assay.AdRequest" };
  return kind === "text" || kind === "number" ? writeLiteral("Go", value) : structOf(structs[kind], value);
};

const javaArgument = ({ kind, value }: Argument): string => {
  if (kind === "text" || kind === "number") return writeLiteral("Java", value);
  return kind === "signals" ? `Session.of(${writeLiteral("Java", value)})` : writeLiteral("Java", value);
};

const fetchInTypeScript = (result: string, route: string, { address, key }: Written): string =>
  [`const answer = await fetch("${address}${route}", {`, `  headers: { "X-API-Key": ${key} },`, `});`, `const ${result} = await answer.${result === "proof" ? "text" : "json"}();`].join("\n");

export const clients: Readonly<Record<ClientLanguage, Client>> = {
  TypeScript: {
    key: "process.env.ASSAY_API_KEY",
    write: ({ method, result, argumentsOf, request, route }, written) =>
      fetchedInTypeScript.has(method)
        ? fetchInTypeScript(result, route, written)
        : [
            `import { Assay } from "@assay/sdk";`,
            ``,
            `const assay = new Assay({ apiKey: ${written.key}, baseUrl: "${written.address}" });`,
            `const ${result} = await assay.${method}(${argumentsOf(request).map(({ value }) => writeLiteral("TypeScript", value)).join(", ")});`,
          ].join("\n"),
  },
  Python: {
    key: `os.environ["ASSAY_API_KEY"]`,
    write: ({ method, result, argumentsOf, request }, { address, key }) =>
      [
        `import os`,
        `from assay import Assay`,
        ``,
        `assay = Assay(api_key=${key}, base_url="${address}")`,
        `${result} = assay.${snakeCase(method)}(${argumentsOf(request).map(({ value }) => writeLiteral("Python", value)).join(", ")})`,
      ].join("\n"),
  },
  Go: {
    key: `os.Getenv("ASSAY_API_KEY")`,
    write: ({ method, result, argumentsOf, request }, { address, key }) =>
      [
        `client, err := assay.New(assay.Options{`,
        `\tAPIKey:  ${key},`,
        `\tBaseURL: "${address}",`,
        `})`,
        `if err != nil {`,
        `\treturn err`,
        `}`,
        `${result}, err := client.${pascalCase(method)}(${["ctx", ...argumentsOf(request).map(goArgument), "nil"].join(", ")})`,
      ].join("\n"),
  },
  PHP: {
    key: `getenv('ASSAY_API_KEY')`,
    write: ({ method, result, argumentsOf, request }, { address, key }) =>
      [
        `$assay = new \\Assay\\Client(apiKey: ${key}, baseUrl: '${address}');`,
        `$${result} = $assay->${method}(${argumentsOf(request).map(({ value }) => writeLiteral("PHP", value)).join(", ")});`,
      ].join("\n"),
  },
  Java: {
    key: `System.getenv("ASSAY_API_KEY")`,
    write: ({ method, result, argumentsOf, request }, { address, key }) =>
      [`var assay = Assay.builder(${key}, "${address}").build();`, `var ${result} = assay.${camelCase(method)}(${argumentsOf(request).map(javaArgument).join(", ")});`].join("\n"),
  },
};

/** How each client checks that a delivery comes from Assay. The variables are those of the receiving server. */
export const webhookSamples: Readonly<Record<ClientLanguage, string>> = {
  TypeScript: `import { verifyWebhook } from "@assay/sdk/webhooks";\n\nconst event = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);`,
  Python: `from assay import verify_webhook\n\nevent = verify_webhook(request.body, request.headers, os.environ["WEBHOOK_SECRET"])`,
  Go: `event, err := assay.VerifyWebhook(body, request.Header, []string{os.Getenv("WEBHOOK_SECRET")}, nil)`,
  PHP: `$event = \\Assay\\Webhooks::verify(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));`,
  Java: `var event = Webhooks.verify(body, headers, System.getenv("WEBHOOK_SECRET"));`,
};
