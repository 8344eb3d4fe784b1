import type { AnalysisReply } from "@assay/contract/scoring.ts";
import { eventKinds, type EventType, eventTypes } from "@assay/contract/webhooks.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Static } from "typebox";
import { Compile } from "typebox/schema";
import { predict, send } from "../../test/send.ts";
import { startService, type TestService } from "../../test/start-service.ts";
import { surfaceOf } from "../../test/http/api-surface.ts";
import { type LintedDocument, lintOpenApi } from "../../test/http/lint-openapi.ts";

type Schema = Record<string, unknown>;
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; headers: Record<string, { schema: Schema }>; content?: Record<string, Media> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { securitySchemes: Record<string, unknown> };
};

const scoringStatuses = ["200", "400", "401", "402", "409", "413", "415", "429", "500", "503"];
const reportStatuses = ["200", "400", "401", "429", "500", "503"];
const foundStatuses = ["200", "400", "401", "404", "429", "500", "503"];

/** Every route that is served, with every status that it can answer with. */
const expected: Record<string, { method: string; statuses: string[]; isKeyed: boolean; isBillable: boolean; scheme?: string }> = {
  "/api/ml/predict": { method: "post", statuses: scoringStatuses, isKeyed: true, isBillable: true },
  "/ml/predict": { method: "post", statuses: scoringStatuses, isKeyed: true, isBillable: true },
  "/api/ml/score": { method: "post", statuses: scoringStatuses, isKeyed: true, isBillable: true },
  "/api/ml/analyze": { method: "post", statuses: scoringStatuses, isKeyed: true, isBillable: true },
  "/api/sessions/{session_id}": { method: "get", statuses: ["200", "400", "401", "404", "429", "500", "503"], isKeyed: true, isBillable: false },
  "/api/sessions/{session_id}/outcome": {
    method: "post",
    statuses: ["200", "400", "401", "404", "413", "415", "429", "500", "503"],
    isKeyed: true,
    isBillable: false,
  },
  "/api/servicescore/analyze": { method: "post", statuses: scoringStatuses, isKeyed: true, isBillable: true },
  "/api/ads/request": {
    method: "post",
    statuses: ["200", "204", "400", "401", "413", "415", "429", "500", "503"],
    isKeyed: true,
    isBillable: false,
  },
  "/api/ads/report": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/campaigns/{campaign_id}/conversions": {
    method: "post",
    statuses: ["200", "400", "401", "404", "413", "415", "429", "500", "503"],
    isKeyed: true,
    isBillable: false,
    scheme: "campaignToken",
  },
  "/api/calibration": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/balance": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/usage": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/statements/{month}": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/ledger/entries": { method: "get", statuses: reportStatuses, isKeyed: true, isBillable: false },
  "/api/ledger/proof": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/checkpoint": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/key": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/tile/{tile}": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/{log}/checkpoint": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/{log}/key": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/log/{log}/tile/{tile}": { method: "get", statuses: foundStatuses, isKeyed: true, isBillable: false },
  "/api/status": { method: "get", statuses: ["200", "500", "503"], isKeyed: false, isBillable: false },
  "/c/v1/start": { method: "post", statuses: ["201", "400", "403", "404", "413", "415", "429", "500", "503"], isKeyed: false, isBillable: false },
  "/c/v1/beat": { method: "post", statuses: ["200", "400", "403", "413", "415", "429", "500", "503"], isKeyed: false, isBillable: false },
  "/c/v1/collector.js": { method: "get", statuses: ["200", "304", "404", "500"], isKeyed: false, isBillable: false },
  "/health/live": { method: "get", statuses: ["200"], isKeyed: false, isBillable: false },
  "/health/ready": { method: "get", statuses: ["200", "503"], isKeyed: false, isBillable: false },
  "/metrics": { method: "get", statuses: ["200", "403"], isKeyed: false, isBillable: false },
};

const examplesOf = (media: Media): unknown[] => [
  ...(media.example === undefined ? [] : [media.example]),
  ...Object.values(media.examples ?? {}).map(({ value }) => value),
  // Where an answer has several types, they stay with the schema.
  ...((media.schema as { examples?: unknown[] }).examples ?? []),
];

