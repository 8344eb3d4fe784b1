import { Failure } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import { parseDay } from "../days/day-refs.ts";
import type { AnswerOutcome, FindingAnswer } from "./answer-finding.work.ts";
import type { ClosingOutcome, ClosingRefusal, FindingClosing } from "./close-finding.work.ts";
import type { OpenFindingOrder, OpenFindingOutcome } from "./open-finding.work.ts";
import type { ReopenFinding, ReopenOutcome } from "./reopen-finding.work.ts";

const answerModule = new URL("./answer-finding.work.ts", import.meta.url);
const openModule = new URL("./open-finding.work.ts", import.meta.url);
const closeModule = new URL("./close-finding.work.ts", import.meta.url);
const reopenModule = new URL("./reopen-finding.work.ts", import.meta.url);

type Refusal = ClosingRefusal | Exclude<OpenFindingOutcome["kind"], "opened"> | Exclude<ReopenOutcome["kind"], "reopened">;

export const findingRefusalTexts: Record<Refusal, string> = {
  unknown: "No finding has this id.",
  unknown_account: "No account has this id.",
  already_open: "An operator's finding is already open on this account.",
  already_closed: "The finding is closed.",
  not_closed: "The finding is open.",
  another_open: "Another finding of the same kind is open on this account.",
  own_account: "You cannot decide about your own account, or one that names the same payee.",
  not_about_calls: "The finding is not about calls: no calls can be reversed for it.",
  not_acceptable: "A finding of this kind cannot be accepted: it needs an operator's decision.",
  accepted_before: "A finding was accepted within the last 12 months: this one needs an operator's decision.",
};

function refuse(kind: Refusal): never {
  const isUnknown = kind === "unknown" || kind === "unknown_account";
  throw new Failure(isUnknown ? "not_found" : "invalid_request", findingRefusalTexts[kind]);
}

export async function openOperatorFinding(store: Store, order: OpenFindingOrder): Promise<{ findingId: string }> {
  const wrong = order.days.find((day) => parseDay(day) === undefined);
  if (wrong !== undefined) throw new Failure("invalid_request", `${wrong} is not a day.`);
  const outcome = await store.transact<OpenFindingOrder, OpenFindingOutcome>(openModule, order);
  return outcome.kind === "opened" ? { findingId: outcome.findingId } : refuse(outcome.kind);
}

export async function reopenFinding(store: Store, change: ReopenFinding): Promise<void> {
  const { kind } = await store.transact<ReopenFinding, ReopenOutcome>(reopenModule, change);
  if (kind !== "reopened") refuse(kind);
}

/** One part of a decision or acceptance: scoring/traffic/close-finding.ts says which sessions belong to it. */
export async function closeFindingPart(store: Store, closing: FindingClosing): Promise<Extract<ClosingOutcome, { reversed: unknown }>> {
  const outcome = await store.transact<FindingClosing, ClosingOutcome>(closeModule, closing);
  return outcome.kind === "closed" || outcome.kind === "part_reversed" ? outcome : refuse(outcome.kind);
}

/** The last answer counts. The audit log keeps its hash and length: the text itself is erased with the account. */
export async function answerOwnFinding(store: Store, answer: FindingAnswer): Promise<void> {
  const { kind } = await store.transact<FindingAnswer, AnswerOutcome>(answerModule, answer);
  if (kind === "unknown" || kind === "already_closed") refuse(kind);
}
