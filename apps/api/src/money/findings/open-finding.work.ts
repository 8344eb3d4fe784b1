import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { exampleSessionsMax, findingDaysMax, operatorCode } from "./finding-codes.ts";
import { toBothSides } from "./finding-events.ts";
import { findingOpenedMail } from "./finding-mails.ts";
import { openFinding } from "./findings.table.ts";

export type NewFinding = {
  accountId: string;
  code: string;
  detail: string;
  statistic: number | null;
  threshold: number | null;
  /** As YYYY-MM-DD. */
  days: readonly string[];
  sessions: readonly string[];
  openedBy: string | null;
  nowMs: number;
};

/**
 * Opens a finding, queues its mail, and returns its id and its audit note, which the caller writes last; undefined where
 * one of the same code is open. The caller has locked the account's chain: a payout step that found no finding has
 * finished, and every later one finds this one.
 */
export async function openFindingIn(tx: Transaction, finding: NewFinding & { email: string }) {
  const { accountId, code, detail, statistic, threshold, openedBy, nowMs } = finding;
  const id = timeOrderedId("find", nowMs);
  const row = { id, account_id: accountId, code, detail, statistic, threshold, opened_at: nowMs, opened_by: openedBy, closed_at: null, resolution: null };
  const days = JSON.stringify(finding.days.slice(-findingDaysMax));
  const sessions = JSON.stringify(finding.sessions.slice(0, exampleSessionsMax));
  if ((await tx.change(openFinding(tx.db, { ...row, days, sessions }))) === 0) return undefined;
  await tx.change(queueMail(tx.db, findingOpenedMail({ to: finding.email, accountId }, { code, detail, isReopened: false }), nowMs));
  await writeEvents(tx, toBothSides({ type: "finding.opened", data: { account_id: accountId, finding_id: id, check: code } }), nowMs);
  const note = { actorAccountId: openedBy, action: "finding.open", subject: id, accountId, detail: { code, statistic, days: finding.days }, nowMs };
  return { id, note };
}

/** By an operator, who must not be the account's own under four eyes. */
export type OpenFindingOrder = { accountId: string; reason: string; days: string[]; actorAccountId: string | null; fourEyes: boolean; nowMs: number };
export type OpenFindingOutcome = { kind: "opened"; findingId: string } | { kind: "unknown_account" | "already_open" | "own_account" };

export const work: TransactionWork<OpenFindingOrder, OpenFindingOutcome> = async (tx, order) => {
  const { accountId, reason, days, actorAccountId, nowMs } = order;
  const [known] = await tx.run(selectOwnAccount(tx.db, accountId));
  if (!known) return { kind: "unknown_account" };
  const heads = await lockForDecision(tx, order, [accountId]);
  const own = await findOwnInterest(tx, heads, order, accountId);
  if (own !== null) return { kind: own };
  const finding = { accountId, code: operatorCode, detail: reason, statistic: null, threshold: null, days, sessions: [], openedBy: actorAccountId, nowMs };
  const opened = await openFindingIn(tx, { ...finding, email: known.email });
  if (!opened) return { kind: "already_open" };
  await tx.change(noteActions(tx.db, [opened.note]));
  return { kind: "opened", findingId: opened.id };
};
