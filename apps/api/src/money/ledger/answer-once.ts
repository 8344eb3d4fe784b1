import type { FastifyReply } from "fastify";
import { hash } from "node:crypto";
import { Failure, paymentRequiredText, sessionTokenUsedText } from "../../failure/failure.ts";
import { type OnWaiterError, throwUncaught, type Waiter } from "../../store/waiter.ts";
import type { CallCharge, ChargeOutcome, Receipt } from "./charge-batch.ts";
import type { Charger } from "./charge-call.ts";

const keyLengthMax = 255;
/** How long a duplicate waits for the first call's answer before it gets idempotency_in_progress. */
const duplicateWaitMsMax = 10_000;

/** `replayed`: the stored answer of an earlier call. */
export type BilledAnswer = { body: string; receipt: Receipt | undefined; replayed: boolean };

export type BillableCall = {
  /** Its `idempotency` is filled in here. */
  charge: CallCharge;
  body: string;
  idempotencyKey: string | undefined;
  /** The same call without its token, for a session that was used already. */
  asserted?: () => { charge: CallCharge; body: string };
  /** Nothing is charged: the call is answered with its stored answer, or with this. */
  refusal?: Failure;
  /** The request in canonical form, to detect the same key with another request. */
  input: () => string;
};

export type AnswerOnce = (call: BillableCall, waiter: Waiter<BilledAnswer>) => void;

/** About 128 bits of SHA-256: half the index size, and still no collisions. */
const shortHash = (text: string) => hash("sha256", text, "base64url").slice(0, 22);

/** A header that is absent, or one value of 1 to 255 characters. */
export const hasValidKey = (header: string | string[] | undefined): header is string | undefined =>
  header === undefined || (typeof header === "string" && header.length >= 1 && header.length <= keyLengthMax);

export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (hasValidKey(header)) return header;
  throw new Failure("invalid_request", `Idempotency-Key must have 1 to ${keyLengthMax} characters.`);
}

/** The account's prepaid money does not cover the call: nothing was billed. */
export const paymentRequired = (): Failure => new Failure("payment_required", paymentRequiredText);

/** The session was used for another attested call, and the call has no signals of its own: nothing was billed. */
export const sessionTokenUsed = (): Failure => new Failure("session_token_used", sessionTokenUsedText);

type StoredAnswer = ChargeOutcome & { kind: "replayed" };

/** Answers with a stored answer, to the same request only. */
function replay(stored: StoredAnswer, asked: { endpoint: string; input: string }, waiter: Waiter<BilledAnswer>): void {
  if (stored.endpoint !== asked.endpoint || stored.input !== asked.input) {
    waiter.fail(new Failure("idempotency_conflict", "This Idempotency-Key was used for another request. Use a new key."));
  } else {
    waiter.settle({ body: stored.body, receipt: stored.receipt, replayed: true });
  }
}

/** Turns the outcome of a charge into an answer. */
class UnkeyedCall implements Waiter<ChargeOutcome> {
  readonly body: string;
  readonly waiter: Waiter<BilledAnswer>;
  constructor(body: string, waiter: Waiter<BilledAnswer>) {
    this.body = body;
    this.waiter = waiter;
  }

  settle(outcome: ChargeOutcome): void {
    if (outcome.kind === "refused") this.waiter.fail(paymentRequired());
    else if (outcome.kind === "used") this.waiter.fail(sessionTokenUsed());
    else this.waiter.settle({ body: this.body, receipt: outcome.receipt, replayed: false });
  }

  fail(error: unknown): void {
    this.waiter.fail(error);
  }
}

type Key = { keyHash: string; input: string; body: string };

const nothing: Key = { keyHash: "", input: "", body: "" };
const nobody: Waiter<BilledAnswer> = { settle() {}, fail() {} };

