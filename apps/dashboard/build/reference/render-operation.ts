import { anchorOf, escapeHtml, inlineText } from "./html.ts";
import { exampleOf, isError, type Operation, type Parameter, type Response, type Route } from "./openapi.ts";
import { renderBody, renderField, renderParameters } from "./render-fields.ts";
import { renderExample, renderSamples, sampleCallOf } from "./render-samples.ts";
import { isSendable, renderSend } from "./render-send.ts";

/** The fields of nearly every failure are described once, with the errors. */
const failureFields = new Set(["error", "message", "limit", "retry_after"]);
export const isPlainFailure = (status: string, { content }: Response): boolean =>
  isError(status) && Object.keys(content?.["application/json"]?.schema.properties ?? { other: {} }).every((name) => failureFields.has(name));

export const methodOf = (method: string): string => `<span class="method ${method}">${method.toUpperCase()}</span>`;

/** `{name}` may not break the line; slashes may. */
const pathOf = (path: string): string => escapeHtml(path).replaceAll("/", "<wbr />/");

const part = (title: string, html: string, id?: string): string => (html === "" ? "" : `<h4${id === undefined ? "" : ` id="${id}"`}>${title}</h4>${html}`);

function renderParameterParts({ operationId, parameters = [] }: Operation): string {
  const placed = (place: Parameter["in"]) => parameters.filter((each) => each.in === place);
  const titles = [["path", "Path"], ["query", "Query"], ["header", "Request headers"]] as const;
  return titles.map(([place, title]) => (placed(place).length === 0 ? "" : part(title, renderParameters(placed(place), operationId)))).join("");
}

function renderAnswer(id: string, status: string, { description, content = {} }: Response): string {
  const bodies = Object.entries(content).map(([type, { schema }]) => `${type === "application/json" ? "" : `<p class="whole"><code>${type}</code></p>`}${renderBody(schema, `${id}.${status}`, "answered")}`);
  return `<div class="answer" id="${id}.${status}"><h4><span class="status">${status}</span> Answer</h4><p>${inlineText(description)}</p>${bodies.join("")}</div>`;
}

/** Which answers have a header, in words. */
function describeStatuses(on: readonly string[], all: readonly string[]): string {
  if (on.length === all.length) return "every answer";
  const without = all.filter((status) => !on.includes(status));
  return without.length < on.length && without.length < 3 ? `every answer but ${without.join(" and ")}` : on.join(", ");
}

function renderAnswerHeaders({ operationId, responses }: Operation): string {
  const all = Object.keys(responses);
  const headers = new Map(Object.values(responses).flatMap(({ headers: some = {} }) => Object.entries(some)));
  const rows = [...headers].map(([name, { description, schema }]) => {
    const on = all.filter((status) => name in (responses[status]?.headers ?? {}));
    return renderField(name, { ...schema, description }, { id: `${operationId}.answer.${name}`, direction: "answered", isRequired: true, depth: 1, note: ` <span class="on" data-on="${on.join(" ")}">On ${describeStatuses(on, all)}.</span>` });
  });
  return `<details class="more"><summary>${rows.length} answer ${rows.length === 1 ? "header" : "headers"}</summary><ul class="fields">${rows.join("")}</ul></details>`;
}

const linkCodes = (description: string): string => description.replaceAll(/`(\w+)`/g, '<a href="#$1"><code>$1</code></a>');

function renderFailures({ operationId, responses }: Operation): string {
  const failures = Object.entries(responses).filter(([status, response]) => isPlainFailure(status, response));
  if (failures.length === 0) return "";
  return part("Errors", `<ul class="failures">${failures.map(([status, { description }]) => `<li id="${operationId}.${status}"><span class="status bad">${status}</span> <span>${linkCodes(description)}</span></li>`).join("")}</ul>`);
}

function renderExamples({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => !isError(status))
    .flatMap(([status, { content = {} }]) => Object.values(content).map((media) => renderExample(exampleOf(media), `Answer ${status}`)))
    .join("");
}

const rowsPerStep = 10;
const stepsMax = 10;

/**
 * Steps of ten fields that are not folded. From it the style sheet takes how high the operation is until it is laid out:
 * rather too high, or what is not laid out yet would overlap for tools that measure it.
 */
function stepsOf(fields: string): number {
  let folds = 0;
  let rows = 0;
  for (const [tag] of fields.matchAll(/<\/?details|<li /g)) {
    if (tag === "<li ") rows += folds === 0 ? 1 : 0;
    else folds += tag === "<details" ? 1 : -1;
  }
  return Math.min(Math.ceil(rows / rowsPerStep), stepsMax);
}

const needs = { key: `<a class="needs" href="#authentication">key</a>`, campaign: `<a class="needs" href="#authentication">campaign token</a>`, none: `<span class="needs">no key</span>` };

/** `same` has the same request and answers at another path, where they are described. */
export function renderOperation(route: Route, same: Route | undefined): string {
  const { method, path, operation } = route;
  const { operationId, summary, description, requestBody, responses } = operation;
  const call = sampleCallOf(route);
  const answers = Object.entries(responses).filter(([status, response]) => !isPlainFailure(status, response));
  const body = Object.values(requestBody?.content ?? {}).map(({ schema }) => renderBody(schema, `${operationId}.body`, "sent")).join("");
  const fields = same
    ? `<p data-same="${same.operation.operationId}">Takes and answers exactly what <a href="#${same.operation.operationId}"><code>${escapeHtml(same.path)}</code></a> does.</p>`
    : [renderParameterParts(operation), part("Body", body, `${operationId}.body`), ...answers.map(([status, response]) => renderAnswer(operationId, status, response)), renderFailures(operation), renderAnswerHeaders(operation)].join("");
  return [
    `<article class="operation steps-${stepsOf(fields)}" id="${operationId}" aria-labelledby="${operationId}-title">`,
    `<div class="head"><h3 id="${operationId}-title">${escapeHtml(summary)} ${anchorOf(operationId, summary)}</h3>`,
    `<p class="route">${methodOf(method)} <code>${pathOf(path)}</code> ${needs[call.security]}</p><p>${inlineText(description)}</p></div>`,
    `<div class="shown">${renderSamples(call)}${isSendable(route, call) ? renderSend(route, call) : ""}${same ? "" : renderExamples(operation)}</div>`,
    `<div class="described">${fields}</div>`,
    `</article>`,
  ].join("");
}
