import { queueMail } from "../../mail/queue-mail.ts";
import type { TransactionWork } from "../../store/store.ts";
import { advanceNoticeCursor } from "../../webhooks/events/notices.table.ts";
import { noticeMail, type NoticeSettings } from "./notice-mail.ts";
import { planDigest } from "./plan-digest.ts";
import { readPending } from "./read-pending.ts";

export type SendNotice = NoticeSettings & { audience: string; nowMs: number };
/** `isMore`: there are events that were not looked at. */
export type SentNotice = { mails: number; isMore: boolean };

/**
 * Queues an audience's digests and moves its cursor, or does neither. Two nodes wait for each other at the accounts' rows
 * and the cursor's, so the second one finds nothing left.
 */
export const work: TransactionWork<SendNotice, SentNotice> = async (tx, { audience, nowMs, publicUrl, unsubscribeKey }) => {
  const nothing = { mails: 0, isMore: false };
  const pending = await readPending(tx, { audience, isLocked: true });
  if (!pending) return nothing;
  const plan = planDigest(pending, nowMs);
  if (plan.kind === "wait") return nothing;
  const digests = plan.kind === "mail" ? plan.digests : [];
  for (const digest of digests) await tx.change(queueMail(tx.db, noticeMail(digest, pending.audience, { publicUrl, unsubscribeKey }), nowMs));
  await tx.change(advanceNoticeCursor(tx.db, { audience, toSequence: plan.toSequence, mailedMs: digests.length > 0 ? nowMs : undefined }));
  return { mails: digests.length, isMore: pending.isMore && digests.length === 0 };
};