/** The first call with its key on this node, for as long as its charge is under way. */
class KeyedCall implements Waiter<ChargeOutcome> {
  readonly endpoint: string;
  key: Key;
  waiter: Waiter<BilledAnswer>;
  readonly underWay: Map<string, KeyedCall>;
  /** Exists once a duplicate waits for it. */
  stored: PromiseWithResolvers<StoredAnswer> | undefined;
  constructor(endpoint: string, key: Key, waiter: Waiter<BilledAnswer>, underWay: Map<string, KeyedCall>) {
    this.endpoint = endpoint;
    this.key = key;
    this.waiter = waiter;
    this.underWay = underWay;
  }

  settle(outcome: ChargeOutcome): void {
    if (outcome.kind === "refused") {
      this.fail(paymentRequired());
      return;
    }
    if (outcome.kind === "used") {
      this.fail(sessionTokenUsed());
      return;
    }
    const { key, waiter } = this;
    const { input, body } = key;
    const { receipt } = outcome;
    this.end();
    this.stored?.resolve(outcome.kind === "replayed" ? outcome : { kind: "replayed", endpoint: this.endpoint, input, body, receipt });
    if (outcome.kind === "replayed") replay(outcome, { endpoint: this.endpoint, input }, waiter);
    else waiter.settle({ body, receipt, replayed: false });
  }

  fail(error: unknown): void {
    const { waiter } = this;
    this.end();
    this.stored?.reject(error);
    waiter.fail(error);
  }

  /** Lets go of the call: the tables of a busy Map outlive what passes through it (see queues/fair-queue.ts). */
  private end(): void {
    this.underWay.delete(this.key.keyHash);
    this.key = nothing;
    this.waiter = nobody;
  }
}

/** Resolves with the first call's answer, or rejects once the duplicate has waited too long. */
async function waitFor(first: KeyedCall, waitMsMax: number): Promise<StoredAnswer> {
  first.stored ??= Promise.withResolvers();
  const { promise: inProgress, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new Failure("idempotency_in_progress", "A call with this Idempotency-Key is under way. Try again in a second."));
  const timer = setTimeout(refuse, waitMsMax);
  try {
    return await Promise.race([first.stored.promise, inProgress]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Bills a call once however often it is retried with the same key. A duplicate on the same node waits for the first
 * call's answer; the commit detects duplicates on other nodes.
 */
export function createAnswerOnce(charger: Charger, options: { waitMsMax?: number; onWaiterError?: OnWaiterError } = {}): AnswerOnce {
  const { waitMsMax = duplicateWaitMsMax, onWaiterError = throwUncaught } = options;
  const underWay = new Map<string, KeyedCall>();

  function chargeUnderKey({ charge, body, input }: BillableCall, keyHash: string, waiter: Waiter<BilledAnswer>): void {
    const key = { keyHash, input: input(), body };
    const first = underWay.get(keyHash);
    if (first) {
      const asked = { endpoint: charge.endpoint, input: key.input };
      waitFor(first, waitMsMax).then((stored) => replay(stored, asked, waiter), (error: unknown) => waiter.fail(error)).catch(onWaiterError);
      return;
    }
    charge.idempotency = key;
    const call = new KeyedCall(charge.endpoint, key, waiter, underWay);
    // Before the charge, which may be refused at once.
    underWay.set(keyHash, call);
    charger.charge(charge, call);
  }

  return (call, waiter) => {
    const { charge, body, idempotencyKey } = call;
    if (idempotencyKey === undefined) charger.charge(charge, new UnkeyedCall(body, waiter));
    else chargeUnderKey(call, shortHash(`${charge.accountId}\n${charge.mode}\n${idempotencyKey}`), waiter);
  };
}

export function sendBilledAnswer(reply: FastifyReply, answer: BilledAnswer): FastifyReply {
  if (answer.receipt) reply.header("assay-receipt", answer.receipt);
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  return reply.header("content-type", "application/json; charset=utf-8").send(answer.body);
}
