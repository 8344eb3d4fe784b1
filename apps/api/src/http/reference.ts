import { asOfHeader } from "./answer-report.ts";
import { testScenarios } from "@assay/contract/scoring.ts";
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { describeWebhooks, webhooksExplained, webhooksTag } from "./describe-webhooks.ts";

const introduction = `Assay scores a visitor session by six behavioural signals, pays the developer per call, and records
every charge in a ledger that anyone can verify.

Send your key in \`X-API-Key\`, from your server, never from a browser. A billable call is worth 0.05 USD; a 200 is billed
exactly once, and its \`Assay-Receipt\` header names the ledger entry. Everything else is free.

Send behaviour only: a body with a field for the name, address or identifier of a person is refused.

Every failure is \`{error, message}\`: match on \`error\`, show \`message\`. Retry after 429, 500, 503 and 409
\`idempotency_in_progress\`, with exponential back-off of at least \`Retry-After\`, and send an \`Idempotency-Key\` with every
billable call, so that no retry is billed twice. Answers may gain fields: ignore those that you do not know.`;

const keyExplained =
  "`assay_live_…` or `assay_test_…`, made in the dashboard or by `assay key create`. A test key gets real scores, is never billed and earns nothing.";

const sharedHeaders = { "X-Request-Id": { description: "Identifies this request in the logs.", schema: { type: "string" } } };
const limitHeaders = {
  "RateLimit-Policy": {
    description: "The account's two windows.",
    schema: { type: "string", examples: ['"hour";q=1000;w=3600, "burst";q=50;w=60'] },
  },
  RateLimit: {
    description: "Remaining calls in each window, and the seconds until some quota is restored.",
    schema: { type: "string", examples: ['"hour";r=812;t=1640, "burst";r=49;t=60'] },
  },
};
const receiptHeader = {
  "Assay-Receipt": {
    description: "`<seq>.<hash>` of the ledger entry; absent for test keys.",
    schema: { type: "string", pattern: "^[0-9]+\\.[0-9a-f]{64}$" },
  },
  "Idempotent-Replayed": {
    description: "`true` if an earlier call with this Idempotency-Key was charged and this is its answer.",
    schema: { type: "string", pattern: "^true$" },
  },
};
const retryAfterHeader = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } } };

/** 409 has the header for `idempotency_in_progress`, not for `idempotency_conflict`. */
const waitingStatuses: ReadonlySet<string> = new Set(["409", "429", "503"]);

/** Of answers that are reports. */
const reportIds: ReadonlySet<string> = new Set(["usage", "adsReport"]);
const asOf = {
  [asOfHeader]: {
    description: "The report has everything that was committed by this time. Absent if it is current; `reports` of /api/status says how old it may be.",
    schema: { type: "string", format: "date-time" },
  },
};

const noFillHeader = { "Assay-No-Fill": { description: "Why there is no ad.", schema: { type: "string" } } };

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "1 to 255 characters. For 24 hours the same key and request get the same answer, charged once.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
const scenarioParameter = {
  name: "Assay-Test-Scenario",
  in: "header",
  description: `Test keys only: forces an answer. One of ${testScenarios.join(", ")}.`,
  // Not an enum: the page would put its first value into every example, and live keys refuse the header.
  schema: { type: "string", pattern: `^(${testScenarios.join("|")})$` },
};

/** Exactly the routes with this tag are billable. */
const billableTag = "Scoring";
const adsTag = "Ads";
const moneyTag = "Billing";
/** Its 404 says when to ask again for an entry that is not in the log yet. */
const proofId = "ledgerProof";

type Operation = {
  operationId?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: unknown[];
  responses?: Record<string, { headers?: Record<string, unknown> }>;
};

/** Describes the headers that hooks, not schemas, add to answers. */
function describeHeaders(operation: Operation): void {
  const isKeyed = operation.security !== undefined;
  // Explicit: without this line the operation would leave it open.
  operation.security ??= [];
  const isBillable = operation.tags?.includes(billableTag) ?? false;
  const isForAds = operation.tags?.includes(adsTag) ?? false;
  const isForMoney = operation.tags?.includes(moneyTag) ?? false;
  const parameters = [...(isBillable ? [idempotencyParameter] : []), ...(isBillable || isForAds || isForMoney ? [scenarioParameter] : [])];
  if (parameters.length > 0) operation.parameters = [...(operation.parameters ?? []), ...parameters];
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    response.headers = {
      ...sharedHeaders,
      ...(isKeyed && status !== "401" && limitHeaders),
      ...(isBillable && status === "200" && receiptHeader),
      ...(isForAds && status === "204" && noFillHeader),
      ...(status === "200" && reportIds.has(operation.operationId ?? "") && asOf),
      ...((waitingStatuses.has(status) || (operation.operationId === proofId && status === "404")) && retryAfterHeader),
    };
  }
}

/** The router calls the rest of a path `*`; a document needs a name for it. */
function nameWildcard<Path>([path, operations]: [string, Path]): [string, Path] {
  if (!path.includes("{*}")) return [path, operations];
  for (const { parameters } of Object.values(operations as Record<string, { parameters?: { name: string }[] }>)) {
    for (const parameter of parameters ?? []) if (parameter.name === "*") parameter.name = "tile";
  }
  return [path.replace("{*}", "{tile}"), operations];
}

/** `/openapi.json`. The page at `/docs` is built from docs/openapi.json: see apps/dashboard/build/include-reference.ts. */
export async function addReference(
  app: FastifyInstance,
  about: { version: string; publicUrl: string | undefined; operatorName: string | undefined },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Assay",
        version: about.version,
        description: introduction,
        contact: { name: about.operatorName ?? "The operator of this installation", ...(about.publicUrl && { url: about.publicUrl }) },
      },
      servers: [about.publicUrl ? { url: about.publicUrl } : { url: "/", description: "The server of this document." }],
      tags: [
        { name: billableTag, description: "How far a session can be trusted. Each 200 is worth 0.05 USD, of which the caller earns a share." },
        { name: "Sessions", description: "Scored sessions and their outcomes. Free, with a key." },
        { name: "Attested sessions", description: "What pages call themselves, without a key. Free." },
        { name: adsTag, description: "Ads to show. Free, with a key; valid clicks pay." },
        { name: "Campaigns", description: "For advertisers, with the token of a campaign." },
        { name: "Billing", description: "Usage and statements. Free, with a key." },
        { name: "Ledger", description: "Everything to verify the ledger with. Free, in windows of its own." },
        { name: "Operations", description: "Health and status of the service. Free, without a key." },
        { name: webhooksTag, description: webhooksExplained },
      ],
      webhooks: describeWebhooks(),
      components: {
        securitySchemes: {
          apiKey: { type: "apiKey", name: "X-API-Key", in: "header", description: keyExplained },
          campaignToken: { type: "http", scheme: "bearer", description: "`ct_…`, the token of one campaign: the operator makes it in the console or by `assay campaign token`." },
        },
      },
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) throw new Error("an OpenAPI document was expected");
      const { openapiObject } = document;
      openapiObject.paths = Object.fromEntries(Object.entries(openapiObject.paths ?? {}).map(nameWildcard));
      for (const path of Object.values(openapiObject.paths)) {
        for (const operation of Object.values(path ?? {})) describeHeaders(operation as Operation);
      }
      return openapiObject;
    },
  });
  /** Anybody may ask: it is made once. */
  let text: Buffer | undefined;
  app.get("/openapi.json", {
    schema: { hide: true },
    handler(_request, reply) {
      text ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type("application/json; charset=utf-8").send(text);
    },
  });
}
