import type * as auth from "../../apps/api/src/accounts/auth.table.ts";
import type * as closures from "../../apps/api/src/accounts/closures.table.ts";
import type * as links from "../../apps/api/src/accounts/links.table.ts";
import type * as signIns from "../../apps/api/src/accounts/sign-ins.table.ts";
import type * as throttles from "../../apps/api/src/accounts/throttles.table.ts";
import type * as mails from "../../apps/api/src/mail/mails.table.ts";
import { accountId, nowMs, type Samples, type SamplesOf } from "./samples-of.ts";

const signIn = { column: "token", operator: "=", value: "token" } as const;
const link = { tokenHash: "hash", kind: "reset", nowMs } as const;
const throttle = { subject: "hash", tries: 1, since: nowMs, blocked_until: 0, updated_at: nowMs };

export const accountSamples: Samples = {
  "accounts/auth.table.ts": {
    insertAuthRow: [{ table: "sign_ins", row: { id: "sign_sample", token: "token", account_id: accountId } }],
    selectAuthRows: [{ table: "sign_ins", where: [signIn], limit: 1, newestFirst: true }],
    updateAuthRows: [
      { table: "second_factors", where: [{ column: "account_id", operator: "=", value: accountId }], set: { locked_until: null }, add: { failures: 1 } },
    ],
    deleteAuthRows: [{ table: "sign_in_challenges", where: [{ column: "expires_at", operator: "<", value: nowMs }] }],
    selectSignInAccount: [{ column: "email", value: "sample@example.com" }],
  } satisfies SamplesOf<typeof auth>,
  "accounts/closures.table.ts": {
    upsertClosure: [{ accountId, forfeited: false, nowMs }],
    closeAccountStatus: [accountId],
    revokeKeysOfAccount: [{ accountId, nowMs }],
    selectErasable: [100],
    eraseAccountRow: [accountId],
    eraseKeyNames: [accountId],
    deleteMailsOfAccount: [accountId],
    deletePayeeProfile: [accountId],
    markErased: [{ accountId, nowMs }],
  } satisfies SamplesOf<typeof closures>,
  "accounts/links.table.ts": {
    insertLink: [
      { token_hash: "hash", kind: "reset", account_id: accountId, email: "sample@example.com", browser_hash: null, created_at: nowMs, expires_at: nowMs, used_at: null },
    ],
    selectLink: [link],
    useLink: [link],
    deleteLinksOfAccount: [{ accountId, kinds: ["reset"] }],
    deleteLinksExpiredBefore: [nowMs],
  } satisfies SamplesOf<typeof links>,
  "accounts/sign-ins.table.ts": {
    selectSignIns: [{ accountId, nowMs, limit: 100 }],
    deleteSignIn: [{ accountId, id: "sign_sample" }],
    deleteSignIns: [{ accountId, exceptId: "sign_sample" }],
    deleteChallengesOfAccount: [accountId],
    deleteSecondFactor: [accountId],
    spendStep: [{ factorId: "auth_sample", step: 58_666_666 }],
    deleteSignInsExpiredBefore: [nowMs],
    deleteChallengesExpiredBefore: [nowMs],
  } satisfies SamplesOf<typeof signIns>,
  "accounts/throttles.table.ts": {
    selectThrottle: ["hash"],
    insertThrottle: [throttle],
    replaceThrottle: [{ before: throttle, after: { ...throttle, tries: 2 } }],
    deleteThrottles: [["hash"]],
    deleteThrottlesBefore: [nowMs],
  } satisfies SamplesOf<typeof throttles>,
  "mail/mails.table.ts": {
    insertMail: [
      {
        id: "mail_sample",
        account_id: accountId,
        kind: "reset",
        recipient: "sample@example.com",
        subject: "Choose a new password",
        body_text: "",
        body_html: "",
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
  } satisfies SamplesOf<typeof mails>,
};
