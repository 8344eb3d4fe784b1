/**
 * A strict linter for our OpenAPI document: the rules of the usual linters (Spectral's `oas`, Redocly's `recommended`),
 * and that everything has a description and an example. Two of their rules are omitted on purpose: the owner has not
 * chosen a licence, and a probe without input has no 4xx.
 */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Compile } from "typebox/schema";

type Schema = { [name: string]: unknown };
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> };
type Parameter = { name: string; in: string; description?: string; required?: boolean; schema?: Schema };
type Response = { description: string; headers?: Record<string, { description?: string; schema?: Schema }>; content?: Record<string, Media> };
export type LintedOperation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type LintedDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string; contact?: { name?: string; url?: string } };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, LintedOperation>>;
  webhooks?: Record<string, Record<string, LintedOperation>>;
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, { description?: string }> };
};

type Place = { at: string; document: LintedDocument; path: string; operation: LintedOperation };
type Rule = (place: Place) => (string | false | undefined)[];

const isText = (text: string | undefined): text is string => typeof text === "string" && text.trim() !== "" && text !== "Default Response";
const examplesOf = ({ example, examples, schema }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map(({ value }) => value),
  ...((schema?.examples as unknown[] | undefined) ?? []),
];
const duplicatesIn = (values: readonly unknown[]): unknown[] => values.filter((value, index) => values.indexOf(value) !== index);

const operationRules: readonly Rule[] = [
  ({ operation }) => [
    !isText(operation.summary) && "has no summary",
    isText(operation.summary) && /[.!]$/.test(operation.summary) && "has a summary that ends like a sentence",
    !isText(operation.description) && "has no description",
    !/^[a-zA-Z]+$/.test(operation.operationId ?? "") && "has no operationId of letters only",
    operation.security === undefined && "does not say whether it needs a key",
    !Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)) && "has no success",
  ],
  ({ operation, document }) => [
    operation.tags?.length !== 1 && "does not have exactly one tag",
    !document.tags?.some(({ name }) => name === operation.tags?.[0]) && "has a tag that the document does not describe",
    ...(operation.security ?? []).flatMap(Object.keys).map((name) => !(name in (document.components?.securitySchemes ?? {})) && `requires ${name}, which is not a security scheme`),
    (operation.security ?? []).length > 0 && !("401" in operation.responses) && "needs a key and has no 401",
  ],
  ({ operation, path }) => {
    const parameters = operation.parameters ?? [];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    return [
      ...parameters.map(({ name, description }) => !isText(description) && `has a parameter ${name} without a description`),
      ...duplicatesIn(parameters.map((each) => `${each.in} ${each.name}`)).map((each) => `has the parameter ${String(each)} twice`),
      ...inPath.map((name) => !parameters.some((each) => each.name === name && each.in === "path" && each.required) && `does not describe {${name}}`),
      ...parameters.map((each) => each.in === "path" && !inPath.includes(each.name) && `describes {${each.name}}, which is not in its path`),
    ];
  },
  ({ operation }) => [
    operation.requestBody !== undefined && operation.requestBody.required !== true && "has a body that is not marked as required",
    ...Object.entries(operation.responses).flatMap(([status, { description, headers = {} }]) => [
      !isText(description) && `answers ${status} without a description`,
      ...Object.entries(headers).flatMap(([name, header]) => [
        !isText(header.description) && `answers ${status} with ${name}, which has no description`,
        header.schema === undefined && `answers ${status} with ${name}, which has no schema`,
      ]),
    ]),
  ],
  ({ operation }) => {
    const bodies = [["its request", operation.requestBody?.content] as const, ...Object.entries(operation.responses).map(([status, { content }]) => [`its ${status}`, content] as const)];
    return bodies.flatMap(([what, content]) => Object.entries(content ?? {}).flatMap(([type, media]) => lintMedia(`${what} (${type})`, media)));
  },
];

