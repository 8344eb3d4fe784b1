import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { type Reversed, reverseDaysIn, reverseSessionsIn } from "../days/reverse-calls.work.ts";
import { findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import type { LockedHeads } from "../ledger/append-entries.ts";
import { daysOf, type StoredFinding } from "./describe-finding.ts";
import { acceptEveryMs, isAboutClicks, isAcceptable } from "./finding-codes.ts";
import { type FindingDecision, findingDecidedMail } from "./finding-mails.ts";
import { closeFinding, selectFinding, selectLastDecision } from "./findings.table.ts";

export type ReversedSums = { calls: number; developerMicroUsd: number };

export type FindingClosing = {
  findingId: string;
  decision: FindingDecision;
  reason: string;
  reverse: "sessions" | "days" | "nothing";
  /** Sessions of pending days. More than one transaction takes come in parts: the finding stays open until the last one. */
  sessionIds: string[];
  isLastPart: boolean;
  /** What earlier parts reversed. */
  reversedBefore: ReversedSums;
  /** The account that accepts; null for an operator's decision. */
  acceptedBy: string | null;
  actorAccountId: string | null;
  fourEyes: boolean;
  nowMs: number;
};

export type ClosingRefusal = "unknown" | "already_closed" | "own_account" | "not_about_calls" | "not_acceptable" | "accepted_before";
export type ClosingOutcome = { kind: "closed" | "part_reversed"; reversed: ReversedSums } | { kind: ClosingRefusal };

/** Confirmed and running days, and calls that were reversed before, are passed over. */
function reverseIn(tx: Transaction, heads: LockedHeads, finding: StoredFinding, closing: FindingClosing): Promise<Reversed> | undefined {
  const { reverse, sessionIds, reason, actorAccountId, nowMs } = closing;
  const order = { accountId: finding.account_id, reason, findingId: finding.id, actorAccountId, nowMs };
  if (reverse === "days") return reverseDaysIn(tx, heads, { ...order, days: daysOf(finding).map((day) => Date.parse(day)) });
  return reverse === "sessions" && sessionIds.length > 0 ? reverseSessionsIn(tx, heads, { ...order, sessionIds }) : undefined;
}

/** Why a finding cannot be closed like this. What is read here is stable under the lock of the account's chain. */
async function findRefusal(tx: Transaction, finding: StoredFinding, closing: FindingClosing): Promise<ClosingRefusal | undefined> {
  if (finding.closed_at !== null) return "already_closed";
  if (closing.acceptedBy === null) return closing.reverse !== "nothing" && isAboutClicks(finding.code) ? "not_about_calls" : undefined;
  if (!isAcceptable(finding.code)) return "not_acceptable";
  const [last] = await tx.run(selectLastDecision(tx.db, finding.account_id));
  const acceptedAt = last?.accepted_at ?? null;
  return acceptedAt !== null && acceptedAt > closing.nowMs - acceptEveryMs ? "accepted_before" : undefined;
}

/** Decides an open finding, and reverses what it is about, in one transaction under the lock of the account's chain. */
export const work: TransactionWork<FindingClosing, ClosingOutcome> = async (tx, closing) => {
  const { findingId, decision, reason, acceptedBy, actorAccountId, nowMs, reversedBefore } = closing;
  const [known] = await tx.run(selectFinding(tx.db, findingId));
  if (!known || (acceptedBy !== null && known.account_id !== acceptedBy)) return { kind: "unknown" };
  const accountId = known.account_id;
  // Accepting is the account's own doing.
  const actor = { actorAccountId, fourEyes: acceptedBy === null && closing.fourEyes };
  const heads = await lockForDecision(tx, actor, [accountId]);
  const own = await findOwnInterest(tx, heads, actor, accountId);
  if (own !== null) return { kind: own };
  const finding = (await tx.run(selectFinding(tx.db, findingId)))[0]!;
  const refusal = await findRefusal(tx, finding, closing);
  if (refusal !== undefined) return { kind: refusal };
  const part = await reverseIn(tx, heads, finding, closing);
  const reversed = { calls: reversedBefore.calls + (part?.calls ?? 0), developerMicroUsd: reversedBefore.developerMicroUsd + (part?.developerMicroUsd ?? 0) };
  const notes = part?.notes ?? [];
  if (!closing.isLastPart) {
    if (notes.length > 0) await tx.change(noteActions(tx.db, notes));
    return { kind: "part_reversed", reversed };
  }
  await tx.change(closeFinding(tx.db, { findingId, decision, decidedBy: actorAccountId, resolution: reason, nowMs }));
  const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
  const outcome = { code: finding.code, decision, reason, reversedCalls: reversed.calls, reversedMicroUsd: reversed.developerMicroUsd };
  await tx.change(queueMail(tx.db, findingDecidedMail({ to: account!.email, accountId }, outcome), nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "finding.decided", data: { account_id: accountId, finding_id: findingId, decision } }], nowMs);
  const detail = { decision, reason, reverse: closing.reverse, reversed_calls: reversed.calls, reversed_developer_micro: reversed.developerMicroUsd };
  const action = decision === "accepted" ? "finding.accept" : "finding.decide";
  await tx.change(noteActions(tx.db, [...notes, { actorAccountId, action, subject: findingId, accountId, detail, nowMs }]));
  return { kind: "closed", reversed };
};
