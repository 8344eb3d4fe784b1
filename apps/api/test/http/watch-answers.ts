// Loaded into every service that a test starts, in a process of its own or in the test's: compares each answer with its
// OpenAPI description, or with the schema of its route. A difference is printed and fails the test file (see
// test/start-service.ts), or the suite that closes the app (see test/open-app.ts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { subscribe } from "node:diagnostics_channel";
import { type ApiDocument, type CompileSchema, createAnswerCheck } from "./check-answer.ts";
import { undescribedAnswer } from "./undescribed-answer.ts";

const bodyCharactersShown = 500;

const findings: string[] = [];

/** What was found in this process since the last call. */
export const takeFindings = (): string[] => findings.splice(0);

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
    const { url: route, schema } = request.routeOptions;
    const responses = schema?.response as Record<string, unknown> | undefined;
    const finding = check({ method, url, route, status, headers: reply.getHeaders(), text, responses });
    if (!finding) return;
    const line = `${undescribedAnswer} ${method} ${url} ${status}: ${finding}: ${text.slice(0, bodyCharactersShown)}`;
    findings.push(line);
    process.stderr.write(`${line}\n`);
  });
});