function lintMedia(what: string, media: Media): (string | false)[] {
  if (media.schema === undefined) return [`${what} has no schema`];
  const examples = examplesOf(media);
  const compiled = Compile(media.schema);
  return [
    examples.length === 0 && `${what} has no example`,
    ...examples.map((example) => !compiled.Check(example) && `${what} has an example that its schema refuses: ${JSON.stringify(example).slice(0, 200)}`),
    ...lintSchema(what, media.schema),
  ];
}

function lintSchema(what: string, schema: Schema): string[] {
  const { type, items, properties, required, anyOf } = schema as { type?: string; items?: Schema; properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] };
  const choices = schema.enum as unknown[] | undefined;
  return [
    ...(type === "array" && items === undefined ? [`${what} is an array without items`] : []),
    ...(choices && duplicatesIn(choices).length > 0 ? [`${what} has a duplicate enum value`] : []),
    ...(choices && type !== undefined && choices.some((choice) => typeof choice !== type) ? [`${what} has an enum value that is not of type ${type}`] : []),
    ...(required ?? []).filter((name) => !(name in (properties ?? {}))).map((name) => `${what} requires ${name}, which it does not describe`),
    ...(items ? lintSchema(`${what}[]`, items) : []),
    ...(anyOf ?? []).flatMap((each) => lintSchema(what, each)),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => [
      ...(isText(each.description as string | undefined) ? [] : [`${what}.${name} has no description`]),
      ...lintSchema(`${what}.${name}`, each),
    ]),
  ];
}

function lintWhole(document: LintedDocument): (string | false | undefined)[] {
  const { info, servers = [], tags = [], paths, webhooks = {}, components } = document;
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));
  const text = JSON.stringify(document);
  return [
    !isText(info.description) && "info has no description",
    !isText(info.contact?.name) && "info has no contact",
    servers.length === 0 && "there is no server",
    ...servers.map(({ url }) => /.\/$|example\.(com|org)/.test(url) && `the server ${url} ends with a slash or is an example`),
    ...tags.map(({ name, description }) => !isText(description) && `the tag ${name} has no description`),
    ...tags.map(({ name }) => !operations.some((operation) => operation.tags?.includes(name)) && `the tag ${name} is unused`),
    ...duplicatesIn(tags.map(({ name }) => name)).map((name) => `the tag ${String(name)} is there twice`),
    ...duplicatesIn(operations.map(({ operationId }) => operationId)).map((id) => `the operationId ${String(id)} is there twice`),
    ...Object.keys(paths).map((path) => /.\/$|\?|\{\}/.test(path) && `the path ${path} ends with a slash, or has a query or an empty parameter`),
    ...duplicatesIn(Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"))).map((path) => `the path ${String(path)} is there twice`),
    ...Object.entries(components?.securitySchemes ?? {}).map(([name, { description }]) => !isText(description) && `the security scheme ${name} has no description`),
    ...Object.keys(components?.schemas ?? {}).map((name) => !text.includes(`#/components/schemas/${name}"`) && `the component ${name} is unused`),
    /<script|\beval\(/i.test(text) && "a text contains a script",
  ];
}

/** Validates the document against the JSON schema of OpenAPI 3.1. */
async function findFormFaults(document: LintedDocument): Promise<string[]> {
  const { valid, errors = [] } = await new Validator().validate(structuredClone(document));
  const found = typeof errors === "string" ? [errors] : errors.map(({ message = "", instancePath }) => `${message} ${instancePath}`);
  return valid ? [] : [`not OpenAPI ${document.openapi}`, ...found];
}

/** All findings, each with its operation. */
export async function lintOpenApi(document: LintedDocument): Promise<string[]> {
  const formFaults = await findFormFaults(document);
  if (formFaults.length > 0) return formFaults;
  const all = [...Object.entries(document.paths), ...Object.entries(document.webhooks ?? {})];
  const places = all.flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, document, path, operation })));
  const inOperations = places.flatMap((place) => operationRules.flatMap((rule) => rule(place).filter((each) => typeof each === "string").map((finding) => `${place.at} ${finding}`)));
  return [...lintWhole(document).filter((each) => typeof each === "string"), ...inOperations];
}
