/** What forgers send over HTTP: what a page sends, and what a developer's server sends. */
import type { BeatRequest } from "@assay/contract/attestation.ts";
import type { SessionData } from "@assay/contract/scoring.ts";
import { Agent, request } from "node:http";

type Answer = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };
type Headers = Record<string, string>;

/** Many sockets, because a forger opens as many as help. */
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

function send(url: string, { method = "POST", headers, body }: { method?: string; headers: Headers; body?: object }): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const text = body && JSON.stringify(body);
  const sent = request(url, { method, agent, headers: { ...headers, ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }) } }, (response) => {
    let received = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    response.once("end", () => resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(received) as Answer["body"] }));
    response.once("error", reject);
  });
  sent.once("error", reject);
  sent.end(text);
  return promise;
}

/**
 * Where a request comes from. `address`: what the trusted proxy in front of the service adds to X-Forwarded-For, after what
 * the sender wrote there itself (`forwarded`).
 */
export type Sender = { url: string; address: string; forwarded?: string; origin?: string };

const pageHeaders = ({ address, forwarded, origin }: Sender): Headers => ({
  "content-type": "text/plain;charset=UTF-8",
  "x-forwarded-for": forwarded === undefined ? address : `${forwarded}, ${address}`,
  ...(origin !== undefined && { origin }),
});

export type Session = { token: string; nextMs: number; /** Taken before the start was sent, so that nothing that the service measured lasted longer. */ askedMs: number };

/** Undefined if the service refuses. */
export async function begin(sender: Sender, siteId: string): Promise<Session | undefined> {
  const askedMs = performance.now();
  const { status, body } = await send(`${sender.url}/c/v1/start`, { headers: pageHeaders(sender), body: { site: siteId } });
  return status === 201 ? { token: body.token as string, nextMs: body.next_ms as number, askedMs } : undefined;
}

/** The next token, or the code of the refusal. */
export async function beat(sender: Sender, token: string, delta: BeatRequest["d"]): Promise<{ token: string } | { error: string }> {
  const { status, body } = await send(`${sender.url}/c/v1/beat`, { headers: pageHeaders(sender), body: { token, d: delta } });
  return status === 200 ? { token: body.token as string } : { error: String(body.error) };
}

/** What became of a scoring call with a token. `issues`: those of the answer, or the code of the refusal. */
export type Redeemed = { isAttested: boolean; isReplayed: boolean; issues: string[]; sessionId: string | undefined };

export async function redeem(url: string, call: { apiKey: string; token: string; signals: Partial<SessionData>; path?: string; idempotencyKey?: string }): Promise<Redeemed> {
  const { apiKey, token, signals, path = "/api/ml/predict", idempotencyKey } = call;
  const headers = { "x-api-key": apiKey, "content-type": "application/json", ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }) };
  const { status, headers: answered, body } = await send(url + path, { headers, body: { session_data: signals, session_token: token } });
  if (status !== 200) return { isAttested: false, isReplayed: false, issues: [String(body.error)], sessionId: undefined };
  return {
    isAttested: body.attestation === "server_timed",
    isReplayed: answered["idempotent-replayed"] !== undefined,
    issues: body.attestation_issues as string[],
    sessionId: body.session_id as string,
  };
}

/** The signals that the call was scored and recorded with. */
export async function readSignals(url: string, { apiKey, sessionId }: { apiKey: string; sessionId: string }): Promise<SessionData> {
  const { status, body } = await send(`${url}/api/sessions/${sessionId}`, { method: "GET", headers: { "x-api-key": apiKey } });
  if (status !== 200) throw new Error(`the record of ${sessionId} cannot be read: ${status}`);
  return body.signals as SessionData;
}

export const closeSockets = (): void => agent.destroy();
