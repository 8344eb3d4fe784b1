import { Compile } from "typebox/schema";
import { statusOf } from "../../../src/http/reply-failures.ts";
import { type ApiDocument, type CompileSchema, createAnswerCheck, type SeenAnswer } from "../../http/check-answer.ts";
import type { FuzzRequest } from "./draw-request.ts";

const statuses: Record<string, number> = statusOf;

const compile: CompileSchema = (schema) => {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? undefined : compiled.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`).join("; "));
};

/** Only a test key can force a 5xx, with this scenario. */
const asksForFailure = ({ headers, identity }: FuzzRequest): boolean => identity === "test" && headers["assay-test-scenario"] === "server_error";

function judgeFailure({ route, status, text, headers, method }: SeenAnswer): string | undefined {
  if (method === "HEAD") return undefined;
  // A broken link of a mail is a page for those who open it in a browser.
  if (route === "/unsubscribe" && status === 404 && String(headers["content-type"]).startsWith("text/html")) return undefined;
  if (!String(headers["content-type"]).startsWith("application/json")) return "a failure without a JSON body";
  const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
  if (typeof error !== "string" || statuses[error] !== status) return `the code ${String(error)} does not match the status`;
  return typeof message === "string" && message !== "" ? undefined : "a failure without a message";
}

/** Session tokens that a request carries, whole or damaged. */
const sessionTokensIn = ({ url, headers, body = "" }: FuzzRequest): string[] =>
  [...`${url} ${JSON.stringify(headers)} ${Buffer.from(body, "base64").toString("latin1")}`.matchAll(/at1\.\d+\.[\w-]{16,}/g)].map(([token]) => token);

/** Only the origin that asks may read an answer, and only without cookies. The script is everybody's. */
function judgeOrigins(request: FuzzRequest, { headers, url }: SeenAnswer): string | undefined {
  const allowed = headers["access-control-allow-origin"];
  if (allowed === undefined || (allowed === "*" && url.startsWith("/c/v1/collector.js"))) return undefined;
  if (allowed === "*" || allowed !== request.headers["origin"]) return `CORS is allowed for ${JSON.stringify(allowed)}`;
  return headers["access-control-allow-credentials"] === undefined ? undefined : "CORS is allowed with credentials";
}

/** Checks that hold for every answer: returns what is wrong with one, or undefined. */
export function createJudge(document: ApiDocument, hasCanary: (text: string) => boolean): (request: FuzzRequest, answer: SeenAnswer) => string | undefined {
  const check = createAnswerCheck(document, compile);
  return (request, answer) => {
    const { status, headers, text } = answer;
    if (status >= 500 && !asksForFailure(request)) return `a server error: ${status}`;
    if (!/^req_[0-9A-Za-z]{8,}$/.test(String(headers["x-request-id"]))) return "no X-Request-Id";
    if (headers["x-content-type-options"] !== "nosniff" || headers["cache-control"] === undefined) return "security headers are missing";
    if (/^\/(api|ml)\//.test(answer.url) && headers["access-control-allow-origin"] !== undefined) return "CORS is allowed";
    if (answer.url.startsWith("/c/v1/")) {
      const readable = judgeOrigins(request, answer);
      if (readable !== undefined) return readable;
    }
    const shown = `${text} ${JSON.stringify(headers)}`;
    if (sessionTokensIn(request).some((token) => shown.includes(token))) return "it repeats a session token";
    if (hasCanary(text) || hasCanary(JSON.stringify(headers))) return "it echoes an unknown field";
    const failure = status >= 400 ? judgeFailure(answer) : undefined;
    // The opened app compares the dashboard's answers with the schemas of their routes, and the worker reports what it found.
    return failure ?? (answer.url.startsWith("/dashboard/") ? undefined : check(answer));
  };
}
