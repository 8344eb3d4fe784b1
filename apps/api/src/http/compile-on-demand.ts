import type { FastifyServerOptions } from "fastify";
import { createRequire } from "node:module";

type SchemaController = NonNullable<FastifyServerOptions["schemaController"]>;
type BuildSerializer = NonNullable<NonNullable<SchemaController["compilersFactory"]>["buildSerializer"]>;

/** Fastify's own compiler, in the version that Fastify uses. */
const buildSerializer = (createRequire(import.meta.resolve("fastify"))("@fastify/fast-json-stringify-compiler") as () => BuildSerializer)();

/**
 * Compiles the schema of an answer for the first such answer. Fastify would compile every status of every route at the start, and
 * a node never sends most of them.
 */
export const compileOnDemand: SchemaController = {
  compilersFactory: {
    buildSerializer(schemas, options) {
      const compile = buildSerializer(schemas, options);
      return (route) => {
        let serialize: ReturnType<typeof compile> | undefined;
        return (answer) => (serialize ??= compile(route))(answer);
      };
    },
  },
};
