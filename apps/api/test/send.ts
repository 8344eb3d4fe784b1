import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as received, byte for byte. */
  text: string;
  json(): Record<string, unknown>;
};

export type Sending = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  /** A string is sent as it is, any other value as JSON; undefined sends no body. */
  body?: unknown;
};

export const goodSignals = {
  user_engagement: 0.75,
  session_duration: 180,
  scroll_depth: 0.8,
  interaction_count: 12,
  page_views: 5,
  return_visitor: true,
};
export const goodBody = { session_data: goodSignals };

/** One request over a real socket. */
export function send(service: { url: string }, path: string, { method = "GET", headers = {}, body }: Sending = {}): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(service.url + path, {
      method,
      headers: { ...(text !== undefined && { "content-length": Buffer.byteLength(text) }), ...headers },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      let received = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        received += chunk;
      });
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: received,
          json: () => JSON.parse(received) as Record<string, unknown>,
        }),
      );
    });
    outgoing.end(text);
  });
}

/** A scoring call; every part of it can be overridden. */
export function predict(
  service: { url: string },
  key: string | undefined,
  { body = goodBody, headers = {}, path = "/api/ml/predict" }: { body?: unknown; headers?: OutgoingHttpHeaders; path?: string } = {},
): Promise<Answer> {
  return send(service, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }), ...headers },
    body,
  });
}

/** Resolves as soon as the condition holds; throws if it does not within `msMax`. */
export async function waitUntil(condition: () => Promise<boolean> | boolean, what: string, msMax = 60_000): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out after ${msMax} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
