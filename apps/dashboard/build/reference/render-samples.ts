import { languagesOf, type SampleCall, type SampleLanguage, writeSample } from "../../src/samples/write-sample.ts";
import { type ClientLanguage, webhookSamples } from "../../src/samples/client-calls.ts";
import type { Json } from "../../src/samples/literals.ts";
import { highlightCode, highlightJson, marks } from "./highlight.ts";
import { slugOf } from "./html.ts";
import { exampleOf, type Operation, type Route } from "./openapi.ts";

/** What stands for a parameter in the samples. The document has examples of bodies only. */
const exampleValues: Readonly<Record<string, string>> = {
  session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
  month: "2026-01",
  campaign_id: "camp_0W4kTqZb00A8fLq2mXc3Rt",
  group_by: "placement",
  seq: "1",
  tile: "0/000",
  log: "1",
};

/** Queries that say nothing without one of their optional parameters. */
const shownOptional: ReadonlySet<string> = new Set(["seq"]);

function securityOf({ security }: Operation): SampleCall["security"] {
  if (security.some((each) => "campaignToken" in each)) return "campaign";
  return security.length > 0 ? "key" : "none";
}

export function sampleCallOf({ method, path, operation }: Route): SampleCall {
  const { operationId, parameters = [], requestBody } = operation;
  const media = requestBody?.content["application/json"];
  const valuesOf = (place: string) =>
    Object.fromEntries(parameters.filter((each) => each.in === place && (each.required === true || shownOptional.has(each.name))).map(({ name }) => [name, exampleValues[name] ?? name]));
  return { operationId, method, template: path, security: securityOf(operation), path: valuesOf("path"), query: valuesOf("query"), body: media && (exampleOf(media) as Json) };
}

const copyButton = `<button type="button" class="copy scripted"><span aria-live="polite">Copy</span></button>`;

const panel = (language: SampleLanguage, html: string, label: string): string =>
  `<pre class="sample ${slugOf(language)}" tabindex="0" role="region" aria-label="${label} in ${language}"><code>${html}</code></pre>`;

/** Buttons, because the page has one choice of language for all samples. Without a script that choice is made at the top. */
const tabsOf = (languages: readonly SampleLanguage[]): string =>
  `<span class="tabs scripted" role="group" aria-label="Language">${languages.map((each) => `<button type="button" data-language="${slugOf(each)}">${each}</button>`).join("")}</span>`;

function frame(languages: readonly SampleLanguage[], panels: string): string {
  const isOne = languages.length === 1;
  return `<div class="code ${isOne ? "one" : "many"}"><div class="code-bar">${isOne ? `<span class="code-name">${languages[0]}</span>` : tabsOf(languages)}${copyButton}</div>${panels}</div>`;
}

export function renderSamples(call: SampleCall): string {
  const showKey = (expression: string) => marks.keyStart + expression + marks.keyEnd;
  const languages = languagesOf(call.operationId);
  return frame(languages, languages.map((language) => panel(language, highlightCode(writeSample(language, call, { address: marks.address, showKey }), language), "Request")).join(""));
}

export function renderWebhookSamples(): string {
  const languages = Object.keys(webhookSamples) as ClientLanguage[];
  // No client of ours reads webhooks in a shell; another language is shown to those who chose it.
  const first = highlightCode(webhookSamples.TypeScript, "TypeScript");
  return frame(languages, `${languages.map((language) => panel(language, highlightCode(webhookSamples[language], language), "Verifying a delivery")).join("")}<pre class="sample curl" tabindex="0" role="region" aria-label="Verifying a delivery"><code>${first}</code></pre>`);
}

export const renderExample = (example: unknown, label: string): string =>
  example === undefined
    ? ""
    : `<div class="code one"><div class="code-bar"><span class="code-name">${label}</span>${copyButton}</div><pre class="example" tabindex="0" role="region" aria-label="${label}"><code>${typeof example === "string" ? highlightCode(example, "text") : highlightJson(example)}</code></pre></div>`;
