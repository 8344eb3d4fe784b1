import type { FastifyReply } from "fastify";
import { hash } from "node:crypto";
import { Failure, paymentRequiredText, sessionTokenUsedText } from "../../failure/failure.ts";
import { type OnWaiterError, throwUncaught, type Waiter } from "../../store/waiter.ts";
import type { CallCharge, ChargeOutcome, Receipt } from "./charge-batch.ts";
import type { Charger } from "./charge-call.ts";
import type { ReadAnswer, StoredAnswer } from "./read-answer.ts";

const keyLengthMax = 255;
/** How long a duplicate waits for the first call's answer before it gets idempotency_in_progress. */
const duplicateWaitMsMax = 10_000;

/** `replayed`: the stored answer of an earlier call. */
export type BilledAnswer = { body: string; receipt: Receipt | undefined; replayed: boolean };

/** A call that was judged. The charge's `idempotency` is filled in here. */
type JudgedCall = { charge: CallCharge; body: string };

export type BillableCall = JudgedCall & {
  /** The same call judged without its token, in case its session was used. Without it the call then fails. */
  asserted?: (() => JudgedCall) | undefined;
  /**
   * Why the call cannot be charged. With a key its stored answer is looked up first; of the charge only the account, the mode
   * and the endpoint count.
   */
  refusal?: Failure | undefined;
  idempotencyKey: string | undefined;
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

/** Answers with a stored answer, to the same request only. */
function replay(stored: StoredAnswer, asked: { endpoint: string; input: string }, waiter: Waiter<BilledAnswer>): void {
  if (stored.endpoint !== asked.endpoint || stored.input !== asked.input) {
    waiter.fail(new Failure("idempotency_conflict", "This Idempotency-Key was used for another request. Use a new key."));
  } else {
    waiter.settle({ body: stored.body, receipt: stored.receipt, replayed: true });
  }
}

type Asserted = BillableCall["asserted"];

/** Turns the outcome of a charge into an answer. */
class UnkeyedCall implements Waiter<ChargeOutcome> {
  body: string;
  readonly waiter: Waiter<BilledAnswer>;
  readonly charger: Charger;
  asserted: Asserted;
  constructor(call: BillableCall, waiter: Waiter<BilledAnswer>, charger: Charger) {
    this.body = call.body;
    this.waiter = waiter;
    this.charger = charger;
    this.asserted = call.asserted;
  }

  settle(outcome: ChargeOutcome): void {
    if (outcome.kind === "refused") this.fail(paymentRequired());
    else if (outcome.kind === "used") this.chargeAsserted();
    else this.waiter.settle({ body: this.body, receipt: outcome.receipt, replayed: false });
  }

  fail(error: unknown): void {
    this.waiter.fail(error);
  }

  private chargeAsserted(): void {
    const judged = judgeAsserted(this);
    if (!judged) return;
    this.body = judged.body;
    this.charger.charge(judged.charge, this);
  }
}

/** Judges a call without its token, once. Undefined if it cannot be: then it has failed. */
function judgeAsserted(call: { asserted: Asserted; fail(error: unknown): void }): JudgedCall | undefined {
  const { asserted } = call;
  call.asserted = undefined;
  try {
    if (asserted) return asserted();
  } catch (error) {
    call.fail(error);
    return undefined;
  }
  call.fail(sessionTokenUsed());
  return undefined;
}

type Key = { keyHash: string; input: string; body: string };

const nothing: Key = { keyHash: "", input: "", body: "" };
const nobody: Waiter<BilledAnswer> = { settle() {}, fail() {} };

/** The calls under way on this node by the hashes of their keys, and what charges them. */
type Node = { charger: Charger; underWay: Map<string, KeyedCall> };

/** The first call with its key on this node, for as long as its charge is under way. */
class KeyedCall implements Waiter<ChargeOutcome> {
  readonly endpoint: string;
  key: Key;
  waiter: Waiter<BilledAnswer>;
  readonly node: Node;
  asserted: Asserted;
  /** Exists once a duplicate waits for it. */
  stored: PromiseWithResolvers<StoredAnswer> | undefined;
  constructor(call: BillableCall, key: Key, waiter: Waiter<BilledAnswer>, node: Node) {
    this.endpoint = call.charge.endpoint;
    this.key = key;
    this.waiter = waiter;
    this.node = node;
    this.asserted = call.asserted;
  }

  settle(outcome: ChargeOutcome): void {
    if (outcome.kind === "refused") {
      this.fail(paymentRequired());
      return;
    }
    if (outcome.kind === "used") {
      this.chargeAsserted();
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

  /** Under the same key: duplicates go on waiting. */
  private chargeAsserted(): void {
    const judged = judgeAsserted(this);
    if (!judged) return;
    const { charge, body } = judged;
    this.key = { ...this.key, body };
    charge.idempotency = this.key;
    this.node.charger.charge(charge, this);
  }

  /** Lets go of the call: the tables of a busy Map outlive what passes through it (see queues/fair-queue.ts). */
  private end(): void {
    this.node.underWay.delete(this.key.keyHash);
    this.key = nothing;
    this.waiter = nobody;
    this.asserted = undefined;
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

export type AnswerOnceOptions = {
  readAnswer: ReadAnswer;
  waitMsMax?: number;
  onWaiterError?: OnWaiterError;
};

/**
 * Bills a call once however often it is retried with the same key. A duplicate on the same node waits for the first
 * call's answer; the commit detects duplicates on other nodes.
 */
export function createAnswerOnce(charger: Charger, options: AnswerOnceOptions): AnswerOnce {
  const { readAnswer, waitMsMax = duplicateWaitMsMax, onWaiterError = throwUncaught } = options;
  const node: Node = { charger, underWay: new Map() };

  /** Answers with what is found, or fails. */
  function answerLater(found: Promise<StoredAnswer>, asked: { endpoint: string; input: string }, waiter: Waiter<BilledAnswer>): void {
    found.then((stored) => replay(stored, asked, waiter), (error: unknown) => waiter.fail(error)).catch(onWaiterError);
  }

  async function findAnswer(keyHash: string, refusal: Failure): Promise<StoredAnswer> {
    const stored = await readAnswer(keyHash);
    if (!stored) throw refusal;
    return stored;
  }

  function answerUnderKey(call: BillableCall, keyHash: string, waiter: Waiter<BilledAnswer>): void {
    const { charge, body, refusal } = call;
    const key = { keyHash, input: call.input(), body };
    const first = node.underWay.get(keyHash);
    if (first || refusal) {
      answerLater(first ? waitFor(first, waitMsMax) : findAnswer(keyHash, refusal!), { endpoint: charge.endpoint, input: key.input }, waiter);
      return;
    }
    charge.idempotency = key;
    const keyed = new KeyedCall(call, key, waiter, node);
    // Before the charge, which may be refused at once.
    node.underWay.set(keyHash, keyed);
    charger.charge(charge, keyed);
  }

  return (call, waiter) => {
    const { charge, idempotencyKey, refusal } = call;
    if (idempotencyKey !== undefined) answerUnderKey(call, shortHash(`${charge.accountId}\n${charge.mode}\n${idempotencyKey}`), waiter);
    else if (refusal) waiter.fail(refusal);
    else charger.charge(charge, new UnkeyedCall(call, waiter, charger));
  };
}

export function sendBilledAnswer(reply: FastifyReply, answer: BilledAnswer): FastifyReply {
  if (answer.receipt) reply.header("assay-receipt", answer.receipt);
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  return reply.header("content-type", "application/json; charset=utf-8").send(answer.body);
}
