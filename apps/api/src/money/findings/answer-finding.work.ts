import { createHash } from "node:crypto";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { lockChains } from "../ledger/append-entries.ts";
import { toBothSides } from "./finding-events.ts";
import { answerFinding, selectFinding } from "./findings.table.ts";

export type FindingAnswer = { findingId: string; accountId: string; text: string; nowMs: number };
export type AnswerOutcome = { kind: "answered" | "unchanged" | "unknown" | "already_closed" };

/** The last answer counts. Both sides are told of the first since the finding was opened, or opened again. */
export const work: TransactionWork<FindingAnswer, AnswerOutcome> = async (tx, answer) => {
  const { findingId, accountId, text, nowMs } = answer;
  await lockChains(tx, [accountId]);
  const [finding] = await tx.run(selectFinding(tx.db, findingId));
  if (finding?.account_id !== accountId) return { kind: "unknown" };
  if (finding.closed_at !== null) return { kind: "already_closed" };
  const isTold = finding.answered_at !== null && finding.answered_at >= finding.opened_at;
  if (isTold && finding.answer === text) return { kind: "unchanged" };
  await tx.change(answerFinding(tx.db, answer));
  if (!isTold) await writeEvents(tx, toBothSides({ type: "finding.answered", data: { account_id: accountId, finding_id: findingId } }), nowMs);
  const detail = { length: text.length, sha256: createHash("sha256").update(text).digest("hex") };
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "finding.answer", subject: findingId, accountId, detail, nowMs }));
  return { kind: "answered" };
};
