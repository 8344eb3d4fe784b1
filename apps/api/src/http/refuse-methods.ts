import type { FastifyInstance, HTTPMethods } from "fastify";
import { Failure } from "../failure/failure.ts";
import { sendFailure } from "./reply-failures.ts";

const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"] as const satisfies readonly HTTPMethods[];

/** Collects the routes as they are added. Call the result last: it answers 405 for every other method. */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    const known = allowed.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) known.add(method);
    allowed.set(route.url, known);
  });
  return () => {
    for (const [url, known] of allowed) {
      const others = methods.filter((method) => !known.has(method));
      if (url.includes("*") || others.length === 0) continue;
      const allow = [...known].toSorted().join(", ");
      app.route({
        method: others,
        url,
        schema: { hide: true },
        handler: (_request, reply) => {
          reply.header("allow", allow);
          return sendFailure(reply, new Failure("method_not_allowed", `This address takes ${allow} only.`));
        },
      });
    }
  };
}
