import { testScenarios } from "@assay/contract/scoring.ts";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { join } from "node:path";

const introduction = `Assay judges one visitor session by six behavioural signals, pays the developer who asked, and keeps
every charge in a ledger that anyone can verify.

Send your key in \`X-API-Key\`, from your server, never from a browser. A billable call is worth 0.05 USD; a 200 is billed
exactly once, and its \`Assay-Receipt\` header names the ledger entry. Everything else is free.

Send only behaviour: a body with a field for a name, an address or an identifier of a person is refused.

Every failure is \`{error, message}\`: match on \`error\`, show \`message\`. Try again after 429, 500, 503 and 409
\`idempotency_in_progress\`, with a growing wait that is at least \`Retry-After\`, and send an \`Idempotency-Key\` with every
billable call: then no retry is billed twice. Answers only ever gain fields, so ignore those that you do not know.`;

const keyExplained =
  "`assay_live_…` or `assay_test_…`, made in the dashboard or by `assay key create`. A test key gets real scores, is never billed and earns nothing.";

/** Headers that every keyed answer carries. */
const sharedHeaders = {
  "X-Request-Id": { description: "Names this request in the logs.", schema: { type: "string" } },
};
const limitHeaders = {
  "RateLimit-Policy": {
    description: "The account's two windows.",
    schema: { type: "string", examples: ['"hour";q=1000;w=3600, "burst";q=50;w=60'] },
  },
  RateLimit: {
    description: "Calls that remain in each window, and the seconds until some come back.",
    schema: { type: "string", examples: ['"hour";r=812;t=1640, "burst";r=49;t=60'] },
  },
};
const receiptHeader = {
  "Assay-Receipt": {
    description: "`<seq>.<hash>` of the ledger entry; absent for test keys.",
    schema: { type: "string", pattern: "^[0-9]+\\.[0-9a-f]{64}$" },
  },
  "Idempotent-Replayed": {
    description: "`true` where an earlier call with this Idempotency-Key was charged, and this is its answer.",
    schema: { type: "string", pattern: "^true$" },
  },
};
const retryAfterHeader = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } } };

/** 409 says it where the call is under way, and not where its key was used for another one. */
const waitingStatuses: ReadonlySet<string> = new Set(["409", "429", "503"]);

const noFillHeader = { "Assay-No-Fill": { description: "Why there is no ad.", schema: { type: "string" } } };

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "1 to 255 characters. For 24 hours the same key and request give the same answer, charged once.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
const scenarioParameter = {
  name: "Assay-Test-Scenario",
  in: "header",
  description: `Test keys only: forces an answer. One of ${testScenarios.join(", ")}.`,
  // A pattern, not an enum: the page would put an enum's first value into every example, and live keys refuse it.
  schema: { type: "string", pattern: `^(${testScenarios.join("|")})$` },
};

/** Routes under this tag are billable, and no others. */
const billableTag = "Scoring";
const adsTag = "Ads";

type Operation = {
  tags?: string[];
  security?: unknown[];
  parameters?: unknown[];
  responses?: Record<string, { headers?: Record<string, unknown> }>;
};

/** Adds to each operation what hooks, not schemas, put on its answers. */
function describeHeaders(operation: Operation): void {
  const isKeyed = operation.security !== undefined;
  // Said outright: an operation without this line would leave it open.
  operation.security ??= [];
  const isBillable = operation.tags?.includes(billableTag) ?? false;
  const isForAds = operation.tags?.includes(adsTag) ?? false;
  const parameters = [...(isBillable ? [idempotencyParameter] : []), ...(isBillable || isForAds ? [scenarioParameter] : [])];
  if (parameters.length > 0) operation.parameters = [...(operation.parameters ?? []), ...parameters];
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    response.headers = {
      ...sharedHeaders,
      ...(isKeyed && status !== "401" && limitHeaders),
      ...(isBillable && status === "200" && receiptHeader),
      ...(isForAds && status === "204" && noFillHeader),
      ...(waitingStatuses.has(status) && retryAfterHeader),
    };
  }
}

/** `/openapi.json` and the page that shows it. */
export async function addReference(
  app: FastifyInstance,
  about: { version: string; publicUrl: string | undefined; operatorName: string | undefined; distFolder: string },
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
      servers: [about.publicUrl ? { url: about.publicUrl } : { url: "/", description: "Where this document came from." }],
      tags: [
        { name: billableTag, description: "How far a session can be trusted. Each 200 is worth 0.05 USD, of which the caller earns a share." },
        { name: "Sessions", description: "What became of sessions that were judged. Free, with a key." },
        { name: adsTag, description: "Ads to show. Free, with a key; valid clicks pay." },
        { name: "Billing", description: "What the calls came to. Free, with a key." },
        { name: "Operations", description: "Whether the service is well, and what holds in it. Free, without a key." },
      ],
      components: { securitySchemes: { apiKey: { type: "apiKey", name: "X-API-Key", in: "header", description: keyExplained } } },
    },
    transformObject: (document) => {
      if (!("openapiObject" in document)) throw new Error("an OpenAPI document was expected");
      for (const path of Object.values(document.openapiObject.paths ?? {})) {
        for (const operation of Object.values(path ?? {})) describeHeaders(operation as Operation);
      }
      return document.openapiObject;
    },
  });
  app.get("/openapi.json", { schema: { hide: true }, handler: () => app.swagger() });
  await app.register(addReferencePage, { folder: join(about.distFolder, "docs") });
}

const pageKeptMs = 3_600_000;

/** The page itself is a file, and so is its script of four megabytes: scripts/build-dashboard.ts makes them. */
async function addReferencePage(app: FastifyInstance, { folder }: { folder: string }): Promise<void> {
  await app.register(helmet, {
    // Every answer says it where it holds: see security-headers.ts.
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // The reference is one script that styles itself and starts from a line in the page.
        scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        upgradeInsecureRequests: null,
      },
    },
  });
  await app.register(fastifyStatic, { root: folder, prefix: "/docs/", schemaHide: true, index: false, preCompressed: true, maxAge: pageKeptMs });
  app.get("/docs", { schema: { hide: true }, handler: (_request, reply) => reply.sendFile("index.html") });
}
