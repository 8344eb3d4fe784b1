/** The one place that talks to the server. Every failure becomes an `ApiError` that a page can show as it is. */

const prefix = "/dashboard/api/";

export class ApiError extends Error {
  /** 0 when no answer came. */
  readonly status: number;
  /** The server's stable code, or `no_answer`. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(about: { status: number; code: string; message: string; requestId?: string | undefined; retryAfterSeconds?: number | undefined }) {
    super(about.message);
    this.name = "ApiError";
    this.status = about.status;
    this.code = about.code;
    this.requestId = about.requestId;
    this.retryAfterSeconds = about.retryAfterSeconds;
  }
}

export type Query = Readonly<Record<string, string | undefined>>;

/** The address of a reply, with the members of the query that have a value. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  const search = new URLSearchParams(given).toString();
  return `${prefix}${path}${search === "" ? "" : `?${search}`}`;
}

async function failureOf(answer: Response): Promise<ApiError> {
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

/** A form goes as it is, and the browser names its parts; everything else is JSON. */
function sent(body: unknown): Pick<RequestInit, "body" | "headers"> {
  const accept = "application/json";
  if (body === undefined) return { headers: { accept } };
  if (body instanceof FormData) return { headers: { accept }, body };
  return { headers: { accept, "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function call<Reply>(method: string, address: string, body: unknown, signal: AbortSignal | undefined): Promise<Reply> {
  let answer: Response;
  try {
    answer = await fetch(address, {
      method,
      credentials: "same-origin",
      ...sent(body),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError({ status: 0, code: "no_answer", message: "Cannot reach the server. Check your connection and try again." });
  }
  if (!answer.ok) throw await failureOf(answer);
  if (answer.status === 204) return undefined as Reply;
  // A file to be kept, such as the bank's: the text itself is the reply.
  if (answer.headers.get("content-type")?.startsWith("text/csv")) return (await answer.text()) as Reply;
  return (await answer.json()) as Reply;
}

export const read = <Reply>(path: string, options: { query?: Query; signal?: AbortSignal } = {}): Promise<Reply> =>
  call<Reply>("GET", addressOf(path, options.query), undefined, options.signal);

export const write = <Reply>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Reply> =>
  call<Reply>(method, addressOf(path), body, undefined);