describe("the API reference", () => {
  let service: TestService;
  let document: Document;
  let operations: { path: string; operation: Operation }[];

  before(async () => {
    service = await startService({ env: { PUBLIC_URL: "", LOG_LEVEL: "warn" } });
    document = (await send(service, "/openapi.json")).json() as unknown as Document;
    operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.values(methods).map((operation) => ({ path, operation })));
  });
  after(() => service.stop());

  it("is OpenAPI 3.1 and says which version it describes", async () => {
    assert.match(document.openapi, /^3\.1\.\d+$/);
    assert.equal(document.info.version, (await send(service, "/api/status")).json().version);
    const { description, ...scheme } = document.components.securitySchemes.apiKey as Record<string, unknown>;
    assert.deepEqual(scheme, { type: "apiKey", name: "X-API-Key", in: "header" });
    assert.match(String(description), /assay_live_/);
  });

  it("passes a strict linter without a warning", async () => {
    const linted = document as unknown as LintedDocument;
    assert.deepEqual(await lintOpenApi(linted), []);
    // Tests the linter itself: it reports each of these changes.
    const without = (change: (copy: LintedDocument) => void): LintedDocument => {
      const copy = structuredClone(linted);
      change(copy);
      return copy;
    };
    const predicting = (copy: LintedDocument) => copy.paths["/api/ml/predict"]!.post!;
    const worse: [RegExp, (copy: LintedDocument) => void][] = [
      [/not OpenAPI/, (copy) => Object.assign(predicting(copy), { parameters: 7 })],
      [/there is no server/, (copy) => delete copy.servers],
      [/info has no description/, (copy) => delete copy.info.description],
      [/predict has no summary/, (copy) => delete predicting(copy).summary],
      [/operationId score is there twice/, (copy) => (predicting(copy).operationId = "score")],
      [/tag that the document does not describe/, (copy) => (predicting(copy).tags = ["Other"])],
      [/does not say whether it needs a key/, (copy) => delete predicting(copy).security],
      [/answers 401 without a description/, (copy) => (predicting(copy).responses["401"]!.description = "Default Response")],
      [/its 200 .* has no example/, (copy) => delete predicting(copy).responses["200"]!.content!["application/json"]!.example],
      [/example that its schema refuses/, (copy) => (predicting(copy).requestBody!.content["application/json"]!.example = {})],
      [/timestamp has no description/, (copy) => delete (predicting(copy).responses["200"]!.content!["application/json"]!.schema!.properties as Record<string, { description?: string }>).timestamp!.description],
      [/payout\.paid has no summary/, (copy) => delete copy.webhooks!["payout.paid"]!.post!.summary],
      [/payout\.paid its request .* has an example that its schema refuses/, (copy) => (copy.webhooks!["payout.paid"]!.post!.requestBody!.content["application/json"]!.example = { type: "payout.returned" })],
      [/operationId payoutPaidWebhook is there twice/, (copy) => (copy.webhooks!["hold.opened"]!.post!.operationId = "payoutPaidWebhook")],
      [/does not describe \{month\}/, (copy) => (copy.paths["/api/statements/{month}"]!.get!.parameters = [])],
    ];
    for (const [finding, change] of worse) assert.match((await lintOpenApi(without(change))).join("\n"), finding);
  });

  it("has every line of docs/api-surface.txt and nothing that is not listed there", () => {
    const promised = readFileSync(new URL("../../../../docs/api-surface.txt", import.meta.url), "utf8").trimEnd().split("\n");
    const surface = surfaceOf(document);
    assert.ok(promised.length > 500);
    assert.deepEqual(promised.filter((line) => !surface.includes(line)), [], "a breaking change: see docs/versioning.md");
    assert.deepEqual(surface.filter((line) => !promised.includes(line)), [], "new: run node scripts/print-api-surface.ts");
  });

  it("lists every type of event that is delivered, and no other", () => {
    assert.deepEqual(Object.keys(document.webhooks), eventTypes.filter((type) => type !== "webhook.disabled"));
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const body = post.requestBody!.content["application/json"]!;
      const { properties, required } = body.schema as { properties: Record<string, Schema>; required: string[] };
      assert.equal(properties.type!.const, type);
      assert.deepEqual(required, ["type", "timestamp", "sequence", "account", "data"]);
      assert.deepEqual(Object.keys(properties.data!.properties as object), Object.keys(eventKinds[type as EventType].data.properties));
      const [example] = examplesOf(body) as [Record<string, unknown>];
      assert.deepEqual([example.type, example.data], [type, eventKinds[type as EventType].example]);
      assert.equal(Compile(body.schema).Check({ ...example, type: "webhook.other" }), false);
      assert.deepEqual(post.parameters!.map(({ name, in: place, required: isRequired }) => `${place} ${name} ${isRequired}`), ["header webhook-id true", "header webhook-timestamp true", "header webhook-signature true"]);
      assert.deepEqual(Object.keys(post.responses), ["200", "410"]);
    }
  });

  it("counts an event, a field of it and a header among what must not disappear", () => {
    const surface = surfaceOf(document);
    const lostBy = (change: (copy: Document) => void) => {
      const copy = structuredClone(document);
      change(copy);
      const left = surfaceOf(copy);
      return surface.filter((line) => !left.includes(line));
    };
    const bodyIn = (copy: Document) => copy.webhooks["payout.paid"]!.post.requestBody!.content["application/json"]!.schema as { properties: { data: { properties: Record<string, unknown>; required: string[] } } };
    assert.ok(lostBy((copy) => delete copy.webhooks["payout.paid"]).includes("event payout.paid sends body.type = payout.paid"));
    assert.deepEqual(lostBy((copy) => delete bodyIn(copy).properties.data.properties.month), ["event payout.paid sends body.data.month: string"]);
    assert.deepEqual(lostBy((copy) => bodyIn(copy).properties.data.required.shift()), ["event payout.paid sends body.data.account_id: string"]);
    assert.deepEqual(lostBy((copy) => copy.webhooks["payout.paid"]!.post.parameters!.shift()), ["event payout.paid sends header webhook-id"]);
  });

  it("has no dangling references", () => {
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let place: unknown = document;
      for (const step of pointer!.split("/")) place = (place as Record<string, unknown> | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
      assert(place !== undefined, pointer);
    }
  });

  it("has every route, with every status that it can answer with", () => {
    assert.deepEqual(Object.keys(document.paths).toSorted(), Object.keys(expected).toSorted());
    for (const [path, { method, statuses, isKeyed, scheme = "apiKey" }] of Object.entries(expected)) {
      assert.deepEqual(Object.keys(document.paths[path]!), [method], path);
      const operation = document.paths[path]![method]!;
      assert.deepEqual(Object.keys(operation.responses).toSorted(), statuses, path);
      assert.deepEqual(operation.security, isKeyed ? [{ [scheme]: [] }] : [], path);
    }
  });

  it("describes the parameters and headers of calls", () => {
    for (const { path, operation } of operations) {
      const { isKeyed, isBillable } = expected[path]!;
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
        assert(operation.parameters?.some((parameter) => parameter.name === name && parameter.in === "path" && parameter.required), path);
      }
      const headers = operation.parameters?.filter((parameter) => parameter.in === "header").map(({ name }) => name) ?? [];
      const isForAds = path === "/api/ads/request";
      const isForMoney = ["/api/ads/report", "/api/balance", "/api/usage", "/api/statements/{month}"].includes(path);
      const wanted = [...(isBillable ? ["Idempotency-Key"] : []), ...(isBillable || isForAds || isForMoney ? ["Assay-Test-Scenario"] : [])];
      assert.deepEqual(headers, wanted, path);
      for (const [status, response] of Object.entries(operation.responses)) {
        const names = Object.keys(response.headers);
        assert(names.includes("X-Request-Id"));
        assert.equal(names.includes("RateLimit"), isKeyed && status !== "401", `${path} ${status}`);
        assert.equal(names.includes("Assay-Receipt"), isBillable && status === "200", `${path} ${status}`);
        assert.equal(names.includes("Assay-No-Fill"), isForAds && status === "204", `${path} ${status}`);
        const isNotYet = path === "/api/ledger/proof" && status === "404";
        assert.equal(names.includes("Retry-After"), isNotYet || ["409", "429", "503"].includes(status), `${path} ${status}`);
      }
    }
  });

  it("gives an example of every body, and each matches its schema", () => {
    for (const { path, operation } of operations) {
      const bodies = [operation.requestBody?.content, ...Object.values(operation.responses).map(({ content }) => content)];
      for (const media of bodies.map((content) => content?.["application/json"])) {
        if (!media) continue;
        const examples = examplesOf(media);
        assert(examples.length > 0, `${path} has a body without an example`);
        for (const example of examples) {
          assert(Compile(media.schema).Check(example), `${path}: ${JSON.stringify(example)}`);
        }
      }
    }
    assert.equal(Compile(document.paths["/api/ml/predict"]!.post!.requestBody!.content["application/json"]!.schema).Check({}), false);
  });

  it("explains its example of an analysis with numbers that add up", () => {
    const [example] = examplesOf(document.paths["/api/ml/analyze"]!.post!.responses["200"]!.content!["application/json"]!) as [Static<typeof AnalysisReply>];
    for (const parts of [example.contributions, example.by_signal]) {
      assert.equal(example.base_value + parts.reduce((sum, { points }) => sum + points, 0), example.unrounded_score);
    }
    const pairs = example.contributions.filter(({ signal }) => signal.includes("×"));
    for (const { signal, points } of example.by_signal) {
      const own = example.contributions.find((each) => each.signal === signal)?.points ?? 0;
      const shared = pairs.filter((pair) => pair.signal.split("×").includes(signal)).reduce((sum, pair) => sum + pair.points / 2, 0);
      assert.equal(points, own + shared, signal);
    }
    assert.equal(example.service_score, Math.round(example.unrounded_score * 10) / 10);
  });

  it("describes the actual answers of the service", async () => {
    const key = /assay_test_[0-9A-Za-z]{38}/.exec(service.logs())![0];
    const schemaOf = (path: string, method: string, status: number) =>
      document.paths[path]![method]!.responses[String(status)]!.content!["application/json"]!.schema;
    const headers = { "x-api-key": key };
    const month = new Date().toISOString().slice(0, 7);
    const judged = await predict(service, key);
    const session = `/api/sessions/${judged.json().session_id as string}`;
    const answers = [
      { path: "/api/ml/predict", method: "post", answer: judged },
      { path: "/api/ml/predict", method: "post", answer: await predict(service, key, { body: "{" }) },
      { path: "/api/ml/predict", method: "post", answer: await predict(service, undefined) },
      { path: "/api/ml/predict", method: "post", answer: await predict(service, key, { headers: { "assay-test-scenario": "rate_limited" } }) },
      { path: "/api/ml/score", method: "post", answer: await predict(service, key, { path: "/api/ml/score" }) },
      { path: "/api/ml/analyze", method: "post", answer: await predict(service, key, { path: "/api/ml/analyze" }) },
      { path: "/api/ads/request", method: "post", answer: await predict(service, key, { path: "/api/ads/request", body: {} }) },
      { path: "/api/ads/request", method: "post", answer: await predict(service, key, { path: "/api/ads/request", body: { format: "poster" } }) },
      { path: "/api/servicescore/analyze", method: "post", answer: await predict(service, key, { path: "/api/servicescore/analyze", body: {} }) },
      { path: "/api/sessions/{session_id}", method: "get", answer: await send(service, session, { headers }) },
      { path: "/api/sessions/{session_id}", method: "get", answer: await send(service, "/api/sessions/sess_none", { headers }) },
      {
        path: "/api/sessions/{session_id}/outcome",
        method: "post",
        answer: await predict(service, key, { path: `${session}/outcome`, body: { outcome: "genuine" } }),
      },
      { path: "/api/calibration", method: "get", answer: await send(service, "/api/calibration", { headers }) },
      { path: "/api/balance", method: "get", answer: await send(service, "/api/balance", { headers }) },
      { path: "/api/usage", method: "get", answer: await send(service, "/api/usage", { headers }) },
      { path: "/api/statements/{month}", method: "get", answer: await send(service, `/api/statements/${month}`, { headers }) },
      { path: "/api/status", method: "get", answer: await send(service, "/api/status") },
      { path: "/health/ready", method: "get", answer: await send(service, "/health/ready") },
    ];
    assert.deepEqual(answers.map(({ answer }) => answer.status), [200, 400, 401, 429, 200, 200, 200, 400, 200, 200, 404, 200, 200, 200, 200, 200, 200, 200]);
    for (const { path, method, answer } of answers) {
      const schema = schemaOf(path, method, answer.status);
      assert(Compile(schema).Check(answer.json()), `${path}: ${answer.text}`);
      assert.deepEqual(Object.keys(answer.json()).filter((name) => !(name in (schema.properties as object))), [], `${path} answers with undocumented fields`);
    }
  });

  it("is the document that the page at /docs is built from", () => {
    const built = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8")) as Document;
    assert.deepEqual(built, document, "run node scripts/print-api-surface.ts");
  });

  it("is shown by a page that loads only its own files, compressed, under the policy of every page", async () => {
    const page = await send(service, "/docs");
    assert.equal(page.status, 200);
    assert.equal((await send(service, "/docs/")).text, page.text);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.match(page.text, /<title>Assay: API reference<\/title>/);
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    assert.equal(page.headers["content-security-policy"], String((await send(service, "/")).headers["content-security-policy"]).replace(/ 'nonce-[^']+'| http:\/\/127\.0\.0\.1:\d+/g, ""));
    assert.doesNotMatch(page.text, /\{\{|nonce=| style="|<script(?![^>]* src=)|\son\w+="/);
    const loaded = [...page.text.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']?([^"'\s>]+)/g)].map((match) => match[1]!);
    assert(loaded.length > 3);
    for (const address of ["/docs", ...loaded]) {
      assert(!/^([a-z]+:)?\/\//i.test(address), address);
      const { status, headers } = await send(service, new URL(address, service.url).pathname, { headers: { "accept-encoding": "br" } });
      assert.deepEqual([status, headers["content-encoding"]], [200, "br"], address);
    }
  });
});
