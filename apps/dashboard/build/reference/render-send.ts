import { routeOf, type SampleCall } from "../../src/samples/write-sample.ts";
import { choicesOf } from "./render-fields.ts";
import { escapeHtml } from "./html.ts";
import type { Parameter, Route } from "./openapi.ts";

/** Calls of the API by an account's key, or by anybody. A campaign's token is never a test credential. */
export const isSendable = ({ path }: Route, { security }: SampleCall): boolean => path.startsWith("/api/") && security !== "campaign";

function renderInput({ name, in: place, required, schema }: Parameter, id: string, value: string): string {
  const choices = choicesOf(schema);
  const attributes = `id="${id}" name="${place}:${escapeHtml(name)}"${required ? " required" : ""}`;
  const options = [...(required ? [] : [""]), ...choices].map((each) => `<option${each === value && each !== "" ? " selected" : ""}>${each}</option>`).join("");
  const input = choices.length > 0 ? `<select ${attributes}>${options}</select>` : `<input ${attributes} value="${escapeHtml(value)}" autocomplete="off" spellcheck="false" />`;
  return `<div class="input"><label for="${id}"><code>${escapeHtml(name)}</code>${required ? "" : " <small>optional</small>"}</label>${input}</div>`;
}

/**
 * A form that only the page's script can send, and that it takes out of the template when it is wanted: browsers lay out
 * the page again for every form control that they read.
 */
export function renderSend({ method, path, operation }: Route, call: SampleCall): string {
  const id = operation.operationId;
  const inputs = (operation.parameters ?? []).map((each) => renderInput(each, `send-${id}-${each.name.toLowerCase()}`, call.path[each.name] ?? call.query[each.name] ?? ""));
  const body =
    call.body === undefined
      ? ""
      : `<div class="input"><label for="send-${id}-body">Body</label><textarea id="send-${id}-body" name="body" rows="${JSON.stringify(call.body, null, 2).split("\n").length}" spellcheck="false">${escapeHtml(JSON.stringify(call.body, null, 2))}</textarea></div>`;
  return [
    `<details class="send scripted"><summary>Send this request</summary><template>`,
    `<form data-method="${method.toUpperCase()}" data-path="${path}"${call.security === "key" ? " data-keyed" : ""}>`,
    `<p class="line"><code>${method.toUpperCase()} ${escapeHtml(routeOf(call))}</code></p>`,
    ...inputs,
    body,
    `<button class="button" type="submit">Send</button>`,
    `<div class="result" aria-live="polite"></div></form></template></details>`,
  ].join("");
}
