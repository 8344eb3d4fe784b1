import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { Store } from "../store/store.ts";
import { insertMail } from "./mails.table.ts";

export type Mail = {
  /** Shown to operators, so without secrets and addresses. */
  kind: string;
  to: string;
  /** The mail is erased with this account's personal data. */
  accountId: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** Ends mails of this kind by a POST (RFC 8058). */
  unsubscribeUrl?: string | undefined;
};

/** A statement, so that the mail is queued in the same write as the change that it is about. */
export function queueMail(db: Store["db"], mail: Mail, nowMs: number) {
  return insertMail(db, {
    id: timeOrderedId("mail", nowMs),
    account_id: mail.accountId ?? null,
    kind: mail.kind,
    recipient: mail.to,
    subject: mail.subject,
    body_text: mail.text,
    body_html: mail.html,
    unsubscribe_url: mail.unsubscribeUrl ?? null,
    state: "queued",
    attempts: 0,
    next_at: nowMs,
    lease: null,
    leased_until: 0,
    last_error: null,
    created_at: nowMs,
    done_at: null,
  });
}
