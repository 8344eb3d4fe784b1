import { msPerSecond } from "../../formats/time.ts";
import type { Sealer } from "../../secrets/sealer.ts";
import type { Egress, EndpointOwner, PostOutcome } from "../egress/post-outwards.ts";
import { openSecret } from "../endpoints/endpoint-secret.ts";
import type { EndedAttempt } from "./mark-attempts.work.ts";
import { askedWaitMs, nextAttemptMs } from "./schedule-retry.ts";
import { bodyOf, signEvent } from "./sign-event.ts";
import type { WebhookKey } from "./webhook-key.ts";

/** An exchange ends after 10 s by itself. One that does not is given up, so that a place is never lost. */
export const postMsMax = 15 * msPerSecond;
/** The column is a column of text: what the receiver answered is kept up to this length, in bytes. */
const responseBytesMax = 4 * 1_024;

/** A delivery that this node has leased, with all that its attempt needs. */
export type Claimed = {
  endpoint_id: string;
  event_id: string;
  attempts: number;
  round_attempts: number;
  owner: EndpointOwner;
  url: string;
  secret: string;
  secret_previous: string | null;
  previous_until: number | null;
  event_audience: string | null;
  type: string | null;
  sequence: number | null;
  at: number | null;
  data: string | null;
};

/** `delivered`: 2xx. `rejected`: any other answer. `unreachable`: no answer. `refused`: an address that may not be asked. `unsendable`: nothing could be sent. */
export const attemptOutcomes = ["delivered", "rejected", "unreachable", "refused", "unsendable"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export type AttemptContext = {
  post: Egress["post"];
  sealer: Sealer;
  key: WebhookKey | undefined;
  nowMs: () => number;
  random: () => number;
};

/** The secrets that sign now, the current one first. During a rotation the previous one still does. Undefined if it cannot be read. */
function secretsOf({ endpoint_id: id, secret, secret_previous: previous, previous_until: untilMs }: Claimed, { sealer, nowMs }: AttemptContext): string[] | undefined {
  const current = openSecret(sealer, id, secret);
  if (current === undefined) return undefined;
  const isOverlap = previous !== null && untilMs !== null && nowMs() < untilMs;
  const before = isOverlap ? openSecret(sealer, id, previous) : undefined;
  return before === undefined ? [current] : [current, before];
}

/** PostgreSQL refuses NUL in texts. What is cut in the middle of a character loses that character. */
const toStored = (body: string): string =>
  new TextDecoder().decode(Buffer.from(body.replaceAll("\0", "")).subarray(0, responseBytesMax), { stream: true });

function describeOutcome(outcome: PostOutcome, nowMs: number) {
  if (outcome.kind !== "answered") {
    return { verdict: "failed" as const, outcome: outcome.kind === "refused" ? ("refused" as const) : ("unreachable" as const), status: null, error: outcome.reason as string, response: null, askedMs: 0 };
  }
  const { status, body } = outcome;
  const isDelivered = status >= 200 && status < 300;
  const verdict = isDelivered ? ("delivered" as const) : status === 410 ? ("gone" as const) : ("failed" as const);
  return { verdict, outcome: isDelivered ? ("delivered" as const) : ("rejected" as const), status, error: null, response: body === null ? null : toStored(body), askedMs: askedWaitMs(outcome, nowMs) };
}

async function postInTime(post: Egress["post"], request: Parameters<Egress["post"]>[0]): Promise<PostOutcome> {
  const { promise: late, resolve } = Promise.withResolvers<PostOutcome>();
  const timer = setTimeout(() => resolve({ kind: "failed", reason: "timeout", durationMs: postMsMax }), postMsMax);
  try {
    return await Promise.race([post(request), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes one attempt. It never throws because of the receiver. */
export async function attemptDelivery(claimed: Claimed, lease: string, context: AttemptContext): Promise<{ ended: EndedAttempt; outcome: AttemptOutcome }> {
  const { endpoint_id: endpointId, event_id: eventId, url, attempts, round_attempts: round, event_audience: account, type, sequence, at, data } = claimed;
  const { nowMs, random, post, key } = context;
  const none = { endpointId, eventId, lease, url, verdict: "unsendable" as const, status: null, row: undefined };
  if (account === null || type === null || sequence === null || at === null || data === null) {
    return { ended: { ...none, error: "event_expired", nextMs: undefined }, outcome: "unsendable" };
  }
  const secrets = secretsOf(claimed, context);
  if (secrets === undefined) {
    return { ended: { ...none, error: "secret_unreadable", nextMs: nextAttemptMs(round, { nowMs: nowMs(), random: random() }) }, outcome: "unsendable" };
  }
  const body = bodyOf({ id: eventId, type, sequence, at, account, data });
  const startedMs = nowMs();
  const signed = signEvent({ id: eventId, body, nowMs: startedMs }, { secrets, key });
  const headers = { "content-type": "application/json", "user-agent": "Assay-Webhooks/1", ...signed };
  const answer = await postInTime(post, { url, headers, body, owner: claimed.owner });
  const { verdict, outcome, status, error, response, askedMs } = describeOutcome(answer, nowMs());
  const nextMs = verdict !== "delivered" ? nextAttemptMs(round, { nowMs: nowMs(), random: random(), askedMs }) : undefined;
  const row = {
    endpoint_id: endpointId,
    event_id: eventId,
    attempt: attempts,
    at: startedMs,
    duration_ms: Math.round(answer.durationMs),
    url,
    signature: signed["webhook-signature"]!,
    status,
    error,
    response,
  };
  return { ended: { endpointId, eventId, lease, url, verdict, status, error, nextMs, row }, outcome };
}
