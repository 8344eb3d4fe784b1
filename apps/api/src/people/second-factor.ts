/** Authenticator apps and recovery codes: setting them up, and using a code. A code works once, on whatever node. */
import { timingSafeEqual } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import { randomBase62, timeOrderedId } from "../ids/time-ordered-id.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { noteAction } from "../register/audit.table.ts";
import { unreadable } from "../secrets/read-sealed-key.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import { secondFactorMail } from "./account-mails.ts";
import { endSessions } from "./end-sessions.ts";
import { writeLetIn } from "./hold-sign-in.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageUrl } from "./reset-password.ts";
import {
  clearFactorTries,
  countFactorTry,
  deleteSecondFactor,
  deleteUnverifiedFactor,
  type FactorTexts,
  insertSecondFactor,
  lockFactor,
  replaceRecoveryCodes,
  selectSecondFactor,
  setFactorVerified,
  setRecoveryCodes,
  spendStep,
  unlockFactor,
} from "./second-factors.table.ts";
import { type Caller, writeWithNewToken } from "./sessions.ts";
import { secondFactorFailuresMax, secondFactorLockMs, TooManyTries } from "./throttle.ts";
import { makeTotpUri, stepOfCode } from "./totp.ts";
import { openOldText } from "./version-0-1.ts";

/** An authenticator's code, or one of the recovery codes. */
export type GivenCode = { kind: "totp" | "recovery"; code: string };

const issuer = "Assay";
const secretLength = 32;
const recoveryCodes = { count: 10, halfLength: 5 } as const;
/** Each lost race means that somebody else used a recovery code or re-encrypted them. */
const rereadsMax = 20;

const purposes = { secret: "second factor", recovery_codes: "recovery codes" } as const;

const notSetUp = () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account.");
const wrongCode = ({ kind }: GivenCode) =>
  new Failure("wrong_code", kind === "totp" ? "The code is wrong or was already used." : "The recovery code is wrong or was already used.");
const unreadableFactor = (accountId: string) =>
  unreadable(
    "Your second factor",
    "Ask its operator to set SECRET_KEY_PREVIOUS to the old secret, or to run: assay account reset-second-factor",
    `the second factor of ${accountId} cannot be decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS`,
  );

const makeRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes.count }, () => `${randomBase62(recoveryCodes.halfLength)}-${randomBase62(recoveryCodes.halfLength)}`);

/** A part of the row, in this version's format or that of version 0.1; undefined if it cannot be read. */
function openPart(sealer: Sealer, accountId: string, part: keyof FactorTexts, text: string): string | undefined {
  const opened = sealer.open(purposes[part], text, accountId);
  return opened === "unreadable" ? openOldText(text, sealer.secretKeys) : opened.plaintext;
}

/** Both parts with the current secret; "unreadable" if one was encrypted with a secret that is gone. */
export function resealFactor(sealer: Sealer, accountId: string, row: FactorTexts): FactorTexts | "unreadable" {
  const secret = openPart(sealer, accountId, "secret", row.secret);
  const codes = openPart(sealer, accountId, "recovery_codes", row.recovery_codes);
  if (secret === undefined || codes === undefined) return "unreadable";
  return { secret: sealer.seal(purposes.secret, secret, accountId), recovery_codes: sealer.seal(purposes.recovery_codes, codes, accountId) };
}

/** The factor with its secret; undefined if the account has set up none. Throws if it cannot be read. */
async function readFactor({ store, sealer }: PeopleContext, accountId: string) {
  const row = await selectSecondFactor(store.db, accountId).executeTakeFirst();
  if (!row) return undefined;
  const secret = openPart(sealer, accountId, "secret", row.secret);
  const codes = openPart(sealer, accountId, "recovery_codes", row.recovery_codes);
  if (secret === undefined || codes === undefined) throw unreadableFactor(accountId);
  return { id: row.id, isVerified: row.verified === 1, secret: Buffer.from(secret), codes: JSON.parse(codes) as string[], sealedCodes: row.recovery_codes };
}

type Factor = NonNullable<Awaited<ReturnType<typeof readFactor>>>;

/** Whether a sign-in needs a code. Throws if no code could be checked. */
export async function needsCode(context: PeopleContext, accountId: string): Promise<boolean> {
  const row = await selectSecondFactor(context.store.db, accountId).executeTakeFirst();
  return row?.verified === 1 && (await readFactor(context, accountId))?.isVerified === true;
}

/** Of all requests with the same code the database lets one through; a code of an earlier step than the last one used is refused. */
async function spendTotp({ store, nowMs }: PeopleContext, factor: Factor, code: string): Promise<boolean> {
  const step = stepOfCode(factor.secret, code, nowMs());
  if (step === undefined) return false;
  const [spent] = await store.write([spendStep(store.db, { factorId: factor.id, step })]);
  return spent === 1;
}

/** Compares with every code, whichever is right, in constant time. */
function findCode(codes: readonly string[], given: string): number {
  const bytes = Buffer.from(given);
  let found = -1;
  for (const [index, code] of codes.entries()) {
    const expected = Buffer.from(code);
    if (bytes.length === expected.length && timingSafeEqual(bytes, expected)) found = index;
  }
  return found;
}

async function spendRecoveryCode(context: PeopleContext, accountId: string, first: Factor, code: string): Promise<boolean> {
  const { store, sealer } = context;
  let factor: Factor | undefined = first;
  for (let reread = 0; factor && reread < rereadsMax; reread += 1) {
    const index = findCode(factor.codes, code);
    if (index === -1) return false;
    const after = sealer.seal(purposes.recovery_codes, JSON.stringify(factor.codes.toSpliced(index, 1)), accountId);
    const [replaced] = await store.write([replaceRecoveryCodes(store.db, { factorId: factor.id, before: factor.sealedCodes, after })]);
    if (replaced === 1) return true;
    factor = await readFactor(context, accountId);
  }
  return false;
}

