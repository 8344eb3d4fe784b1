import { AssayError } from "./assay-error.ts";
import { isRetryableAnswer, parseRetryAfter } from "./retry-rules.ts";

/** More than the service ever answers; what is larger comes from somebody else. */
const answerBytesMax = 4 * 1024 * 1024;
const messageCharactersMax = 500;

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type CallRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | undefined;
};

export type RawAnswer = {
  status: 200 | 204;
  /** The parsed body; undefined for a 204. */
  body: unknown;
  headers: Headers;
};

async function readText(response: Response): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new RangeError(`the answer is larger than ${answerBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readRefusal(response: Response, body: Record<string, unknown> | undefined): AssayError {
  const { status, headers } = response;
  const isInOurWords = typeof body?.error === "string";
  const code = isInOurWords ? (body.error as string) : "unexpected_status";
  const message =
    isInOurWords && typeof body.message === "string"
      ? body.message.slice(0, messageCharactersMax)
      : `The answer had status ${status}${isInOurWords ? "" : " and did not come from Assay"}.`;
  return new AssayError(message, {
    code,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    isRetryable: isRetryableAnswer(status, code),
    retryAfterSeconds: parseRetryAfter(body, headers.get("retry-after")),
  });
}

function readAnswer(response: Response, text: string): RawAnswer {
  const { status, headers } = response;
  if (status === 204) return { status, body: undefined, headers };
  const body = parseObject(text);
  if (status !== 200) throw readRefusal(response, body);
  if (body) return { status, body, headers };
  // It may have been billed, and under the same key the next answer is the same one: asking again is safe.
  const requestId = headers.get("x-request-id") ?? undefined;
  throw new AssayError("The answer is no JSON object.", { code: "unreadable_answer", status, requestId, isRetryable: true });
}

/**
 * One request, one answer. Throws an AssayError, or the reason of the caller's own signal. Redirects are not followed: they
 * would carry the key to wherever they point.
 */
export async function attemptCall(
  request: CallRequest,
  { fetch, timeoutMs, signal }: { fetch: Fetch; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<RawAnswer> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, timeoutMs);
  const onAbort = () => ending.abort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { url, method, headers } = request;
    const body = request.body === undefined ? {} : { body: request.body };
    const response = await fetch(url, { method, headers, ...body, redirect: "manual", signal: ending.signal });
    return readAnswer(response, await readText(response));
  } catch (error) {
    if (error instanceof AssayError) throw error;
    signal?.throwIfAborted();
    const fields = { status: 0, isRetryable: true };
    if (timedOut) throw new AssayError(`No complete answer within ${timeoutMs} ms.`, { ...fields, code: "timeout" }, { cause: error });
    throw new AssayError("The service could not be reached.", { ...fields, code: "network_failure" }, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // What is left of an answer that was not read to its end would keep its connection.
    ending.abort();
  }
}
