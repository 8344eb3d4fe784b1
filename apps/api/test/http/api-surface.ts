type Schema = { type?: string; const?: string; properties?: Record<string, Schema>; required?: string[]; items?: Schema; anyOf?: Schema[]; enum?: string[] };
type Media = Record<string, { schema: Schema }>;
type Operation = {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Media };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Media }>;
};
type Described = { paths: Record<string, Record<string, Operation>>; webhooks: Record<string, { post: Operation }> };

/** `?` marks optional fields. A request field must never lose the mark, an answer field must never gain it. */
function fieldsOf(schema: Schema, at: string): string[] {
  const types = schema.anyOf ? schema.anyOf.map(({ type }) => type ?? "enum").join("|") : (schema.type ?? "enum");
  const required = new Set(schema.required);
  return [
    `${at}: ${types}`,
    ...(schema.const === undefined ? [] : [`${at} = ${schema.const}`]),
    ...(schema.enum ?? []).map((choice) => `${at} = ${choice}`),
    ...(schema.items ? fieldsOf(schema.items, `${at}[]`) : []),
    ...(schema.anyOf ?? []).filter((each) => each.properties ?? each.items ?? each.enum).flatMap((each) => fieldsOf(each, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => fieldsOf(each, `${at}.${name}${required.has(name) ? "" : "?"}`)),
  ];
}

const bodyOf = (content: Media | undefined, at: string): string[] => Object.values(content ?? {}).flatMap(({ schema }) => fieldsOf(schema, at));

/** What receivers may rely on. As in an answer, a field must never gain the mark. */
const sentBy = (webhooks: Described["webhooks"]): string[] =>
  Object.entries(webhooks).flatMap(([type, { post }]) => [
    ...(post.parameters ?? []).map((each) => `event ${type} sends ${each.in} ${each.name}${each.required ? "" : "?"}`),
    ...bodyOf(post.requestBody?.content, `event ${type} sends body`),
    ...Object.keys(post.responses).map((status) => `event ${type} takes ${status}`),
  ]);

/** Everything that callers and receivers may rely on, one per line: a line must never disappear. */
export function surfaceOf({ paths, webhooks }: Described): string[] {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const call = `${method.toUpperCase()} ${path}`;
      return [
        ...parameters.map((each) => `${call} takes ${each.in} ${each.name}${each.required ? "" : "?"}`),
        ...bodyOf(requestBody?.content, `${call} takes body`),
        ...Object.entries(responses).flatMap(([status, { headers = {}, content }]) => [
          `${call} ${status}`,
          ...Object.keys(headers).map((name) => `${call} ${status} header ${name}`),
          ...bodyOf(content, `${call} ${status} body`),
        ]),
      ];
    }),
  );
  return [...new Set([...lines, ...sentBy(webhooks)])].toSorted();
}
