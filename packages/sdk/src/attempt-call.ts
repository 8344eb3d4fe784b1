import { AssayError } from "./assay-error.ts";
import { isRetryableAnswer, parseRetryAfter } from "./retry-rules.ts";

/** More than the service ever sends; a larger body comes from something else. */
const answerBytesMax = 4 * 1024 * 1024;
const messageCharactersMax = 500;

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type CallRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | undefined;
  /** What a 200 contains; JSON if it is left out. */
  answers?: "text";
};

export type RawAnswer = {
  status: 200 | 204;
  /** The parsed body, or the text if the request asked for text; undefined for a 204. */
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
    if (bytes > answerBytesMax) throw new RangeError(`The answer is larger than ${answerBytesMax} bytes.`);
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

function readFailure(response: Response, body: Record<string, unknown> | undefined): AssayError {
  const { status, headers } = response;
  const isFromService = typeof body?.error === "string";
  const code = isFromService ? (body.error as string) : "unexpected_status";
  const message =
    isFromService && typeof body.message === "string"
      ? body.message.slice(0, messageCharactersMax)
      : `The answer had status ${status}${isFromService ? "" : " and did not come from Assay"}.`;
  return new AssayError(message, {
    code,
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    isRetryable: isRetryableAnswer(status, code),
    retryAfterSeconds: parseRetryAfter(body, headers.get("retry-after")),
  });
}

function readAnswer(response: Response, text: string, answers: CallRequest["answers"]): RawAnswer {
  const { status, headers } = response;
  if (status === 204) return { status, body: undefined, headers };
  if (status === 200 && answers === "text") return { status, body: text, headers };
  const body = parseObject(text);
  if (status !== 200) throw readFailure(response, body);
  if (body) return { status, body, headers };
  // The call may have been billed, but a retry with the same key returns the same answer: retrying is safe.
  const requestId = headers.get("x-request-id") ?? undefined;
  throw new AssayError("The answer is not a JSON object.", { code: "unreadable_answer", status, requestId, isRetryable: true });
}

/**
 * Makes one request. Throws an AssayError, or the reason of the caller's signal. Redirects are not followed: they would
 * send the key to another host.
 */
export async function attemptCall(
  request: CallRequest,
  { fetch, timeoutMs, signal }: { fetch: Fetch; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<RawAnswer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const onAbort = () => controller.abort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { url, method, headers } = request;
    const body = request.body === undefined ? {} : { body: request.body };
    const response = await fetch(url, { method, headers, ...body, redirect: "manual", signal: controller.signal });
    return readAnswer(response, await readText(response), request.answers);
  } catch (error) {
    if (error instanceof AssayError) throw error;
    signal?.throwIfAborted();
    const fields = { status: 0, isRetryable: true };
    if (timedOut) throw new AssayError(`No complete answer within ${timeoutMs} ms.`, { ...fields, code: "timeout" }, { cause: error });
    throw new AssayError("The service could not be reached.", { ...fields, code: "network_failure" }, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // An answer that was not read to its end would keep its connection open.
    controller.abort();
  }
}
