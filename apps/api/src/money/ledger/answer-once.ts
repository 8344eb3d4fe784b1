import { hash } from "node:crypto";
import { Failure } from "../../failure/failure.ts";
import type { CallCharge, ChargeOutcome, Receipt } from "./charge-batch.ts";
import type { Charger } from "./charge-call.ts";

const keyLengthMax = 255;
/** A duplicate waits so long for the first call's answer; then it is told to come again. */
const duplicateWaitMsMax = 10_000;

/** What leaves: the answer's text, the receipt, and whether it is a stored answer to an earlier call. */
export type BilledAnswer = { body: string; receipt: Receipt | undefined; replayed: boolean };

export type BillableCall = {
  charge: Omit<CallCharge, "idempotency">;
  body: string;
  /** As the caller sent it; undefined when absent. */
  idempotencyKey: string | undefined;
  /** The request's meaning as text, so that the same key with another request is found out. */
  input: () => string;
};

export type AnswerOnce = (call: BillableCall) => Promise<BilledAnswer>;

/** 128 bits of SHA-256: half the index, and still nothing that collides. */
const shortHash = (text: string) => hash("sha256", text, "base64url").slice(0, 22);

/** Parses the header: one value of 1 to 255 characters, or absent. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && header.length >= 1 && header.length <= keyLengthMax) return header;
  throw new Failure("invalid_request", `Idempotency-Key must have 1 to ${keyLengthMax} characters.`);
}

type StoredAnswer = ChargeOutcome & { kind: "replayed" };

/** A stored answer is given to the same request only. */
function replay(stored: StoredAnswer, asked: { endpoint: string; input: string }): BilledAnswer {
  if (stored.endpoint !== asked.endpoint || stored.input !== asked.input) {
    throw new Failure("idempotency_conflict", "This Idempotency-Key was used for another request. Use a new key.");
  }
  return { body: stored.body, receipt: stored.receipt, replayed: true };
}

/**
 * Bills a call once however often it comes with the same key. A duplicate on the same node waits for the
 * first call's answer; duplicates on different nodes are found inside the commit.
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
    const stored = charged.then((outcome): StoredAnswer =>
      outcome.kind === "replayed" ? outcome : { kind: "replayed", endpoint, input, body: call.body, receipt: outcome.receipt },
    );
    underWay.set(keyHash, stored);
    try {
      const outcome = await charged;
      if (outcome.kind === "replayed") return replay(outcome, { endpoint, input });
      return { body: call.body, receipt: outcome.receipt, replayed: false };
    } finally {
      underWay.delete(keyHash);
      // Whoever waits hears of a failure by itself; with nobody waiting it is heard of above.
      stored.catch(() => {});
    }
  }

  return (call) => {
    const { charge, body, idempotencyKey } = call;
    if (idempotencyKey !== undefined) {
      return chargeUnderKey(call, shortHash(`${charge.accountId}\n${charge.mode}\n${idempotencyKey}`));
    }
    return charger
      .charge({ ...charge, idempotency: undefined })
      .then(({ receipt }) => ({ body, receipt, replayed: false }));
  };
}
