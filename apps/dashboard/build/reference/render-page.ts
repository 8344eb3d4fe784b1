import { isDeepStrictEqual } from "node:util";
import { sampleLanguages } from "../../src/samples/write-sample.ts";
import { renderMarkdown } from "../render-markdown.ts";
import { escapeHtml, inlineText, slugOf } from "./html.ts";
import { type OpenApi, type Route, routesOf } from "./openapi.ts";
import { renderErrors } from "./render-errors.ts";
import { methodOf, renderOperation } from "./render-operation.ts";
import { renderWebhooks } from "./render-webhooks.ts";

const webhooksTag = "Webhooks";

/** An earlier operation that takes and answers the same at another path. */
function findSame(routes: readonly Route[], { operation }: Route): Route | undefined {
  const { parameters, requestBody, responses, security } = operation;
  const isSame = (each: Route) => isDeepStrictEqual({ parameters, requestBody, responses, security }, { parameters: each.operation.parameters, requestBody: each.operation.requestBody, responses: each.operation.responses, security: each.operation.security });
  // Operations without a body or parameters are alike by chance.
  return requestBody && routes.slice(0, routes.findIndex((each) => each.operation === operation)).find(isSame);
}

function renderTag(routes: readonly Route[], { name, description }: { name: string; description: string }): string {
  const id = slugOf(name);
  const operations = routes.filter(({ operation }) => operation.tags[0] === name).map((route) => renderOperation(route, findSame(routes, route)));
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(name)}</h2><p>${inlineText(description)}</p>${operations.join("")}</section>`;
}

/** The sections of the guide. */
const headingsOf = (guide: string): { id: string; title: string }[] => [...guide.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)].map(([, id = "", title = ""]) => ({ id, title }));

function renderMenu(document: OpenApi, guide: string): string {
  const routes = routesOf(document);
  const link = (id: string, html: string) => `<li><a href="#${id}">${html}</a></li>`;
  const group = (title: string, links: readonly string[]) => `<li><span class="group">${title}</span><ul>${links.join("")}</ul></li>`;
  const operations = document.tags
    .filter(({ name }) => name !== webhooksTag)
    .map(({ name }) => group(escapeHtml(name), routes.filter(({ operation }) => operation.tags[0] === name).map(({ method, operation }) => link(operation.operationId, `${methodOf(method)}<span>${escapeHtml(operation.summary)}</span>`))));
  const first = group("Start", [link("introduction", "Introduction"), ...headingsOf(guide).map(({ id, title }) => link(id, title)), link("errors", "Errors")]);
  return `<ul>${first}${operations.join("")}${group("Webhooks", [link("webhooks", "Deliveries"), link("events", "Events")])}</ul>`;
}

const setup = `<form class="setup" id="setup"><fieldset class="languages"><legend>Samples in</legend>${sampleLanguages
  .map((each, index) => `<label><input type="radio" name="language" value="${slugOf(each)}"${index === 0 ? " checked" : ""} /> ${each}</label>`)
  .join("")}</fieldset><div class="key-field scripted"><label for="key">Your key</label><input id="key" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="assay_test_…" aria-describedby="key-note" /><p id="key-note">Fills the samples. It stays in this tab, and only <em>Send</em> sends it, if it is a test key.</p></div></form>`;

const search = (id: string): string =>
  `<div class="search scripted" role="search"><label class="unseen" for="${id}">Search the reference</label><input id="${id}" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="${id}-found" aria-keyshortcuts="/" /><kbd aria-hidden="true">/</kbd><div id="${id}-found" class="found" hidden></div></div>`;

export type ReferenceSources = { document: OpenApi; errors: string; guide: string };

/** The whole reference: the side menu, the guide, all operations, all errors and all events. */
export function renderReference({ document, errors, guide }: ReferenceSources): string {
  const routes = routesOf(document);
  const menu = renderMenu(document, guide);
  const webhooks = document.tags.find(({ name }) => name === webhooksTag);
  const html = [
    `<aside class="side">${search("search")}<nav class="menu" aria-label="Reference">${menu}</nav>`,
    `<details class="contents"><summary>Contents</summary><nav aria-label="Contents">${menu}</nav></details></aside>`,
    `<main id="content"><section class="text" aria-labelledby="introduction"><h1 id="introduction">API reference</h1>${renderMarkdown(document.info.description)}${setup}</section>`,
    guide,
    `<section aria-labelledby="errors"><h2 id="errors">Errors</h2><p>A failure is JSON. Match on <code>error</code>; <code>message</code> may change. Only a 200 is billed, so that no error costs anything.</p>${renderErrors(document, errors)}</section>`,
    ...document.tags.filter(({ name }) => name !== webhooksTag).map((tag) => renderTag(routes, tag)),
    `<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2><p>${inlineText(webhooks?.description ?? "")}</p>${renderWebhooks(document)}</section></main>`,
  ].join("\n");
  checkIds(html);
  return html;
}

/** Two elements with one id, or a link to none, would be a mistake of the document. */
function checkIds(html: string): void {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new Error(`the reference has two elements with the id ${id}`);
    seen.add(id);
  }
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) if (!seen.has(target!)) throw new Error(`the reference links to #${target}, which it does not have`);
}
