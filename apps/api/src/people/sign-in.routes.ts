import {
  CodeRequest,
  DoneReply,
  landingPaths,
  passwordBounds,
  RequestResetRequest,
  ResetPasswordRequest,
  SendVerificationRequest,
  SignInOptionsReply,
  SignInReply,
  SignInRequest,
  SignUpRequest,
} from "@assay/contract/dashboard/account.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { isLoopback } from "../http/is-loopback.ts";
import type { TypedApp } from "../http/typed-app.ts";
import type { PeopleContext } from "./people-context.ts";
import { browserCookie, expiredBrowserCookie, readBrowserCookie } from "./browser-cookie.ts";
import { normalizeEmail } from "./create-account.ts";
import { makeToken } from "./mailed-link.ts";
import { passCookies } from "./open-auth.ts";
import { guardPrivateRequest, type ReadSignIn } from "./require-sign-in.ts";
import { requestReset, resetByLink } from "./reset-password.ts";
import { checkSignIn } from "./sign-in.ts";
import { sendVerification, signUp } from "./sign-up.ts";
import { spendCode } from "./spend-code.ts";
import { findWhoSetsUp, tellTwoFactor } from "./tell-two-factor.ts";
import { networkOf } from "./throttle-rule.ts";
import { translateAuthError } from "./translate-auth-error.ts";
import { verifyEmail } from "./verify-email.ts";

/**
 * Answers that must not tell whether an address is registered take at least this long: more than the work does, so
 * that what was done cannot be told by the time it took.
 */
const answerMsMin = 300;
const done = { status: true } as const;
const TokenQuery = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

async function evenly(work: Promise<void>): Promise<void> {
  const [outcome] = await Promise.allSettled([work, sleep(answerMsMin)]);
  if (outcome.status === "rejected") throw outcome.reason;
}

/** Everything that can be asked for without a session. */
export function addSignInRoutes(app: TypedApp, context: PeopleContext & { hasLocalMailbox: boolean; readSignIn: ReadSignIn }): void {
  const { throttle, configuredUrl } = context;
  const cookieUrl = configuredUrl ?? "http:";
  app.addHook("onRequest", async (request, reply) => guardPrivateRequest(request, reply, configuredUrl));

  async function openSession(request: FastifyRequest, reply: FastifyReply, wish: { accountId: string; remember: boolean }) {
    const { auth, headersOf } = await context.auth();
    const { headers, response } = await auth.api.openSession({ headers: headersOf(request), body: wish, returnHeaders: true });
    passCookies(reply, headers);
    return response.twoFactorRedirect ? ("second_factor_required" as const) : ("signed_in" as const);
  }

  app.get("/options", {
    schema: { hide: true, response: { 200: SignInOptionsReply } },
    handler: (request) => ({
      mailbox: context.hasLocalMailbox && isLoopback(request) ? landingPaths.mailbox : null,
      password_length_min: passwordBounds.lengthMin,
      password_length_max: passwordBounds.lengthMax,
    }),
  });
  app.post("/sign-up/email", {
    schema: { hide: true, body: SignUpRequest, response: { 200: DoneReply } },
    async handler(request, reply) {
      await throttle.take("sign_up_network", networkOf(request.ip));
      await throttle.take("sign_up_address", normalizeEmail(request.body.email));
      const browserToken = makeToken();
      await evenly(signUp(context, { ...request.body, browserToken }));
      reply.header("set-cookie", browserCookie(cookieUrl, browserToken));
      return done;
    },
  });
  app.post("/send-verification-email", {
    schema: { hide: true, body: SendVerificationRequest, response: { 200: DoneReply } },
    async handler(request) {
      await throttle.take("resend_network", networkOf(request.ip));
      await throttle.take("resend_address", normalizeEmail(request.body.email));
      await evenly(sendVerification(context, request.body));
      return done;
    },
  });
  app.get("/verify-email", {
    schema: { hide: true, querystring: TokenQuery },
    async handler(request, reply) {
      await throttle.take("link_network", networkOf(request.ip));
      const browserToken = readBrowserCookie(cookieUrl, request.headers.cookie);
      const outcome = await verifyEmail(context, { token: request.query.token, browserToken });
      const pages = landingPaths.verifyEmail;
      if (outcome.kind === "link_expired") return reply.redirect(pages.expired, 303);
      if (outcome.kind === "verified") return reply.redirect(pages.verified, 303);
      const status = await openSession(request, reply, { accountId: outcome.accountId, remember: true });
      reply.header("set-cookie", expiredBrowserCookie(cookieUrl));
      return reply.redirect(status === "signed_in" ? pages.signedIn : pages.verified, 303);
    },
  });
  app.post("/sign-in/email", {
    schema: { hide: true, body: SignInRequest, response: { 200: SignInReply } },
    async handler(request, reply) {
      const { email, password, rememberMe = true } = request.body;
      const outcome = await checkSignIn(context, { email, password, ip: request.ip });
      if (outcome.kind === "refused") {
        throw new Failure("sign_in_failed", "The address or the password is wrong, or the address is not verified yet.");
      }
      return { status: await openSession(request, reply, { accountId: outcome.accountId, remember: rememberMe }) };
    },
  });
  for (const [path, endpoint] of [
    ["/two-factor/verify-totp", "verifyTOTP"],
    ["/two-factor/verify-backup-code", "verifyBackupCode"],
  ] as const) {
    app.post(path, {
      schema: { hide: true, body: CodeRequest, response: { 200: DoneReply } },
      async handler(request, reply) {
        await throttle.take("code_network", networkOf(request.ip));
        const { auth, headersOf } = await context.auth();
        const given = request.body.code.trim();
        const code = endpoint === "verifyTOTP" ? await spendCode(context, request, given) : given;
        const order = { headers: headersOf(request), body: { code }, returnHeaders: true } as const;
        // With a session, the first code switches two-factor on; without one, it ends a sign-in.
        const setsUp = await findWhoSetsUp(context, await context.readSignIn(request, reply));
        const { headers } = await auth.api[endpoint](order).catch(translateAuthError);
        passCookies(reply, headers);
        if (setsUp) await tellTwoFactor(context, setsUp, { enabled: true });
        return done;
      },
    });
  }
  app.post("/request-password-reset", {
    schema: { hide: true, body: RequestResetRequest, response: { 200: DoneReply } },
    async handler(request) {
      await throttle.take("reset_network", networkOf(request.ip));
      await throttle.take("reset_address", normalizeEmail(request.body.email));
      await evenly(requestReset(context, request.body));
      return done;
    },
  });
  app.post("/reset-password", {
    schema: { hide: true, body: ResetPasswordRequest, response: { 200: DoneReply } },
    async handler(request) {
      await throttle.take("link_network", networkOf(request.ip));
      const { token, newPassword: password } = request.body;
      await resetByLink(context, { token, password, ip: request.ip });
      return done;
    },
  });
  app.post("/sign-out", {
    schema: { hide: true, response: { 200: DoneReply } },
    async handler(request, reply) {
      const { auth, headersOf } = await context.auth();
      const { headers } = await auth.api.signOut({ headers: headersOf(request), returnHeaders: true });
      passCookies(reply, headers);
      return done;
    },
  });
}
