/**
 * better-auth provides sessions with their cookies, and the second factor. Accounts, passwords and mailed links are our
 * own, because each of those changes is one write together with its mail. better-auth's own routes, limiter and origin
 * checks are not used: our routes call it.
 *
 * The package is large: open-auth.ts imports this file on first use.
 */
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { symmetricDecrypt } from "better-auth/crypto";
import { betterAuth } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { Store } from "../store/store.ts";
import { createAuthAdapter } from "./auth-adapter.ts";
import { cookiePrefixOf } from "./browser-cookie.ts";
import { hashPassword, isPassword } from "./hash-password.ts";
import { secondFactorFailuresMax, secondFactorLockSeconds } from "./throttle.ts";

/** The header in which we pass the client's address to better-auth. A caller's own headers never reach it. */
export const ipHeader = "x-assay-client-ip";

const secondsPerDay = 86_400;
const sessionDays = 14;
const challengeSeconds = 600;

/** Opens a session. The caller has checked the password, or the link that was mailed to this browser. */
const openSession = createAuthEndpoint(
  // The two-factor plugin intercepts sign-ins at this path.
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

/** The two-factor plugin's cookie between the password and the code. */
const challengeCookie = "two_factor";

/** The second factor that a code is checked against: the session's, or that of the pending sign-in. */
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
  /** With https, cookies are Secure. */
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
    // Its messages may contain addresses. Errors are thrown, and logged where they are answered.
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
      // Its __Secure- prefix is weaker than our __Host-.
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
