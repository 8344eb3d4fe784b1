/**
 * better-auth, as far as it is used here: sessions with their cookies, and the second factor. Accounts, passwords and
 * mailed links are our own, because each of those changes is one closed write together with its mail. Nothing of
 * better-auth is mounted: routes call it, so its own addresses, limiter and origin checks do not come into play.
 *
 * It is a large package. Load this file when somebody first needs it: see open-auth.ts.
 */
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { symmetricDecrypt } from "better-auth/crypto";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Store } from "../store/store.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { createAuthAdapter } from "./auth-adapter.ts";
import { cookiePrefixOf } from "./cookie-prefix.ts";
import { hashPassword, isPassword } from "./hash-password.ts";
import { secondFactorFailuresMax, secondFactorLockSeconds } from "./second-factor-lock.ts";

/** Where our own headers tell better-auth the address that a request came from. No caller's header reaches it. */
export const ipHeader = "x-assay-client-ip";

const secondsPerDay = 86_400;
const sessionDays = 14;
const challengeSeconds = 600;

/** Gives a browser a session. Who calls it has checked the password, or a link that was mailed to this very browser. */
const openSession = createAuthEndpoint(
  // The two-factor plugin waits for sign-ins at this address and puts its own step in between.
  "/sign-in/username",
  {
    method: "POST",
    requireHeaders: true,
    metadata: { $Infer: { body: {} as { accountId: string; remember: boolean } } },
  },
  async (context) => {
    const { internalAdapter } = context.context;
    const { accountId, remember } = context.body;
    const user = await internalAdapter.findUserById(accountId);
    if (!user) throw context.error("UNAUTHORIZED");
    const session = await internalAdapter.createSession(user.id, !remember);
    await setSessionCookie(context, { session, user }, !remember);
    return context.json({ twoFactorRedirect: false });
  },
);

/** The cookie that the two-factor plugin gives to a browser whose password was right and whose code is still due. */
const challengeCookie = "two_factor";

/** The authenticator that a code would be checked against: that of the session, or of the sign-in that waits for its code. */
const readSecondFactor = createAuthEndpoint("/second-factor", { method: "GET", requireHeaders: true }, async (context) => {
  const { adapter, createAuthCookie, internalAdapter, secret, secretConfig } = context.context;
  const findChallenged = async () => {
    const challenge = await context.getSignedCookie(createAuthCookie(challengeCookie).name, secret);
    return challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined;
  };
  const accountId = (await getSessionFromCtx(context))?.user.id ?? (await findChallenged());
  if (accountId === undefined) return null;
  const factor = await adapter.findOne<{ id: string; secret: string }>({ model: "twoFactor", where: [{ field: "userId", value: accountId }] });
  return factor && { id: factor.id, secret: await symmetricDecrypt({ key: secretConfig, data: factor.secret }) };
});

export type AuthSettings = {
  store: Store;
  nowMs: () => number;
  /** Where people reach the dashboard; https makes the cookies secure. */
  publicUrl: string;
  /** Derived from the installation's secret, never the secret itself. */
  cookieSecret: string;
};

export function createAuth({ store, nowMs, publicUrl, cookieSecret }: AuthSettings) {
  const isSecure = publicUrl.startsWith("https:");
  return betterAuth({
    appName: "Assay",
    baseURL: publicUrl,
    basePath: "/dashboard/api/auth",
    secret: cookieSecret,
    database: createAuthAdapter(store),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // Its messages may hold addresses; what fails is thrown, and logged where failures become answers.
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    user: { additionalFields: { operator: { type: "boolean", input: false }, status: { type: "string", input: false } } },
    session: { expiresIn: sessionDays * secondsPerDay, updateAge: secondsPerDay, cookieCache: { enabled: false } },
    verification: { storeIdentifier: "hashed" },
    advanced: {
      // Its own prefix for https is weaker than ours.
      useSecureCookies: false,
      cookiePrefix: cookiePrefixOf(publicUrl),
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [ipHeader] },
      database: { generateId: ({ model }) => timeOrderedId(model === "session" ? "sign" : "auth", nowMs()) },
    },
    plugins: [
      twoFactor({
        issuer: "Assay",
        twoFactorCookieMaxAge: challengeSeconds,
        accountLockout: { enabled: true, maxFailedAttempts: secondFactorFailuresMax, durationSeconds: secondFactorLockSeconds },
      }),
      { id: "assay", endpoints: { openSession, readSecondFactor } },
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;
