import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./mails.table.ts";

export const samples = {
  insertMail: [
    {
      id: "mail_sample",
      account_id: accountId,
      kind: "reset",
      recipient: "sample@example.com",
      subject: "Reset your password",
      body_text: "",
      body_html: "",
      unsubscribe_url: null,
      state: "queued",
      attempts: 0,
      next_at: nowMs,
      lease: null,
      leased_until: 0,
      last_error: null,
      created_at: nowMs,
      done_at: null,
    },
  ],
  claimMail: [{ lease: "lease", nowMs, untilMs: nowMs + 90_000 }],
  markMailSent: [{ id: "mail_sample", lease: "lease", nowMs, keepContent: false }],
  markMailUnsent: [{ id: "mail_sample", lease: "lease", nowMs, nextMs: nowMs + 2_000, error: "ESOCKET" }],
  selectNextDue: [],
  selectNewestMails: [50],
  selectMail: ["mail_sample"],
  selectMailIdsOfAccount: [accountId],
  selectKnownMails: [["mail_sample"]],
  countMailsByState: [],
  selectFailedMails: [50],
  deleteMailsDoneBefore: [{ atMs: nowMs, limit: 2_000 }],
  deleteMailsOfAccount: [accountId],
} satisfies SamplesOf<typeof table>;
