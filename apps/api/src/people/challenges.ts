import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure, overtaken } from "../failure/failure.ts";
import { msPerMinute } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { holdSignInEpoch } from "../register/accounts.table.ts";
import { expireCookie, readCookie, setCookie } from "./cookies.ts";
import { hashToken, makeToken } from "./mailed-link.ts";
import type { PeopleContext } from "./people-context.ts";
import { type GivenCode, needsCode, useCode } from "./second-factor.ts";
import { openSession, type RightSignIn } from "./sessions.ts";
import { countChallengeTry, deleteChallenge, insertChallenge, selectChallenge } from "./sign-ins.table.ts";

const challengeLifeMs = 10 * msPerMinute;
/** After this many codes the password is asked for again. */
const triesMax = 5;

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** The password was right, or was chosen with a mailed link: signs in, or asks for the second factor. */
export async function beginSignIn(
  context: PeopleContext,
  exchange: Exchange,
  { accountId, epoch, remember }: RightSignIn,
): Promise<"signed_in" | "second_factor_required"> {
  const { store } = context;
  if (!(await needsCode(context, accountId))) {
    await openSession(context, exchange, { accountId, epoch, remember });
    return "signed_in";
  }
  const now = context.nowMs();
  const token = makeToken();
  const times = { created_at: now, updated_at: now, expires_at: now + challengeLifeMs };
  const row = { id: timeOrderedId("auth", now), identifier: hashToken(token), value: accountId, failures: 0, remember: Number(remember), ...times };
  const [held] = await store.write([holdSignInEpoch(store.db, { accountId, epoch }), insertChallenge(store.db, row)], { guards: 1 });
  if (held === 0) throw overtaken();
  setCookie(context, exchange.reply, { kind: "challenge", value: token, lifeMs: challengeLifeMs });
  return "second_factor_required";
}

export type Challenge = RightSignIn & { id: string };

/** The sign-in that this browser began. */
export async function findChallenge(context: PeopleContext, request: FastifyRequest): Promise<Challenge | undefined> {
  const token = readCookie(context, request, "challenge");
  if (token === undefined) return undefined;
  const row = await selectChallenge(context.store.db, { tokenHash: hashToken(token), nowMs: context.nowMs() }).executeTakeFirst();
  return row && { id: row.id, accountId: row.account_id, epoch: row.sign_in_epoch, remember: row.remember === 1 };
}

export const challengeOver = () => new Failure("sign_in_required", "This sign-in took too long. Sign in again with your password.");

/** Signs in with a right code. A challenge works once. */
export async function finishSignIn(context: PeopleContext, exchange: Exchange, challenge: Challenge, given: GivenCode): Promise<void> {
  const { store } = context;
  const [counted] = await store.write([countChallengeTry(store.db, { id: challenge.id, triesMax })]);
  if (counted === 0) {
    await store.write([deleteChallenge(store.db, challenge.id)]);
    expireCookie(context, exchange.request, exchange.reply, "challenge");
    throw new Failure("sign_in_required", "Too many wrong codes. Sign in again with your password.");
  }
  await useCode(context, challenge.accountId, given);
  const [ended] = await store.write([deleteChallenge(store.db, challenge.id)]);
  if (ended === 0) throw challengeOver();
  await openSession(context, exchange, challenge);
}
