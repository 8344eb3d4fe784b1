import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { findingOpenedMail } from "./finding-mails.ts";
import { reopenFinding, selectFinding, selectOpenFindings } from "./findings.table.ts";

export type ReopenFinding = { findingId: string; reason: string; actorAccountId: string | null; fourEyes: boolean; nowMs: number };
export type ReopenOutcome = { kind: "reopened" | "unknown" | "not_closed" | "another_open" | "own_account" };

/** Takes a decision back. What was reversed stays reversed. */
export const work: TransactionWork<ReopenFinding, ReopenOutcome> = async (tx, change) => {
  const { findingId, reason, actorAccountId, nowMs } = change;
  const [known] = await tx.run(selectFinding(tx.db, findingId));
  if (!known) return { kind: "unknown" };
  const accountId = known.account_id;
  const heads = await lockForDecision(tx, change, [accountId]);
  const own = await findOwnInterest(tx, heads, change, accountId);
  if (own !== null) return { kind: own };
  const finding = (await tx.run(selectFinding(tx.db, findingId)))[0]!;
  if (finding.closed_at === null) return { kind: "not_closed" };
  const open = await tx.run(selectOpenFindings(tx.db, accountId));
  if (open.some(({ code }) => code === finding.code)) return { kind: "another_open" };
  await tx.change(reopenFinding(tx.db, { findingId, nowMs }));
  const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
  const mail = findingOpenedMail({ to: account!.email, accountId }, { code: finding.code, detail: `${finding.detail} Reason: ${reason}`, isReopened: true });
  await tx.change(queueMail(tx.db, mail, nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "finding.decided", data: { account_id: accountId, finding_id: findingId, decision: "reopened" } }], nowMs);
  const detail = { reason, decision: finding.decision };
  await tx.change(noteAction(tx.db, { actorAccountId, action: "finding.reopen", subject: findingId, accountId, detail, nowMs }));
  return { kind: "reopened" };
};
