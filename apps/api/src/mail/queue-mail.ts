import type { Store } from "../store/store.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { insertMail } from "./mails.table.ts";

/** A mail as the room that wants it sent writes it. */
export type Mail = {
  /** Names the kind of mail to operators; no secret, no address. */
  kind: string;
  to: string;
  /** Whose mail it is: it goes when the account's personal data does. */
  accountId: string | undefined;
  subject: string;
  text: string;
  html: string;
};

/** The statement that puts a mail into the outbox: write it together with what the mail is about. */
export function queueMail(db: Store["db"], mail: Mail, nowMs: number) {
  return insertMail(db, {
    id: timeOrderedId("mail", nowMs),
    account_id: mail.accountId ?? null,
    kind: mail.kind,
    recipient: mail.to,
    subject: mail.subject,
    body_text: mail.text,
    body_html: mail.html,
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
