// Without imports, because it is loaded into every one of the hundreds of services that tests start.

type Schema = Record<string, unknown>;
type Described = { headers?: Record<string, { schema: Schema }>; content?: Record<string, { schema: Schema }> };
export type ApiDocument = { paths?: Record<string, Record<string, { responses?: Record<string, Described> }>> };

/** One answer of the service. `route` is Fastify's route pattern; undefined if none matched. */
export type SeenAnswer = {
  method: string;
  route: string | undefined;
  url: string;
  status: number;
  headers: Record<string, unknown>;
  text: string;
  /** The response schemas of the route, by status: the description of a route of the dashboard's own API. */
  responses?: Record<string, unknown> | undefined;
};

/** Compiles a schema into a check that returns what is wrong with a value, or undefined. */
export type CompileSchema = (schema: Record<string, unknown>) => (value: unknown) => string | undefined;

type CheckBody = (text: string) => string | undefined;
type CheckedAnswer = { body: CheckBody; /** Whether it may also be of another type than JSON. */ hasOtherTypes: boolean; headers: Map<string, Schema> };

/** Paths with an OpenAPI description; the others are pages, images and the dashboard's own API. */
const described = /^\/(api|ml|health|log)(\/|$|\?)|^\/metrics($|\?)/;
/** The dashboard's own API, which is described by the schemas of its routes. */
const dashboard = /^\/dashboard\/api(\/|$|\?)/;
/** Our own headers, which must be described. */
const ownHeaders = /^(assay-|idempotent-|ratelimit|retry-after$)/;
/** Statuses that require Retry-After. */
const waitingStatuses = new Set([429, 503]);

/** The schema with every object closed, so that fields without a description are findings. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$id" && name !== "examples").map(([name, value]) => [name, close(value)]));
  return "properties" in closed ? { additionalProperties: false, ...closed } : closed;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Compiles lazily: most services give only a few kinds of answers. */
function bodyCheck(schema: Schema, compile: CompileSchema): CheckBody {
  let check: ReturnType<CompileSchema> | undefined;
  return (text) => {
    const parsed = parse(text);
    if (!parsed) return "its body is not JSON";
    check ??= compile(close(schema) as Schema);
    const fault = check(parsed.value);
    return fault && `its body differs: ${fault}`;
  };
}

const failureSchema: Schema = {
  type: "object",
  required: ["error", "message"],
  properties: { error: { type: "string" }, message: { type: "string" } },
};

/** The dashboard's 429: it has no windows, so it names no limit. */
const tooManySchema: Schema = {
  type: "object",
  required: ["error", "message", "retry_after"],
  properties: { error: { type: "string" }, message: { type: "string" }, retry_after: { type: "integer", minimum: 1 } },
};

function checkOf({ content, headers = {} }: Described, compile: CompileSchema): CheckedAnswer {
  const json = content?.["application/json"];
  const body: CheckBody = json
    ? bodyCheck(json.schema, compile)
    : content
      ? () => undefined
      : (text) => (text === "" ? undefined : "it has a body and none is described");
  const hasOtherTypes = Object.keys(content ?? {}).some((type) => type !== "application/json");
  return { body, hasOtherTypes, headers: new Map(Object.entries(headers).map(([name, { schema }]) => [name.toLowerCase(), schema])) };
}

function findHeaderFault(answer: SeenAnswer, expected: Map<string, Schema>): string | undefined {
  for (const name of Object.keys(answer.headers).filter((each) => ownHeaders.test(each))) {
    const schema = expected.get(name);
    if (!schema) return `its header ${name} is not described`;
    const said = String(answer.headers[name]);
    if (typeof schema.pattern === "string" && !new RegExp(schema.pattern).test(said)) return `its header ${name} is ${said}`;
    if (schema.type === "integer" && !(Number.isInteger(Number(said)) && Number(said) >= Number(schema.minimum))) return `its header ${name} is ${said}`;
  }
  return findMissingHeader(answer);
}

function findMissingHeader({ headers, status }: SeenAnswer): string | undefined {
  if (headers["x-request-id"] === undefined) return "it has no X-Request-Id";
  return waitingStatuses.has(status) && headers["retry-after"] === undefined ? "it has no Retry-After" : undefined;
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** For the dashboard's own API: JSON has a schema of its route for its status. Downloads and redirects have none. */
function createRouteCheck(compile: CompileSchema, checkFailure: CheckBody): (answer: SeenAnswer) => string | undefined {
  const checks = new WeakMap<object, CheckBody>();
  const checkTooMany = bodyCheck(tooManySchema, compile);
  const checkOfSchema = (schema: object): CheckBody => {
    const known = checks.get(schema) ?? bodyCheck(schema as Schema, compile);
    checks.set(schema, known);
    return known;
  };
  return (answer) => {
    const { method, status, headers, text, responses = {} } = answer;
    const missing = findMissingHeader(answer);
    if (missing !== undefined || method === "HEAD") return missing;
    if (status >= 400) return (status === 429 ? checkTooMany : checkFailure)(text);
    const declared = responses[String(status)];
    if (typeof declared === "object" && declared !== null) return checkOfSchema(declared)(text);
    const isDescribed = Object.keys(responses).length > 0 || String(headers["content-type"]).startsWith("application/json");
    return isDescribed && !isRedirect(status) ? `the status ${status} is not described` : undefined;
  };
}

/** Compares answers with their description: returns what is wrong with one, or undefined. */
export function createAnswerCheck(document: ApiDocument, compile: CompileSchema): (answer: SeenAnswer) => string | undefined {
  const failure: CheckedAnswer = { body: bodyCheck(failureSchema, compile), hasOtherTypes: false, headers: new Map() };
  const checkByRoute = createRouteCheck(compile, failure.body);
  const checks = new Map<string, Map<string, CheckedAnswer>>();
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      const route = path.replace("{tile}", "*").replaceAll(/\{(\w+)\}/g, ":$1");
      checks.set(`${method.toUpperCase()} ${route}`, new Map(Object.entries(responses).map(([status, response]) => [status, checkOf(response, compile)])));
    }
  }
  return (answer) => {
    if (dashboard.test(answer.url)) return checkByRoute(answer);
    if (!described.test(answer.url)) return undefined;
    const isHead = answer.method === "HEAD";
    const statuses = checks.get(`${isHead ? "GET" : answer.method} ${answer.route ?? ""}`);
    // Requests that match no route get the same failure everywhere, which is not described per path.
    const expected = statuses ? statuses.get(String(answer.status)) : answer.status >= 400 ? failure : undefined;
    if (!expected) return `the status ${answer.status} is not described`;
    const isOther = expected.hasOtherTypes && !String(answer.headers["content-type"]).startsWith("application/json");
    return findHeaderFault(answer, expected.headers) ?? (isHead || isOther ? undefined : expected.body(answer.text));
  };
}
