import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, it } from "node:test";
import fastify, { type FastifyInstance } from "fastify";
import { openApp } from "../../test/open-app.ts";
import { compileOnDemand } from "./compile-on-demand.ts";

const broken = { $ref: "#/definitions/none" };

/** A route that answers 200, and whose 500 has a schema that cannot be compiled. */
function addRoute(app: FastifyInstance): FastifyInstance {
  app.get("/", {
    schema: { response: { 200: { type: "object", properties: { shown: { type: "number" } } }, 500: broken } },
    handler: () => ({ shown: 1, hidden: 2 }),
  });
  return app;
}

describe("schemas of answers", () => {
  it("are compiled for the first answer that needs them, and apply to it", async () => {
    await assert.rejects(async () => addRoute(fastify()).ready(), /Cannot find reference/);
    const app = addRoute(fastify({ schemaController: compileOnDemand }));
    for (const _ of [1, 2]) assert.equal((await app.inject("/")).body, '{"shown":1}');
    await app.close();
  });

  it("of every route and status can be compiled", async () => {
    const eager = fastify();
    let schemas = 0;
    const collect = (message: unknown): void => {
      (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ schema }) => {
        for (const [status, each] of Object.entries((schema?.response ?? {}) as Record<string, unknown>)) {
          eager.get(`/${(schemas += 1)}`, { schema: { response: { [status]: each } }, handler: () => ({}) });
        }
      });
    };
    subscribe("fastify.initialization", collect);
    await (await openApp()).close();
    unsubscribe("fastify.initialization", collect);
    assert.ok(schemas > 200, `${schemas} schemas`);
    await eager.ready();
  });
});
