/** All requests to the server. Every failure becomes an `ApiError` whose message a page can show. */

import { askForStepUp } from "./step-up.ts";

const prefix = "/dashboard/api/";

export class ApiError extends Error {
  /** 0 if there was no answer. */
  readonly status: number;
  /** The server's stable code, or `no_answer`. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(options: { status: number; code: string; message: string; requestId?: string | undefined; retryAfterSeconds?: number | undefined }) {
    super(options.message);
    this.name = "ApiError";
    this.status = options.status;
    this.code = options.code;
    this.requestId = options.requestId;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export type Query = Readonly<Record<string, string | undefined>>;

/** The URL of an endpoint, without query members that have no value. */
export function urlOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  const search = new URLSearchParams(given).toString();
  return `${prefix}${path}${search === "" ? "" : `?${search}`}`;
}

async function readError(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: unknown; message?: unknown };
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: answer.status,
    code: typeof body.error === "string" ? body.error : "unknown",
    message: typeof body.message === "string" ? body.message : `The server returned an error (${answer.status}). Try again in a moment.`,
    requestId: answer.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Forms are sent as they are, and the browser sets their content type. Everything else is sent as JSON. */
function encodeBody(body: unknown): Pick<RequestInit, "body" | "headers"> {
  const accept = "application/json";
  if (body === undefined) return { headers: { accept } };
  if (body instanceof FormData) return { headers: { accept }, body };
  return { headers: { accept, "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function call<Reply>(method: string, url: string, body: unknown, signal: AbortSignal | undefined): Promise<Reply> {
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      credentials: "same-origin",
      ...encodeBody(body),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError({ status: 0, code: "no_answer", message: "Cannot reach the server. Check your connection and try again." });
  }
  if (!answer.ok) throw await readError(answer);
  if (answer.status === 204) return undefined as Reply;
  // A CSV file, such as the payout export, is returned as text.
  if (answer.headers.get("content-type")?.startsWith("text/csv")) return (await answer.text()) as Reply;
  return (await answer.json()) as Reply;
}

export const read = <Reply>(path: string, options: { query?: Query; signal?: AbortSignal } = {}): Promise<Reply> =>
  call<Reply>("GET", urlOf(path, options.query), undefined, options.signal);

/** An operator's request that needs a confirmed session asks for it once, and is sent again as it was. */
export async function write<Reply>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Reply> {
  const send = () => call<Reply>(method, urlOf(path), body, undefined);
  return send().catch(async (error: unknown) => {
    const isAsked = error instanceof ApiError && error.code === "step_up_required" && path.startsWith("operator/");
    if (!isAsked || !(await askForStepUp())) throw error;
    return send();
  });
}
