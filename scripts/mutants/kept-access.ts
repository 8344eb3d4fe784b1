import type { FaultsByTest } from "./locate.ts";

export const accessFaults: FaultsByTest = {
  "apps/api/src/access/keys/authenticate-key.test.ts": {
    "checks every key against the store while the revocation feed is more than a second stale [threat: revoked-key]": [
      { means: "revoked keys work", in: "apps/api/src/access/keys/authenticate-key.ts", function: "createAuthenticator", change: ["without", "row.revoked_at"] },
      { means: "a feed of 4.5 seconds' age is trusted", in: "apps/api/src/access/keys/authenticate-key.ts", function: "feedAgeMsMax", change: ["replace", "1_000", "4_500"] },
    ],
    "delivers revoked keys and suspended or resumed accounts, and affects no other account": [
      { means: "keys of suspended accounts work", in: "apps/api/src/access/keys/authenticate-key.ts", function: "createAuthenticator", change: ["without", "row.status"] },
    ],
    "refuses a cached key from the moment it expires": [
      { means: "expired keys work", in: "apps/api/src/access/keys/authenticate-key.ts", function: "createAuthenticator", change: ["never", "caller.expiresAtMs"] },
      { means: "cached keys are not checked for expiry", in: "apps/api/src/access/keys/authenticate-key.ts", function: "createAuthenticator", change: ["replace", "unlessExpired(known)", "known"] },
    ],
    "does not cache a look-up that began before a change": [
      { means: "a look-up that began before a revocation is cached after it", in: "apps/api/src/access/keys/authenticate-key.ts", function: "lookUp", change: ["compare", "==="] },
    ],
  },
  "apps/api/src/access/keys/follow-key-changes.test.ts": {
    "forgets everything when changes were deleted before this node saw them": [
      { means: "an epoch gap is taken for an ordinary change", in: "apps/api/src/access/keys/follow-key-changes.ts", function: "followKeyChanges", change: ["replace", "seq === seen + 1 ? subject : \"*\"", "subject"] },
    ],
  },
  "apps/api/src/access/keys/rotate-key.test.ts": {
    "replaces it once, and tells every node that its time is limited": [
      { means: "a rotated key is not announced", in: "apps/api/src/access/keys/rotate-key.work.ts", function: "work", change: ["replace", "announceChange(tx.db, { subject: `key:${old.key_hash}`, nowMs })", "[]"] },
      { means: "a replaced key can be replaced again", in: "apps/api/src/access/keys/keys.table.ts", function: "replaceKey", change: ["unchain", "replaced_by"] },
    ],
  },
  "apps/api/src/access/keys/key-format.test.ts": {
    "is malformed with one character changed": [
      { means: "a key's checksum is not checked", in: "apps/api/src/access/keys/key-format.ts", function: "isWellFormedKey", change: ["replace", "checksumOf(text.slice(0, end)) === text.slice(end)", "true"] },
    ],
  },
  "apps/api/test/limits-over-http.test.ts": {
    "refuse calls beyond the burst limit with a 429 that names the limit and the wait [threat: exceeded-limit]": [
      { means: "refused calls go on", in: "apps/api/src/access/guard-call.ts", function: "guardCall", change: ["replace", "done(refusalOf(request.caller, outcome))", "done()"] },
    ],
  },
  "apps/api/src/http/refusals.test.ts": {
    "gets the same 401 for every kind of invalid key [threat: guessed-key]": [
      { means: "a call without a key goes on", in: "apps/api/src/access/guard-call.ts", function: "guardCall", change: ["replace", "done(invalidKey)", "done()"] },
    ],
  },
  "apps/api/src/access/limits/memory-limiter.test.ts": {
    "agrees with a plain log of calls for all quotas and times": [
      { means: "the hourly limit is not checked", in: "apps/api/src/access/limits/memory-limiter.ts", function: "createMemoryLimiter", change: ["without", "hour.used < quota.perHour"] },
      { means: "the burst limit is not checked", in: "apps/api/src/access/limits/memory-limiter.ts", function: "createMemoryLimiter", change: ["without", "burst.used < quota.perMinute"] },
      { means: "one call more than the limit passes", in: "apps/api/src/access/limits/memory-limiter.ts", function: "createMemoryLimiter", change: ["compare", "quota.perHour"] },
    ],
  },
  "apps/api/src/access/limits/take-script.test.ts": {
    "agrees with a plain log of calls for all quotas and times": [
      { means: "Redis grants what its windows do not hold", in: "apps/api/src/access/limits/take-script.ts", function: "takeCalls", change: ["text", "math.min(asked, hourLimit - hUsed, burstLimit - bUsed)", "math.min(asked, hourLimit - hUsed)"], needs: "redis" },
    ],
  },
  "apps/api/src/access/limits/redis-limiter.test.ts": {
    "without Redis the node counts by itself, and a Redis that returns empty grants no quota twice": [
      { means: "a Redis that came back empty grants everything again", in: "apps/api/src/access/limits/shard-state.ts", function: "createShardStates", change: ["drop", "state.distrustUntilMs"], needs: "redis" },
    ],
    "two nodes together grant exactly the limit to concurrent calls": [
      { means: "calls that Redis granted are not counted in memory", in: "apps/api/src/access/limits/redis-limiter.ts", function: "createRedisLimiter", change: ["drop", "memory.record"], needs: "redis" },
    ],
  },
  "apps/api/src/people/sign-in.test.ts": {
    "answers a sign-up with a registered address byte for byte like any other, changes nothing and mails its owner [threat: account-enumeration]": [
      { means: "any password opens an account", in: "apps/api/src/people/sign-in.ts", function: "checkSignIn", change: ["without", "isRight"] },
    ],
    "refuses a wrong password, an unknown address and an unverified one with the same answer [threat: account-enumeration]": [
      { means: "an unverified address signs in", in: "apps/api/src/people/sign-in.ts", function: "checkSignIn", change: ["without", "account.verified_at"] },
    ],
    "an unknown or expired link verifies nothing": [
      { means: "expired links work", in: "apps/api/src/people/links.table.ts", function: "selectLink", change: ["unchain", "expires_at"] },
    ],
    "refuses changes from another or an unknown origin (CSRF)": [
      { means: "another site may change things", in: "apps/api/src/people/require-sign-in.ts", function: "refuseOtherOrigins", change: ["drop", "isSameOrigin"] },
      { means: "a request without an origin may change things", in: "apps/api/src/people/require-sign-in.ts", function: "isSameOrigin", change: ["replace", "site === \"same-origin\"", "true"] },
    ],
  },
  "apps/api/src/people/throttle.test.ts": {
    "ignores forged X-Forwarded-For and similar headers, and refuses the right password too [threat: guessed-password]": [
      { means: "sign-ins are not throttled", in: "apps/api/src/people/sign-in.ts", function: "checkSignIn", change: ["drop", "context.throttle.takeSignIn"] },
    ],
  },
  "apps/api/src/people/security.test.ts": {
    "a password change signs out every other browser, invalidates old links and mails the account": [
      { means: "sessions outlive a password change", in: "apps/api/src/people/end-sessions.ts", function: "endSessions", change: ["without", "deleteSignIns"] },
      { means: "a password change needs no password", in: "apps/api/src/people/change-credentials.ts", function: "changePassword", change: ["drop", "confirmPassword"] },
    ],
    "an address change needs a confirmation in the account's own session and mails the old address": [
      { means: "another account's session confirms an address change", in: "apps/api/src/people/change-credentials.ts", function: "confirmAddressChange", change: ["without", "known.account_id"] },
    ],
    "a code works once: not for another sign-in, not for concurrent ones, not for an older step [threat: replayed-code]": [
      { means: "a code works twice", in: "apps/api/src/people/second-factors.table.ts", function: "spendStep", change: ["replace", "eb(\"last_step\", \"<\", step)", "eb(\"last_step\", \"<=\", step)"] },
      { means: "a spent code goes through", in: "apps/api/src/people/second-factor.ts", function: "spendTotp", change: ["replace", "spent === 1", "spent !== undefined"] },
    ],
    "wrong codes from any browser lock the second factor": [
      { means: "wrong codes never lock", in: "apps/api/src/people/second-factor.ts", function: "countTry", change: ["replace", "counted === 1", "counted !== undefined"] },
    ],
    "a suspended account is read-only except for its password and sessions": [
      { means: "a suspended account may change things", in: "apps/api/src/people/require-sign-in.ts", function: "refuseUnlessActive", change: ["always", "status"] },
    ],
  },
  "apps/api/src/ads/campaigns/campaigns-over-http.test.ts": {
    "are for operators only": [
      { means: "every account is an operator", in: "apps/api/src/people/require-operator.ts", function: "operatorGuard", change: ["never", "!signedIn.operator"] },
    ],
  },
  "apps/api/src/people/throttle-rule.test.ts": {
    "allows at most triesMax attempts, and refuses none for longer than the window": [
      { means: "a throttle lets one attempt more through", in: "apps/api/src/people/throttle-rule.ts", function: "afterWindow", change: ["compare", "tries"] },
    ],
  },
  "apps/api/src/people/close-account.test.ts": {
    "erases all personal data, revokes the keys on every node and leaves the ledger intact": [
      { means: "closing keeps the keys", in: "apps/api/src/people/close-account.work.ts", function: "work", change: ["drop", "revokeKeysOfAccount"] },
    ],
  },
  "apps/api/src/people/step-up.test.ts": {
    "keeps a payee from everyone who has only the cookie, or the password without the code [threat: payee-takeover]": [
      { means: "a payee is changed without a step-up", in: "apps/api/src/people/change-payee.ts", function: "changePayee", change: ["drop", "confirmStepUp"] },
    ],
    "is asked for before the address changes, and before the second factor goes, which would make it pointless [threat: payee-takeover]": [
      { means: "a step-up asks for no code", in: "apps/api/src/people/step-up.ts", function: "proveIdentity", change: ["replace", "!(await needsCode(context, accountId))", "true"] },
    ],
  },
  "apps/api/src/people/change-payee.test.ts": {
    "counts at once when first entered; every later change of where the money goes rests anew, other changes do not": [
      { means: "a changed tax number does not rest", in: "apps/api/src/people/change-payee.work.ts", function: "restingFields", change: ["without", "tax_id"] },
    ],
    "cancels payouts that are proposed or approved when the bank account changes, and no others [threat: payee-after-approval]": [
      { means: "a changed payee leaves payouts as they are", in: "apps/api/src/people/change-payee.work.ts", function: "cancelled", change: ["never", "isResting"] },
    ],
    "cancels a payout that is proposed at the same moment, and does not change once the account was closed at that moment": [
      { means: "a payee changes without the lock under which payouts are proposed", in: "apps/api/src/people/change-payee.work.ts", function: "work", change: ["drop", "lockChains"], needs: "postgres" },
    ],
  },
  "apps/api/test/authorization.test.ts": {
    "gives a developer nothing of the operator's console": [
      { means: "the operator's console takes every account", in: "apps/api/src/console/operator/operator.routes.ts", function: "addOperatorRoutes", change: ["drop", "requireOperator"] },
    ],
    "gives a suspended operator nothing of the operator's console": [
      { means: "a suspended operator keeps the console", in: "apps/api/src/people/require-operator.ts", function: "operatorGuard", change: ["drop", "signedIn.status"] },
    ],
    "shows one account nothing of another, by key or by session, and lets it change nothing there": [
      { means: "another account's key is found", in: "apps/api/src/access/keys/keys.table.ts", function: "selectKeyOfAccount", change: ["unchain", "account_id"] },
    ],
  },
  "apps/api/src/people/payee-spellings.test.ts": {
    "are shared by a short number at a bank and at its branch, with or without zeros before it": [
      { means: "a bank's branch makes another account of one", in: "apps/api/src/register/bank-account.ts", function: "bank", change: ["replace", "code.slice(0, bicLength)", "code"] },
      { means: "a zero makes another account of one", in: "apps/api/src/register/bank-account.ts", function: "withoutZeros", change: ["replace", "number.replace(/^0+/, \"\")", "number"] },
    ],
    "are those of the country that a territory belongs to, whichever of them its owner names": [
      { means: "a territory makes another account of one", in: "apps/api/src/register/bank-account.ts", function: "homeOf", change: ["replace", "bankingCountryOf[code] ?? code", "code"] },
    ],
    "are shared by a number and one that begins with its bank's code, in the countries whose codes are certain": [
      { means: "one code in two spellings makes two accounts", in: "apps/api/src/register/national-accounts.ts", function: "canadianCodeOf", change: ["replace", "written.slice(5) + written.slice(0, 5)", "written"] },
      { means: "a code before the number makes another account of one", in: "apps/api/src/register/national-accounts.ts", function: "rests", change: ["replace", "number.slice(prefix.length)", "number"] },
    ],
    "are shared by a tax number however it is written, and by a VAT number wherever its owner lives": [
      { means: "a VAT number is another one where its owner lives elsewhere", in: "apps/api/src/people/payee-marks.ts", function: "taxTextOf", change: ["never", "vatCountry !== undefined"] },
    ],
  },
  "apps/api/src/people/erased-marks.test.ts": {
    "leaves keyed hashes of its bank account and tax number for twelve months, and nothing else": [
      { means: "an account that was paid leaves no mark", in: "apps/api/src/register/payees.table.ts", function: "deleteUnpaidMarks", change: ["unchain", "eb.exists"] },
    ],
  },
  "apps/api/src/people/payee-links.test.ts": {
    "are not turned round by a proof where the earlier one was paid: its limits would begin anew [threat: victims-bank-account]": [
      { means: "a proof begins the limits of a paid bank account anew", in: "apps/api/src/people/unlink-payee.work.ts", function: "work", change: ["never", "selectSettledPayout"] },
    ],
  },
  "apps/api/src/people/session-step-up.test.ts": {
    "stays so for 10 minutes after its last use and 60 in all; a wrong request prolongs nothing, and a clock that was ahead gives nothing [threat: stolen-operator-session]": [
      { means: "a confirmation for money lasts for as long as it is used", in: "apps/api/src/people/sign-ins.table.ts", function: "useStepUp", change: ["unchain", "signIn.steppedUpAfterMs"] },
      { means: "a confirmation for money lasts an hour without being used", in: "apps/api/src/people/sign-ins.table.ts", function: "useStepUp", change: ["unchain", "signIn.usedAfterMs"] },
    ],
  },
  "apps/api/src/people/last-operator.test.ts": {
    "cannot all go: the last active one is not demoted, suspended or closed, and the remedy is named": [
      { means: "the last operator can be suspended", in: "apps/api/src/people/change-status.work.ts", function: "work", change: ["drop", "isLastOperator"] },
    ],
  },
  "apps/api/src/people/require-operator.test.ts": {
    "gets no console without one, is told the remedy, and keeps its own account [threat: operator-without-factor]": [
      { means: "an operator without a second factor uses the console", in: "apps/api/src/people/require-operator.ts", function: "operatorGuard", change: ["drop", "needsSecondFactor"] },
    ],
  },
  "apps/api/test/lost-second-factor.test.ts": {
    "because its secret was replaced, gives a message with the remedy, and an operator can remove it [threat: locked-out-operator]": [
      { means: "an unreadable second factor is no reason to refuse", in: "apps/api/src/people/second-factor.ts", function: "readFactor", change: ["replace", "throw unreadableFactor(accountId);", "return undefined;"] },
    ],
  },
  "apps/api/src/people/pre-hijacking.test.ts": {
    "is the owner's after a password reset, with nothing of what was set up before [threat: pre-hijacked-account]": [
      { means: "the second factor that a stranger set up stays", in: "apps/api/src/people/claim-address.work.ts", function: "clearAccount", change: ["without", "deleteSecondFactor"] },
      { means: "the sites that a stranger set up stay", in: "apps/api/src/people/claim-address.work.ts", function: "clearAccount", change: ["without", "eraseSites"] },
      { means: "the endpoints that a stranger set up stay", in: "apps/api/src/people/claim-address.work.ts", function: "clearAccount", change: ["drop", "eraseWebhooks"] },
    ],
  },
  "apps/api/src/people/overtaken-requests.test.ts": {
    "to have the old password checked sets no password, and has no session, behind the second factor that was switched on meanwhile [threat: outlived-credential]": [
      { means: "a request that waited in the line of passwords changes the password after all", in: "apps/api/src/people/hold-sign-in.ts", function: "writeLetIn", change: ["replace", "first.length + guards", "guards"] },
    ],
    "with a new payee changes nothing and gets no cookie once its session has another token, or has ended [threat: outlived-credential]": [
      { means: "a session that has ended changes the payee", in: "apps/api/src/people/hold-sign-in.ts", function: "isStillLetIn", change: ["never", "tx.change"] },
    ],
  },
  "apps/api/src/people/older-sessions.test.ts": {
    "makes no live key once the second factor is switched on; this session goes on with another token [threat: outlived-credential]": [
      { means: "sessions outlive the switching on of the second factor", in: "apps/api/src/people/second-factor.ts", function: "confirmCode", change: ["without", "endOthers"] },
    ],
    "makes no live key with a request that it had begun to send [threat: outlived-credential]": [
      { means: "a request is not checked again when its body has arrived", in: "apps/api/src/people/require-sign-in.ts", function: "addSignInHooks", change: ["drop", "check.call"] },
    ],
    "is not opened by a sign-in that began before the change of the password and ends after it [threat: outlived-credential]": [
      { means: "a sign-in under way outlives a password change", in: "apps/api/src/people/end-sessions.ts", function: "endSessions", change: ["without", "raiseSignInEpoch"] },
    ],
  },
};
