/** Compares the page with docs/api-surface.txt, which lists what callers may rely on, one thing per line. */
import { escapeHtml } from "./html.ts";
import { type OpenApi, routesOf } from "./openapi.ts";
import type { Direction } from "./render-fields.ts";

type Row = { html: string };

/** Each element with an id, up to the next one. A field's own line is in front of its inner fields. */
function readRows(html: string): Map<string, Row> {
  const parts = html.split(/(?=<[a-z0-9]+[^<>]*\sid=")/);
  return new Map(parts.flatMap((part) => {
    const id = /^<[^<>]*?\sid="([^"]+)"/.exec(part)?.[1];
    return id === undefined ? [] : [[id, { html: part }] as const];
  }));
}

/** How the page words the type of a line. */
const typeWords: Readonly<Record<string, RegExp>> = { string: /string|time/, number: /number/, integer: /integer/, boolean: /boolean/, object: /object/, array: /array of/, enum: /string/, null: /null/ };

const failureFields = new Set(["error", "message", "limit", "retry_after"]);
const isError = (status: string) => Number(status) >= 400;

/** Says what the page lacks of a line about a body: `body.rows[].clicks?: integer`, `body.level = high`. */
function findBodyFault(rows: ReadonlyMap<string, Row>, id: string, line: string, direction: Direction): string | undefined {
  const [, path = "", types, choice] = /^body((?:\.[\w-]+\??|\[\])*)(?:: (\S+)| = (.+))$/.exec(line) ?? [];
  const steps = path.split(".").slice(1).map((step) => step.replaceAll(/\[\]|\?/g, ""));
  if (steps.length === 0) return rows.has(id) ? undefined : `has no ${id}`;
  const row = rows.get([id, ...steps].join("."));
  if (!row) return `has no ${[id, ...steps].join(".")}`;
  if (choice !== undefined) return row.html.includes(`<code>${escapeHtml(choice)}</code>`) ? undefined : `does not list ${choice}`;
  const shown = /class="type">([^<]*)</.exec(row.html)?.[1] ?? "";
  const isItem = path.endsWith("[]");
  if (isItem) return shown.includes("array of") ? undefined : `says ${shown}`;
  if (direction === "answered" && path.endsWith("?") && !row.html.includes("may be absent")) return "does not say that it may be absent";
  if (direction === "sent" && path.endsWith("?") === row.html.includes('class="must"')) return "is wrong about whether it is required";
  const unknown = (types ?? "").split("|").filter((type) => !typeWords[type]?.test(shown));
  return unknown.length > 0 ? `says ${shown}` : undefined;
}

/** A failure of the usual form is described once for all operations; its code is in the table of errors. */
function findFailureFault(rows: ReadonlyMap<string, Row>, line: string): string | undefined {
  const [, name = "", choice] = /^body\.?(\w*)(?:: \S+| = (.+))$/.exec(line) ?? [];
  if (name === "") return undefined;
  if (name === "error" && choice !== undefined) return rows.has(choice) ? undefined : `has no ${choice}`;
  return findBodyFault(rows, "failure", line, "answered");
}

function findParameterFault(rows: ReadonlyMap<string, Row>, id: string, [place = "", name = ""]: string[]): string | undefined {
  const row = rows.get(`${id}.${place}.${name.replace("?", "")}`);
  if (!row) return "is not there";
  return row.html.includes('class="must"') === !name.endsWith("?") ? undefined : "is wrong about whether it is required";
}

type Surface = { rows: ReadonlyMap<string, Row>; ids: ReadonlyMap<string, string> };

function findCallFault({ rows, ids }: Surface, line: string): string | undefined {
  const [, call = "", rest = ""] = /^((?:GET|POST) \S+) (.+)$/.exec(line) ?? [];
  const own = ids.get(call) ?? "";
  const id = /data-same="(\w+)"/.exec(rows.get(`${own}-title`)?.html ?? "")?.[1] ?? own;
  if (!rows.has(own)) return "is not there";
  const [first = "", second = "", ...others] = rest.split(" ");
  if (first === "takes") return second.startsWith("body") ? findBodyFault(rows, `${id}.body`, rest.slice("takes ".length), "sent") : findParameterFault(rows, id, [second, ...others]);
  const answer = rows.get(`${id}.${first}`);
  if (!answer) return `has no ${id}.${first}`;
  if (second === "") return undefined;
  if (second === "header") return new RegExp(`data-on="(?:[^"]* )?${first}[ "]`).test(rows.get(`${id}.answer.${others[0]}`)?.html ?? "") ? undefined : "is not on it";
  const body = rest.slice(first.length + 1);
  const isPlain = isError(first) && failureFields.has(/^body\.?(\w*)/.exec(body)?.[1] || "error") && !rows.has(`${id}.${first}.status`);
  return isPlain ? findFailureFault(rows, body) : findBodyFault(rows, `${id}.${first}`, body, "answered");
}

function findEventFault(rows: ReadonlyMap<string, Row>, line: string): string | undefined {
  const [, type = "", verb, rest = ""] = /^event (\S+) (sends|takes) (.+)$/.exec(line) ?? [];
  if (!rows.has(type)) return "is not there";
  if (verb === "takes") return rows.has(`event.answer.${rest}`) ? undefined : "is not there";
  if (!rest.startsWith("body")) return findParameterFault(rows, "event", rest.split(" "));
  if (rest === `body.type = ${type}`) return undefined;
  if (rest.startsWith("body:")) return rows.has("event.body") ? undefined : "is not there";
  return findBodyFault(rows, /^body\.data[.[]/.test(rest) ? type : "event", rest, "answered");
}

/** What the page lacks, one line each. */
export function findMissing(html: string, { document, surface }: { document: OpenApi; surface: readonly string[] }): string[] {
  const rows = readRows(html);
  const ids = new Map(routesOf(document).map(({ method, path, operation }) => [`${method.toUpperCase()} ${path}`, operation.operationId]));
  return surface.flatMap((line) => {
    const fault = line.startsWith("event ") ? findEventFault(rows, line) : findCallFault({ rows, ids }, line);
    return fault === undefined ? [] : [`${line}: ${fault}`];
  });
}