/** Counts before the code is checked, so concurrent guesses gain nothing. */
async function countTry({ store, nowMs }: PeopleContext, accountId: string, factorId: string): Promise<void> {
  const { db } = store;
  const now = nowMs();
  const [, counted] = await store.write([
    unlockFactor(db, { id: factorId, nowMs: now }),
    countFactorTry(db, factorId),
    lockFactor(db, { id: factorId, failuresMax: secondFactorFailuresMax, untilMs: now + secondFactorLockMs }),
  ]);
  if (counted === 1) return;
  const untilMs = (await selectSecondFactor(db, accountId).executeTakeFirst())?.locked_until ?? now;
  throw new TooManyTries(Math.max(1, Math.ceil((untilMs - now) / 1_000)));
}

/** Uses up a code of the account's second factor. A wrong one throws and counts, from whatever browser; ten in a row lock the factor. */
export async function useCode(context: PeopleContext, accountId: string, given: GivenCode): Promise<void> {
  const { store } = context;
  const factor = await readFactor(context, accountId);
  if (!factor?.isVerified) throw notSetUp();
  await countTry(context, accountId, factor.id);
  const isRight = given.kind === "totp" ? await spendTotp(context, factor, given.code) : await spendRecoveryCode(context, accountId, factor, given.code);
  if (!isRight) throw wrongCode(given);
  await store.write([clearFactorTries(store.db, factor.id)]);
}

/** Notifies the account's address that two-factor was switched on or off, and notes it. */
export const secondFactorNotice = (
  context: Pick<PeopleContext, "store" | "publicUrl">,
  { email: to, accountId }: Pick<SignedIn, "email" | "accountId">,
  { enabled, nowMs }: { enabled: boolean; nowMs: number },
) => [
  queueMail(context.store.db, secondFactorMail({ to, accountId }, { enabled, resetUrl: resetPageUrl(context) }), nowMs),
  noteAction(context.store.db, { actorAccountId: accountId, action: "account.two_factor", subject: accountId, detail: { enabled }, nowMs }),
];

const endOthers = (store: Store, { accountId, sessionId }: SignedIn) => endSessions(store.db, { accountId, exceptId: sessionId });

/** Sets up a factor, which is in effect after its first right code. */
export async function enrolFactor(context: PeopleContext, signedIn: SignedIn): Promise<{ totpUri: string; recoveryCodes: string[] }> {
  const { store, sealer } = context;
  const { accountId, email } = signedIn;
  const secret = randomBase62(secretLength);
  const codes = makeRecoveryCodes();
  const row = {
    id: timeOrderedId("auth", context.nowMs()),
    account_id: accountId,
    secret: sealer.seal(purposes.secret, secret, accountId),
    recovery_codes: sealer.seal(purposes.recovery_codes, JSON.stringify(codes), accountId),
    verified: 0,
    failures: 0,
    locked_until: null,
    last_step: null,
  };
  const [, inserted] = await writeLetIn(store, signedIn, [deleteUnverifiedFactor(store.db, accountId), insertSecondFactor(store.db, row)], { nowMs: context.nowMs() });
  if (inserted === 0) throw new Failure("invalid_request", "Two-factor sign-in is already on. Switch it off to set it up again.");
  return { totpUri: makeTotpUri({ issuer, account: email, secret: Buffer.from(secret) }), recoveryCodes: codes };
}

/** A code that a signed-in browser sends: the first right one switches two-factor on. */
export async function confirmCode(context: PeopleContext, caller: Caller, given: GivenCode): Promise<void> {
  const { store } = context;
  const { signedIn } = caller;
  const factor = await readFactor(context, signedIn.accountId);
  if (!factor) throw notSetUp();
  if (factor.isVerified) {
    await useCode(context, signedIn.accountId, given);
    return;
  }
  if (given.kind !== "totp" || !(await spendTotp(context, factor, given.code))) throw wrongCode(given);
  const notice = secondFactorNotice(context, signedIn, { enabled: true, nowMs: context.nowMs() });
  const [switched] = await writeWithNewToken(context, caller, [setFactorVerified(store.db, factor.id), ...endOthers(store, signedIn), ...notice], { guards: 1 });
  // Set up anew meanwhile: the code was of the former one.
  if (switched === 0) throw wrongCode(given);
  context.wakeMailer();
}

export async function removeFactor(context: PeopleContext, caller: Caller): Promise<void> {
  const { store } = context;
  const { signedIn } = caller;
  const notice = secondFactorNotice(context, signedIn, { enabled: false, nowMs: context.nowMs() });
  await writeWithNewToken(context, caller, [deleteSecondFactor(store.db, signedIn.accountId), ...endOthers(store, signedIn), ...notice]);
  context.wakeMailer();
}

/** New recovery codes; the old ones no longer work. */
export async function replaceCodes(context: PeopleContext, caller: Caller): Promise<string[]> {
  const { store, sealer } = context;
  const { signedIn } = caller;
  const { accountId } = signedIn;
  const row = await selectSecondFactor(store.db, accountId).executeTakeFirst();
  if (row?.verified !== 1) throw notSetUp();
  const codes = makeRecoveryCodes();
  await writeWithNewToken(context, caller, [
    setRecoveryCodes(store.db, { factorId: row.id, sealed: sealer.seal(purposes.recovery_codes, JSON.stringify(codes), accountId) }),
    ...endOthers(store, signedIn),
    noteAction(store.db, { actorAccountId: accountId, action: "account.recovery_codes", subject: accountId, detail: {}, nowMs: context.nowMs() }),
  ]);
  return codes;
}
