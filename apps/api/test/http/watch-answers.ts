// Preloaded into every service that a test starts: compares each of its answers with its OpenAPI description. A
// difference is printed and fails the test file: see test/start-service.ts.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { subscribe } from "node:diagnostics_channel";
import { type ApiDocument, type CompileSchema, createAnswerCheck } from "./check-answer.ts";
import { undescribedAnswer } from "./undescribed-answer.ts";

const bodyCharactersShown = 500;

/** The reference page has its own Fastify instance, without a description. */
const describes = (app: FastifyInstance): boolean => app.hasDecorator("swagger");

/** Uses the validator that Fastify has loaded anyway; it neither coerces nor changes values. */
const compileWith =
  (request: FastifyRequest): CompileSchema =>
  (schema) => {
    const validate = request.compileValidationSchema(schema) as ((value: unknown) => boolean) & { errors?: { instancePath: string; message?: string }[] | null };
    return (value) => (validate(value) ? undefined : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`).join("; "));
  };

subscribe("fastify.initialization", (message) => {
  const app = (message as { fastify: FastifyInstance }).fastify;
  let check: ReturnType<typeof createAnswerCheck> | undefined;
  app.addHook("onSend", (request, reply, payload, done) => {
    done(null, payload);
    if (!describes(app)) return;
    check ??= createAnswerCheck(app.swagger() as ApiDocument, compileWith(request));
    const text = typeof payload === "string" ? payload : Buffer.isBuffer(payload) ? payload.toString() : "";
    const { method, url } = request;
    const { statusCode: status } = reply;
    const finding = check({ method, url, route: request.routeOptions.url, status, headers: reply.getHeaders(), text });
    if (finding) process.stderr.write(`${undescribedAnswer} ${method} ${url} ${status}: ${finding}: ${text.slice(0, bodyCharactersShown)}\n`);
  });
});
