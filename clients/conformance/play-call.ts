// Plays one case of calls.json: the steps of the server, the calls of the client, and what must come of them.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Adapter, Reply } from "./adapter.ts";
import { type Answer, type Fault, type Seen, startScriptedServer, type Step } from "./scripted-server.ts";

type ClientSettings = { api_key?: string; base_url?: string; base_path?: string; timeout_ms?: number; attempts_max?: number; total_ms_max?: number };

type WrittenStep = string | { status: number; headers?: Record<string, string>; body?: Record<string, unknown>; text?: string; message_characters?: number };

type ExpectedRequest = {
  method?: string;
  path?: string;
  /** Null: the header must not be there. */
  headers?: Record<string, string | null>;
  has_idempotency_key?: boolean;
  body?: unknown;
  body_text?: string;
  /** Index of the request whose method, path, body and key it repeats. */
  same_as?: number;
  key_differs_from?: number;
};

type ExpectedReply = {
  /** A part of it. */
  answer?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  error?: Record<string, unknown>;
  error_has_the_requests_key?: boolean;
  message_characters?: number;
  fallback?: unknown;
  refused?: boolean;
  waits_ms?: number[];
};

type Call = { method: string; arguments: Record<string, unknown>; options?: Record<string, unknown>; expect?: ExpectedReply };

export type Case = {
  name: string;
  client?: ClientSettings;
  /** What the client's random source always gives. */
  chance?: number;
  steps: WrittenStep[];
  calls: Call[];
  requests?: ExpectedRequest[];
  each_step?: WrittenStep[];
  each_client?: ClientSettings[];
  each_option?: Record<string, unknown[]>;
};

export type Corpus = { answers: Record<string, WrittenStep>; cases: Case[] };

const apiKey = "assay_test_0123456789";
const keyHeader = "idempotency-key";

/** A case with alternatives is one case for each of them. */
export function expand(one: Case): Case[] {
  const { each_step, each_client, each_option, ...rest } = one;
  const label = (value: unknown) => JSON.stringify(value).slice(0, 100);
  if (each_step) return each_step.map((step) => ({ ...rest, name: `${one.name}: ${label(step)}`, steps: one.steps.map((each) => (each === "each" ? step : each)) }));
  if (each_client) return each_client.map((client) => ({ ...rest, name: `${one.name}: ${label(client)}`, client }));
  if (each_option) {
    return Object.entries(each_option).flatMap(([name, values]) =>
      values.map((value) => ({ ...rest, name: `${one.name}: ${label(value)}`, calls: one.calls.map((call) => ({ ...call, options: { ...call.options, [name]: value } })) })),
    );
  }
  return [rest];
}

function readStep(step: WrittenStep, answers: Corpus["answers"]): Step {
  if (typeof step === "string") return step in answers ? readStep(answers[step]!, answers) : (step as Fault);
  const { status, headers, body, text, message_characters } = step;
  const said = message_characters === undefined ? body : { ...body, message: "x".repeat(message_characters) };
  return { status, body: said ?? text, headers: headers ?? {} } satisfies Answer;
}

function checkRequest(request: Seen, expected: ExpectedRequest, all: readonly Seen[]): void {
  const { method, path, headers = {}, has_idempotency_key, body, body_text, same_as, key_differs_from } = expected;
  if (method !== undefined) assert.equal(request.method, method);
  if (path !== undefined) assert.equal(request.path, path);
  for (const [name, value] of Object.entries(headers)) assert.equal(request.headers[name], value ?? undefined, name);
  if (has_idempotency_key !== undefined) {
    const key = request.headers[keyHeader];
    if (has_idempotency_key) assert.match(String(key), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    else assert.equal(key, undefined);
  }
  if (body !== undefined) {
    assert.deepEqual(JSON.parse(request.body), body);
    assert.equal(JSON.stringify(JSON.parse(request.body)), request.body, "the body is JSON without anything that it could do without");
  }
  if (body_text !== undefined) assert.equal(request.body, body_text);
  const essence = ({ method: verb, path: address, body: text, headers: sent }: Seen) => [verb, address, text, sent[keyHeader]];
  if (same_as !== undefined) assert.deepEqual(essence(request), essence(all[same_as]!));
  if (key_differs_from !== undefined) assert.notEqual(request.headers[keyHeader], all[key_differs_from]!.headers[keyHeader]);
}

function checkReply(reply: Reply, expected: ExpectedReply, requests: readonly Seen[]): void {
  const { answer, meta, error, error_has_the_requests_key, message_characters, refused, waits_ms } = expected;
  const shown = JSON.stringify(reply);
  if (refused) {
    assert.equal(typeof reply.refused, "string", shown);
    assert.ok(!shown.includes("assay_live_a") && !shown.includes("secret"), "a message repeats a key");
    return;
  }
  if ("fallback" in expected) assert.ok("fallback" in reply && isDeepStrictEqual(reply.fallback, expected.fallback), shown);
  else assert.ok(!("fallback" in reply), shown);
  if (error) {
    assert.ok(reply.error, shown);
    assert.partialDeepStrictEqual(reply.error, error);
    assert.ok(!JSON.stringify(reply.error).includes(apiKey), "an error shows the key");
  } else if (!("fallback" in expected)) assert.ok(reply.answer, shown);
  if (answer) assert.partialDeepStrictEqual(reply.answer, answer);
  if (meta) assert.partialDeepStrictEqual(reply.meta, meta);
  if (waits_ms) assert.deepEqual(reply.waits_ms, waits_ms);
  if (error_has_the_requests_key) assert.equal(reply.error?.idempotency_key, requests.at(-1)!.headers[keyHeader]);
  if (message_characters !== undefined) assert.equal(reply.error?.message?.length, message_characters);
}

export async function playCase(adapter: Adapter, one: Case, { answers, userAgent }: { answers: Corpus["answers"]; userAgent: RegExp }): Promise<void> {
  const server = await startScriptedServer(one.steps.map((step) => readStep(step, answers)));
  try {
    const { base_path = "", ...settings } = one.client ?? {};
    const client = { api_key: apiKey, base_url: server.url + base_path, ...settings };
    for (const { expect = {}, options = {}, ...call } of one.calls) {
      const reply = await adapter.ask({ do: "call", client, chance: one.chance ?? 0.5, options, ...call });
      checkReply(reply, expect, server.seen);
    }
    for (const [index, expected] of (one.requests ?? []).entries()) {
      assert.ok(server.seen[index], `there was no request ${index}`);
      checkRequest(server.seen[index], expected, server.seen);
    }
    if (one.requests) assert.equal(server.seen.length, one.requests.length, "number of requests");
    for (const { headers } of server.seen) assert.match(headers["user-agent"] ?? "", userAgent);
  } finally {
    await server.close();
  }
}
