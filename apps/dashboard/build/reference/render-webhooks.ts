import { inlineText } from "./html.ts";
import { exampleOf, type OpenApi, type Operation, type Schema } from "./openapi.ts";
import { renderBody, renderFields, renderParameters } from "./render-fields.ts";
import { renderExample, renderWebhookSamples } from "./render-samples.ts";

const mediaOf = ({ requestBody }: Operation) => requestBody!.content["application/json"]!;

/** What all events share is shown once, so it must be the same in all of them. */
function checkShared(operations: readonly Operation[]): void {
  const sharedOf = (operation: Operation) => {
    const { type, data, ...others } = mediaOf(operation).schema.properties ?? {};
    return JSON.stringify([operation.parameters, operation.responses, others, type?.description, data?.description]);
  };
  const [first] = operations;
  for (const operation of operations) if (sharedOf(operation) !== sharedOf(first!)) throw new Error(`${operation.summary} differs from other events in what they share`);
}

function renderEvent(type: string, operation: Operation): string {
  const { schema, ...media } = mediaOf(operation);
  const [happens, told] = operation.description.split(" Told to ");
  return [
    `<details class="event" id="${type}"><summary><code>${type}</code> <span>${inlineText(happens ?? "")}</span></summary>`,
    `<p class="uses">Told to ${inlineText(told ?? "")}</p><div class="split"><div class="described"><h4>Fields of <code>data</code></h4>${renderBody(schema.properties?.data ?? {}, `${type}.data`, "answered")}</div>`,
    `<div class="shown">${renderExample(exampleOf({ schema, ...media }), "Body")}</div></div></details>`,
  ].join("");
}

export function renderWebhooks({ webhooks }: OpenApi): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => ({ type, operation: post }));
  checkShared(events.map(({ operation }) => operation));
  const [{ operation }] = events as [(typeof events)[number]];
  const { type, ...others } = mediaOf(operation).schema.properties as Record<string, Schema>;
  const { const: _one, ...anyType } = type!;
  const { properties: _inner, required: _required, ...data } = others.data!;
  const shared = { type: anyType, ...others, data };
  const fields = renderFields(Object.entries(shared).map(([name, field]) => ({ name, field, isRequired: true, id: `event.${name}` })), "answered");
  const answers = Object.entries(operation.responses).map(([status, { description }]) => `<li id="event.answer.${status}"><span class="status${status === "200" ? "" : " bad"}">${status}</span> <span>${inlineText(description)}</span></li>`);
  return [
    `<div class="split"><div class="described"><h3>What every delivery has</h3><h4>Headers</h4>${renderParameters(operation.parameters ?? [], "event")}<h4 id="event.body">Body</h4>${fields}`,
    `<h4>What your endpoint answers</h4><ul class="failures">${answers.join("")}</ul></div><div class="shown">${renderWebhookSamples()}</div></div>`,
    `<section id="events" aria-labelledby="events-title"><h3 id="events-title">Events</h3>${events.map((each) => renderEvent(each.type, each.operation)).join("")}</section>`,
  ].join("");
}
