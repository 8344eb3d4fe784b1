// A process of its own: the differences that it provokes would be found by the next test that closes an app.
import swagger from "@fastify/swagger";
import fastify from "fastify";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { type CompileSchema, createAnswerCheck, type SeenAnswer } from "../../test/http/check-answer.ts";
import { undescribedAnswer } from "../../test/http/undescribed-answer.ts";

const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" }, deep: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } } } };
const compile: CompileSchema = (given) => {
  const compiled = Compile(given);
  return (value) => (compiled.Check(value) ? undefined : compiled.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`).join("; "));
};
const description = {
  paths: {
    "/api/things/{id}": {
      get: {
        responses: {
          200: { headers: { "Assay-Receipt": { schema: { type: "string", pattern: "^\\d+$" } } }, content: { "application/json": { schema } } },
          204: {},
          429: { headers: { "Retry-After": { schema: { type: "integer", minimum: 1 } } }, content: { "application/json": { schema } } },
        },
      },
    },
  },
};
const check = createAnswerCheck(description, compile);
const good: SeenAnswer = { method: "GET", route: "/api/things/:id", url: "/api/things/7?x=1", status: 200, headers: { "x-request-id": "r" }, text: '{"n":1}' };
/** An answer of the dashboard's own API. */
const own: Partial<SeenAnswer> = { route: "/dashboard/api/me", url: "/dashboard/api/me?x=1", responses: { 200: schema } };
const refused = { error: "not_found", message: "No." };

describe("the check of answers against their description", () => {
  it("accepts what is described", () => {
    const answers: Partial<SeenAnswer>[] = [
      {},
      { text: '{"n":1,"deep":[{"a":"b"}]}' },
      { headers: { "x-request-id": "r", "assay-receipt": "12" } },
      { status: 204, text: "" },
      { status: 429, headers: { "x-request-id": "r", "retry-after": "3" } },
      { method: "HEAD", text: "" },
      { route: undefined, url: "/api/none", status: 404, text: JSON.stringify(refused) },
      { method: "PUT", status: 405, text: JSON.stringify(refused) },
      { route: "/dashboard/sign-in", url: "/dashboard/sign-in", status: 418, text: "anything" },
      { ...own, text: '{"n":1}' },
      { ...own, status: 404, text: JSON.stringify(refused) },
      { ...own, status: 429, headers: { "x-request-id": "r", "retry-after": "3" }, text: JSON.stringify({ ...refused, retry_after: 3 }) },
      { ...own, status: 303, text: "" },
      { ...own, responses: undefined, text: "a,b", headers: { "x-request-id": "r", "content-type": "text/csv" } },
    ];
    for (const answer of answers) assert.equal(check({ ...good, ...answer }), undefined, JSON.stringify(answer));
  });

  it("reports an undescribed status, shape, field or header, and a missing Retry-After", () => {
    const answers: [RegExp, Partial<SeenAnswer>][] = [
      [/status 418 is not described/, { status: 418 }],
      [/status 200 is not described/, { route: "/api/hidden", url: "/api/hidden" }],
      [/\/n must be integer/, { text: '{"n":"1"}' }],
      [/body differs.*/, { text: "{}" }],
      [/body differs/, { text: '{"n":1,"more":true}' }],
      [/body differs: \/deep\/0/, { text: '{"n":1,"deep":[{"a":"b","c":1}]}' }],
      [/not JSON/, { text: "<p>" }],
      [/none is described/, { status: 204, text: "{}" }],
      [/assay-receipt is x/, { headers: { "x-request-id": "r", "assay-receipt": "x" } }],
      [/retry-after is not described/, { headers: { "x-request-id": "r", "retry-after": "1" } }],
      [/retry-after is 0/, { status: 429, headers: { "x-request-id": "r", "retry-after": "0" } }],
      [/no Retry-After/, { status: 429 }],
      [/no X-Request-Id/, { headers: {} }],
      [/body differs/, { route: undefined, url: "/api/none", status: 404, text: '{"message":"No."}' }],
      [/status 201 is not described/, { ...own, status: 201 }],
      [/status 200 is not described/, { ...own, responses: undefined, headers: { "x-request-id": "r", "content-type": "application/json" } }],
      [/body differs/, { ...own, text: '{"n":1,"more":true}' }],
      [/body differs/, { ...own, text: "{}" }],
      [/body differs/, { ...own, status: 500, text: "{}" }],
      [/no Retry-After/, { ...own, status: 503, text: JSON.stringify(refused) }],
    ];
    for (const [expected, answer] of answers) assert.match(check({ ...good, ...answer }) ?? "nothing", expected);
  });

  it("watches the answers of a service and prints what it finds", async (t) => {
    await import("../../test/http/watch-answers.ts");
    // As in app.ts: values are not coerced.
    const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } } });
    await app.register(swagger, { openapi: { openapi: "3.1.0", info: { title: "t", version: "0" } } });
    const response: Record<number, TSchema> = { 200: Type.Object({ n: Type.Integer() }) };
    app.get("/api/true", { schema: { response }, handler: (_request, reply) => reply.header("x-request-id", "r").send({ n: 1 }) });
    app.get("/api/other", { schema: { response }, handler: (_request, reply) => reply.header("x-request-id", "r").header("content-type", "application/json").send('{"n":"1"}') });
    app.get("/api/false", { schema: { response }, handler: (_request, reply) => reply.code(202).header("x-request-id", "r").send({ n: 1 }) });
    const printed = t.mock.method(process.stderr, "write", () => true);
    await app.inject("/api/true");
    assert.equal(printed.mock.callCount(), 0);
    await app.inject("/api/false");
    assert.ok(String(printed.mock.calls[0]!.arguments[0]).startsWith(`${undescribedAnswer} GET /api/false 202: the status 202 is not described`));
    await app.inject("/api/other");
    assert.match(String(printed.mock.calls[1]!.arguments[0]), /GET \/api\/other 200: its body differs: \/n must be integer/);
    assert.equal(printed.mock.callCount(), 2);
    await app.close();
  });
});
