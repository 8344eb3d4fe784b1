import type { FastifyReply } from "fastify";
import { hash } from "node:crypto";
import { Failure, paymentRequiredText } from "../../failure/failure.ts";
import type { CallCharge, ChargeOutcome, Receipt } from "./charge-batch.ts";
import type { Charger } from "./charge-call.ts";

const keyLengthMax = 255;
/** How long a duplicate waits for the first call's answer before it gets idempotency_in_progress. */
const duplicateWaitMsMax = 10_000;

/** `replayed`: the stored answer of an earlier call. */
export type BilledAnswer = { body: string; receipt: Receipt | undefined; replayed: boolean };

export type BillableCall = {
  charge: Omit<CallCharge, "idempotency">;
  body: string;
  idempotencyKey: string | undefined;
  /** The request in canonical form, to detect the same key with another request. */
  input: () => string;
};

export type AnswerOnce = (call: BillableCall) => Promise<BilledAnswer>;

/** About 128 bits of SHA-256: half the index size, and still no collisions. */
const shortHash = (text: string) => hash("sha256", text, "base64url").slice(0, 22);

/** Parses the header: absent, or one value of 1 to 255 characters. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && header.length >= 1 && header.length <= keyLengthMax) return header;
  throw new Failure("invalid_request", `Idempotency-Key must have 1 to ${keyLengthMax} characters.`);
}

/** The account's prepaid money does not cover the call: nothing was billed. */
export const paymentRequired = (): Failure => new Failure("payment_required", paymentRequiredText);

type StoredAnswer = ChargeOutcome & { kind: "replayed" };

/** Returns a stored answer to the same request only. */
function replay(stored: StoredAnswer, asked: { endpoint: string; input: string }): BilledAnswer {
  if (stored.endpoint !== asked.endpoint || stored.input !== asked.input) {
    throw new Failure("idempotency_conflict", "This Idempotency-Key was used for another request. Use a new key.");
  }
  return { body: stored.body, receipt: stored.receipt, replayed: true };
}

/**
 * Bills a call once however often it is retried with the same key. A duplicate on the same node waits for the first
 * call's answer; the commit detects duplicates on other nodes.
 */
export function createAnswerOnce(charger: Charger, options: { waitMsMax?: number } = {}): AnswerOnce {
  const { waitMsMax = duplicateWaitMsMax } = options;
  const underWay = new Map<string, Promise<StoredAnswer>>();

  async function waitFor(first: Promise<StoredAnswer>): Promise<StoredAnswer> {
    const { promise: inProgress, reject } = Promise.withResolvers<never>();
    const refuse = () => reject(new Failure("idempotency_in_progress", "A call with this Idempotency-Key is under way. Try again in a second."));
    const timer = setTimeout(refuse, waitMsMax);
    try {
      return await Promise.race([first, inProgress]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function chargeUnderKey(call: BillableCall, keyHash: string): Promise<BilledAnswer> {
    const { endpoint } = call.charge;
    const input = call.input();
    const first = underWay.get(keyHash);
    if (first) return replay(await waitFor(first), { endpoint, input });
    const charged = charger.charge({ ...call.charge, idempotency: { keyHash, input, body: call.body } });
    const stored = charged.then((outcome): StoredAnswer => {
      if (outcome.kind === "refused") throw paymentRequired();
      return outcome.kind === "replayed" ? outcome : { kind: "replayed", endpoint, input, body: call.body, receipt: outcome.receipt };
    });
    underWay.set(keyHash, stored);
    try {
      const outcome = await charged;
      if (outcome.kind === "refused") throw paymentRequired();
      if (outcome.kind === "replayed") return replay(outcome, { endpoint, input });
      return { body: call.body, receipt: outcome.receipt, replayed: false };
    } finally {
      underWay.delete(keyHash);
      // Waiting duplicates handle the rejection themselves; without any, it was thrown above.
      stored.catch(() => {});
    }
  }

  return (call) => {
    const { charge, body, idempotencyKey } = call;
    if (idempotencyKey !== undefined) {
      return chargeUnderKey(call, shortHash(`${charge.accountId}\n${charge.mode}\n${idempotencyKey}`));
    }
    return charger.charge({ ...charge, idempotency: undefined }).then((outcome) => {
      if (outcome.kind === "refused") throw paymentRequired();
      return { body, receipt: outcome.receipt, replayed: false };
    });
  };
}

export function sendBilledAnswer(reply: FastifyReply, answer: BilledAnswer): FastifyReply {
  if (answer.receipt) reply.header("assay-receipt", answer.receipt);
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  return reply.header("content-type", "application/json; charset=utf-8").send(answer.body);
}
