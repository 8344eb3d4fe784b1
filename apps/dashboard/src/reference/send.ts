import { find, findAll, make } from "./elements.ts";

/** Bodies of answers are at most a few hundred lines; anything longer is cut. */
const shownCharactersMax = 100_000;

/** Why this key is not sent, or undefined. */
export function refuseKey(key: string): string | undefined {
  if (key === "") return "Enter a test key at the top of this page first.";
  if (key.startsWith("assay_live_")) return "This is a live key, and nothing was sent. This page sends test keys only: a live key belongs on your server.";
  return /^assay_test_[0-9A-Za-z]+$/.test(key) ? undefined : "This is not a key. A test key begins with assay_test_.";
}

type Prepared = { url: string; headers: Record<string, string>; body: string | undefined };

/** The request as the form describes it: fields are named `path:…`, `query:…`, `header:…` or `body`. */
export function prepareRequest(path: string, fields: Iterable<readonly [string, string]>): Prepared {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let [url, body] = [path, undefined as string | undefined];
  for (const [field, value] of fields) {
    const [place, name = ""] = field.split(":");
    if (place === "body") body = value;
    else if (value === "") continue;
    else if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query") query.set(name, value);
    else headers[name] = value;
  }
  return { url: query.size > 0 ? `${url}?${query}` : url, headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" }, body };
}

function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function block(label: string, text: string): HTMLElement[] {
  const pre = make("pre", text.slice(0, shownCharactersMax));
  pre.tabIndex = 0;
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", label);
  return [make("h5", label), pre];
}

async function send(form: HTMLFormElement, key: string): Promise<HTMLElement[]> {
  const { method = "GET", path = "" } = form.dataset;
  const isKeyed = "keyed" in form.dataset;
  const refusal = isKeyed ? refuseKey(key) : undefined;
  if (refusal !== undefined) return [make("p", refusal, "refused")];
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""] as const);
  const { url, headers, body } = prepareRequest(path, entries);
  const startMs = performance.now();
  const answer = await fetch(url, { method, headers: { ...headers, ...(isKeyed && { "X-API-Key": key }) }, credentials: "omit", cache: "no-store", redirect: "error", ...(body !== undefined && { body }) });
  const text = await answer.text();
  const ms = Math.round(performance.now() - startMs);
  const status = make("p", "", "answered");
  status.append(make("span", String(answer.status), answer.ok ? "status" : "status bad"), ` ${answer.statusText} in ${ms} ms`);
  const shown = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return [status, ...(text === "" ? [] : block("Body", formatBody(text))), ...block("Headers", shown)];
}

function watchForm(form: HTMLFormElement, readKey: () => string): void {
  const result = find(".result", form);
  const button = find<HTMLButtonElement>("button[type=submit]", form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    void send(form, readKey())
      .catch((error: unknown) => [make("p", `No answer: ${error instanceof Error ? error.message : String(error)}`, "refused")])
      .then((shown) => result.replaceChildren(...shown))
      .finally(() => (button.disabled = false));
  });
}

/** Takes each form out of its template when it is unfolded for the first time. */
export function watchForms(readKey: () => string): void {
  for (const folded of findAll<HTMLDetailsElement>("details.send")) {
    folded.addEventListener("toggle", () => {
      const template = folded.querySelector("template");
      if (!folded.open || !template) return;
      template.replaceWith(template.content);
      watchForm(find<HTMLFormElement>("form", folded), readKey);
    });
  }
}
