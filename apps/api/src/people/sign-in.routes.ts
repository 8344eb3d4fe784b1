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
  VerifyEmailRequest,
} from "@assay/contract/dashboard/account.ts";
import type { FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { isLoopback } from "../http/is-loopback.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { beginSignIn, challengeOver, findChallenge, finishSignIn } from "./challenges.ts";
import { normalizeEmail } from "./create-account.ts";
import type { PeopleContext } from "./people-context.ts";
import { type ReadSignIn, refuseOtherOrigins } from "./require-sign-in.ts";
import { confirmAddress, requestReset, resetByLink } from "./reset-password.ts";
import { confirmCode } from "./second-factor.ts";
import { endSession } from "./sessions.ts";
import { checkSignIn } from "./sign-in.ts";
import { sendVerification, signUp } from "./sign-up.ts";
import { networkOf } from "./throttle-rule.ts";

/** Against account enumeration by timing: answers about an address take at least this long, which is more than the work takes. */
const answerMsMin = 300;
const done = { status: true } as const;
/** A link's token, as `makeToken` writes it: the address that it is repeated in carries nothing else. */
const TokenQuery = Type.Object({ token: Type.String({ pattern: "^[\\w-]+$", maxLength: 200 }) });

async function takeAnswerTime(work: Promise<void>): Promise<void> {
  const [outcome] = await Promise.allSettled([work, sleep(answerMsMin)]);
  if (outcome.status === "rejected") throw outcome.reason;
}

/** The routes that need no session. */
export function addSignInRoutes(app: TypedApp, context: PeopleContext & { hasLocalMailbox: boolean; isLocal: boolean; readSignIn: ReadSignIn }): void {
  const { throttle, configuredUrl } = context;
  app.addHook("onRequest", async (request) => refuseOtherOrigins(request, configuredUrl));

  /** Throttles a request that mails an address, by network and by address. */
  async function takeMail(kind: "sign_up" | "resend" | "reset", request: FastifyRequest<{ Body: { email: string } }>): Promise<void> {
    await throttle.take(`${kind}_network`, networkOf(request.ip));
    await throttle.take(`${kind}_address`, normalizeEmail(request.body.email));
  }

  app.get("/options", {
    schema: { hide: true, response: { 200: SignInOptionsReply } },
    handler: (request) => ({
      mailbox: context.hasLocalMailbox && isLoopback(request, context) ? landingPaths.mailbox : null,
      password_length_min: passwordBounds.lengthMin,
      password_length_max: passwordBounds.lengthMax,
    }),
  });
  app.post("/sign-up/email", {
    schema: { hide: true, body: SignUpRequest, response: { 200: DoneReply } },
    async handler(request) {
      await takeMail("sign_up", request);
      await takeAnswerTime(signUp(context, request.body));
      return done;
    },
  });
  app.post("/send-verification-email", {
    schema: { hide: true, body: SendVerificationRequest, response: { 200: DoneReply } },
    async handler(request) {
      await takeMail("resend", request);
      await takeAnswerTime(sendVerification(context, request.body));
      return done;
    },
  });
  // Mails of earlier versions link to these addresses. Mail scanners, and other sites, open links too: they lead to a page
  // and do nothing else.
  for (const [path, page] of [
    ["/verify-email", landingPaths.verifyEmail],
    ["/confirm-email", landingPaths.confirmEmail],
  ] as const) {
    app.get(path, {
      schema: { hide: true, querystring: TokenQuery },
      handler: (request, reply) => reply.redirect(`${page}?token=${encodeURIComponent(request.query.token)}`, 303),
    });
  }
  app.post("/verify-email", {
    schema: { hide: true, body: VerifyEmailRequest, response: { 200: SignInReply } },
    async handler(request, reply) {
      await throttle.take("link_network", networkOf(request.ip));
      const { token, newPassword: password } = request.body;
      const { accountId, epoch } = await confirmAddress(context, { token, password, ip: request.ip });
      return { status: await beginSignIn(context, { request, reply }, { accountId, epoch, remember: true }) };
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
      return { status: await beginSignIn(context, { request, reply }, { accountId: outcome.accountId, epoch: outcome.epoch, remember: rememberMe }) };
    },
  });
  for (const [path, kind] of [
    ["/two-factor/verify-totp", "totp"],
    ["/two-factor/verify-backup-code", "recovery"],
  ] as const) {
    app.post(path, {
      schema: { hide: true, body: CodeRequest, response: { 200: DoneReply } },
      async handler(request, reply) {
        await throttle.take("code_network", networkOf(request.ip));
        const given = { kind, code: request.body.code.trim() };
        const challenge = await findChallenge(context, request);
        if (challenge) await finishSignIn(context, { request, reply }, challenge, given);
        else {
          // With a session, the first code switches two-factor on.
          const signedIn = await context.readSignIn(request, reply);
          if (!signedIn) throw challengeOver();
          await confirmCode(context, { signedIn, reply }, given);
        }
        return done;
      },
    });
  }
  app.post("/request-password-reset", {
    schema: { hide: true, body: RequestResetRequest, response: { 200: DoneReply } },
    async handler(request) {
      await takeMail("reset", request);
      await takeAnswerTime(requestReset(context, request.body));
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
      await endSession(context, request, reply);
      return done;
    },
  });
}
