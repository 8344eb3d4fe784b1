import { escapeHtml, inlineText } from "./html.ts";
import { type OpenApi, routesOf, type Schema } from "./openapi.ts";
import { renderFields } from "./render-fields.ts";
import { isPlainFailure } from "./render-operation.ts";

type ErrorRow = { code: string; status: string; retry: string; who: string };

/** The table of docs/errors.md, which a test compares with the service. */
export function readErrorRows(markdown: string): ErrorRow[] {
  return [...markdown.matchAll(/^\| `(\w+)` \| (\d+) \| \w+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, code = "", status = "", retry = "", who = ""]) => ({ code, status, retry: retry.trim(), who: who.trim() }));
}

/** Operations that answer with a code, and a message that it comes with. */
function findUses(document: OpenApi): Map<string, { operations: string[]; message: string }> {
  const uses = new Map<string, { operations: string[]; message: string }>();
  for (const { operation } of routesOf(document)) {
    for (const media of Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content))) {
      for (const example of [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)]) {
        const { error, message } = (example ?? {}) as { error?: string; message?: string };
        if (error === undefined) continue;
        const use = uses.get(error) ?? { operations: [], message: message ?? "" };
        uses.set(error, { ...use, operations: [...use.operations, operation.operationId] });
      }
    }
  }
  return uses;
}

/** All fields that failures have: those of the plain ones and those of a 429. */
function failureSchema(document: OpenApi): Schema {
  const schemas = routesOf(document).flatMap(({ operation }) => Object.entries(operation.responses).filter(([status, response]) => isPlainFailure(status, response)).flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => schema)));
  const properties = Object.assign({}, ...schemas.toReversed().map((schema) => schema.properties)) as Record<string, Schema>;
  const isEverywhere = (name: string) => schemas.every(({ required = [] }) => required.includes(name));
  return { properties: { ...properties, error: { ...properties.error, type: "string" } }, required: Object.keys(properties).filter(isEverywhere) };
}

const shownOperationsMax = 4;

function renderUses(operations: readonly string[]): string {
  const links = operations.slice(0, shownOperationsMax).map((id) => `<a href="#${id}">${id}</a>`).join(", ");
  const rest = operations.length - shownOperationsMax;
  return rest > 0 ? `${links} and ${rest} more` : links;
}

export function renderErrors(document: OpenApi, markdown: string): string {
  const uses = findUses(document);
  const { properties = {}, required = [] } = failureSchema(document);
  const { enum: _only, ...error } = properties.error ?? {};
  const fields = renderFields(Object.entries({ ...properties, error }).map(([name, field]) => ({ name, field: name === "limit" || name === "retry_after" ? { ...field, description: `${field.description ?? ""} With 429 only.` } : field, isRequired: name !== "limit" && name !== "retry_after" ? required.includes(name) : true, id: `failure.${name}` })), "answered");
  const rows = readErrorRows(markdown).map(({ code, status, retry, who }) => {
    const use = uses.get(code);
    return [
      `<tr id="${code}"><th scope="row"><a href="#${code}"><code>${code.replaceAll("_", "_<wbr />")}</code></a></th><td data-label="Status"><span class="status bad">${status}</span></td>`,
      `<td data-label="Retry">${inlineText(retry)}</td><td data-label="Who must act">${inlineText(who)}`,
      ...(use === undefined ? [`<p class="uses">The dashboard only.</p>`] : [`<p class="uses">“${escapeHtml(use.message)}” Answered by ${renderUses(use.operations)}.</p>`]),
      `</td></tr>`,
    ].join("");
  });
  const table = `<table class="errors"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Retry</th><th scope="col">Who must act</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  return `<h3>Fields of an error</h3>${fields}<h3>All codes</h3>${table}`;
}
