/** What the reference reads of an OpenAPI 3.1 document. The service writes no `$ref`. */
export type Schema = {
  type?: string;
  description?: string;
  title?: string;
  const?: string;
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  examples?: unknown[];
};
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type Content = Record<string, Media>;
export type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; description?: string; schema: Schema };
export type Response = { description: string; headers?: Record<string, { description: string; schema: Schema }>; content?: Content };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};
export type OpenApi = {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { securitySchemes: Record<string, { description: string }> };
};

/** An operation with its place. */
export type Route = { method: string; path: string; operation: Operation };

export const routesOf = ({ paths }: OpenApi): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));

export function exampleOf({ example, examples, schema }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value ?? schema.examples?.[0];
}

export const isError = (status: string): boolean => Number(status) >= 400;
