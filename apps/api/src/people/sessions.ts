import type { FastifyReply, FastifyRequest } from "fastify";
import { overtaken } from "../failure/failure.ts";
import { msPerDay } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { holdSignInEpoch } from "../register/accounts.table.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { ClosedWrite, Store } from "../store/store.ts";
import { type CookieContext, expireCookie, readCookie, setCookie } from "./cookies.ts";
import { writeLetIn } from "./hold-sign-in.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import { hashToken, makeToken } from "./mailed-link.ts";
import type { ReadSignIn, SignedIn } from "./require-sign-in.ts";
import { deleteSignInsByToken, insertSignIn, renewSignIn, selectSignInByToken } from "./sign-ins.table.ts";
import { readOldCookie } from "./version-0-1.ts";

/** A remembered browser stays signed in for this long after its last use. */
const rememberedMs = 14 * msPerDay;
/** Any other until it closes, and not for longer than this. */
const unrememberedMs = msPerDay;
/** The last use is written at most this often. */
const renewMs = msPerDay;
/** Longer than any browser's User-Agent; a forged one is truncated. */
const textLengthMax = 2_000;

type SessionContext = { store: Store; nowMs: () => number; configuredUrl: string | undefined; sealer: Sealer };

/** How every stored token begins, except those of version 0.1. */
export const storedTokenPrefix = "sha256.";
export const storedToken = (token: string): string => storedTokenPrefix + hashToken(token);

const setSessionCookie = (context: CookieContext, reply: FastifyReply, session: { token: string; isRemembered: boolean }): void =>
  setCookie(context, reply, { kind: "session", value: session.token, lifeMs: session.isRemembered ? rememberedMs : undefined });

/** `epoch`: the account's when its password, its link or its challenge was looked at. */
export type RightSignIn = { accountId: string; epoch: number; remember: boolean };

/** Signs the browser in, unless what it signs in with was changed since. The caller has checked the password or a mailed link, and the code. */
export async function openSession(
  context: SessionContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { accountId, epoch, remember }: RightSignIn,
): Promise<void> {
  const { store } = context;
  const now = context.nowMs();
  const token = makeToken();
  const row = {
    id: timeOrderedId("sign", now),
    token: storedToken(token),
    account_id: accountId,
    ip_address: request.ip,
    user_agent: (request.headers["user-agent"] ?? "").slice(0, textLengthMax),
    created_at: now,
    updated_at: now,
    expires_at: now + (remember ? rememberedMs : unrememberedMs),
  };
  const [held] = await store.write([holdSignInEpoch(store.db, { accountId, epoch }), insertSignIn(store.db, row)], { guards: 1 });
  if (held === 0) throw overtaken();
  setSessionCookie(context, reply, { token, isRemembered: remember });
  expireCookie(context, request, reply, "challenge");
}

type HeldToken = { token: string; /** How the store may hold it. */ stored: string[]; isOldCookie: boolean };

/** The tokens that the browser holds. A token of version 0.1 counts with its signature only, and is stored as it is until a job replaces it. */
function tokensOf(context: SessionContext, request: FastifyRequest): HeldToken[] {
  const token = readCookie(context, request, "session");
  const old = readOldCookie(readCookie(context, request, "old_session"), context.sealer.secretKeys);
  return [
    ...(token === undefined ? [] : [{ token, stored: [storedToken(token)], isOldCookie: false }]),
    ...(old === undefined ? [] : [{ token: old.token, stored: [storedToken(old.token), old.oldToken], isOldCookie: true }]),
  ];
}

/** Reads the store each time, so a session that was revoked on another node is revoked here too. */
export function createReadSignIn(context: SessionContext): ReadSignIn {
  const { store } = context;
  return async (request, reply) => {
    for (const { token, stored, isOldCookie } of tokensOf(context, request)) {
      const now = context.nowMs();
      const row = await selectSignInByToken(store.db, { stored, nowMs: now }).executeTakeFirst();
      if (!row) continue;
      const isRemembered = row.expires_at - row.updated_at > unrememberedMs;
      const isRenewed = isRemembered && row.updated_at <= now - renewMs;
      if (isRenewed) await store.write([renewSignIn(store.db, { id: row.id, nowMs: now, expiresMs: now + rememberedMs })]);
      if (row.token === storedToken(token) && (isRenewed || isOldCookie)) setSessionCookie(context, reply, { token, isRemembered });
      return {
        accountId: row.account_id,
        email: row.email,
        operator: row.operator === 1,
        verified: row.verified_at !== null,
        status: row.status,
        sessionId: row.id,
        storedToken: row.token,
        isRemembered,
        epoch: row.sign_in_epoch,
      };
    }
    return undefined;
  };
}

/** A request of somebody who is signed in, and its answer. */
export type Caller = { signedIn: SignedIn; reply: FastifyReply };

/**
 * Writes what changes a credential and gives the session another token with it, so that one that somebody copied before no
 * longer works. If what the request was let in with is over, it writes nothing and the answer has no cookie: whoever sent
 * it may have been that somebody. `guards` are the statements' own; one that stops the rest leaves the new token.
 */
export async function writeWithNewToken(
  context: CookieContext & Pick<SessionContext, "store" | "nowMs">,
  { signedIn, reply }: Caller,
  statements: ClosedWrite,
  { guards = 0 }: { guards?: number } = {},
): Promise<number[]> {
  const token = makeToken();
  const changes = await writeLetIn(context.store, signedIn, statements, { nowMs: context.nowMs(), guards, nextToken: storedToken(token) });
  setSessionCookie(context, reply, { token, isRemembered: signedIn.isRemembered });
  return changes;
}

/** With the links of a change of address, like every end of a session: whoever asked for one may have had this session. */
export async function endSession(context: SessionContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { store } = context;
  const stored = tokensOf(context, request).flatMap((held) => held.stored);
  // Anybody may sign out, with a cookie of their own invention: that writes nothing.
  const found = stored.length === 0 ? [] : await selectSignInByToken(store.db, { stored, nowMs: context.nowMs() }).execute();
  if (found.length > 0) {
    const links = found.map(({ account_id: accountId }) => deleteLinksOfAccount(store.db, { accountId, kinds: ["change_email"] }));
    await store.write([deleteSignInsByToken(store.db, found.map(({ token }) => token)), ...links]);
  }
  for (const kind of ["session", "old_session", "challenge"] as const) expireCookie(context, request, reply, kind);
}
