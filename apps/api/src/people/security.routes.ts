import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  CloseAccountReply,
  CloseAccountRequest,
  DoneReply,
  EnableTwoFactorReply,
  landingPaths,
  ListSessionsReply,
  RecoveryCodesReply,
  RevokeSessionRequest,
  StepUpRequest,
  type StepUp,
} from "@assay/contract/dashboard/account.ts";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { isoTime } from "../formats/time.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { noteAction } from "../register/audit.table.ts";
import { changePassword, confirmAddressChange, requestAddressChange } from "./change-credentials.ts";
import { closeAccount } from "./close-account.ts";
import { passCookies } from "./open-auth.ts";
import type { PeopleContext } from "./people-context.ts";
import { type ReadSignIn, refuseUnlessActive, requireSignIn } from "./require-sign-in.ts";
import { mailTwoFactorChange } from "./second-factor.ts";
import { deleteSignIn, deleteSignIns, selectSignIns } from "./sign-ins.table.ts";
import { confirmStepUp } from "./step-up.ts";
import { networkOf } from "./throttle-rule.ts";
import { translateAuthError } from "./translate-auth-error.ts";

const sessionsShownMax = 100;
const done = { status: true } as const;
const TokenQuery = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

/** Opened from a mail, so possibly without a session. */
export function addConfirmEmailRoute(app: TypedApp, context: PeopleContext & { readSignIn: ReadSignIn }): void {
  app.get("/confirm-email", {
    schema: { hide: true, querystring: TokenQuery },
    async handler(request, reply) {
      await context.throttle.take("link_network", networkOf(request.ip));
      const pages = landingPaths.confirmEmail;
      const signedIn = await context.readSignIn(request, reply);
      if (!signedIn) return reply.redirect(pages.signInFirst, 303);
      const outcome = await confirmAddressChange(context, signedIn, request.query.token);
      return reply.redirect(outcome === "changed" ? pages.changed : pages.expired, 303);
    },
  });
}

function addSessionRoutes(app: TypedApp, { store, nowMs }: PeopleContext): void {
  app.get("/list-sessions", {
    schema: { hide: true, response: { 200: ListSessionsReply } },
    async handler({ signedIn: { accountId, sessionId } }) {
      const rows = await selectSignIns(store.db, { accountId, nowMs: nowMs(), limit: sessionsShownMax }).execute();
      const sessions = rows.map((row) => ({
        id: row.id,
        current: row.id === sessionId,
        created_at: isoTime(row.created_at),
        last_used_at: isoTime(row.updated_at),
        expires_at: isoTime(row.expires_at),
        ip_address: row.ip_address,
        user_agent: row.user_agent,
      }));
      return { sessions };
    },
  });
  app.post("/revoke-session", {
    schema: { hide: true, body: RevokeSessionRequest, response: { 200: DoneReply } },
    async handler({ signedIn: { accountId }, body: { id } }) {
      const [ended] = await store.write([deleteSignIn(store.db, { accountId, id })]);
      if (ended === 0) throw new Failure("not_found", "There is no such session.");
      return done;
    },
  });
  app.post("/revoke-other-sessions", {
    schema: { hide: true, response: { 200: DoneReply } },
    async handler({ signedIn: { accountId, sessionId } }) {
      await store.write([deleteSignIns(store.db, { accountId, exceptId: sessionId })]);
      return done;
    },
  });
}

/**
 * Turning the second factor off, and new recovery codes, need a code as well: else a stolen password would be enough for
 * everything that a step-up guards. The password is checked here, so that guesses are throttled; better-auth then checks
 * it again.
 */
function addTwoFactorRoutes(app: TypedApp, context: PeopleContext): void {
  async function withStepUp(request: FastifyRequest<{ Body: StepUp }>) {
    const { password, code } = request.body;
    await confirmStepUp(context, request.signedIn, { password, code });
    const { auth, headersOf } = await context.auth();
    return { auth, call: { headers: headersOf(request), body: { password: password! }, returnHeaders: true } as const };
  }

  app.post("/two-factor/enable", {
    schema: { hide: true, body: StepUpRequest, response: { 200: EnableTwoFactorReply } },
    async handler(request, reply) {
      const { auth, call } = await withStepUp(request);
      const { headers, response } = await auth.api.enableTwoFactor({ ...call, body: { ...call.body, method: "totp" } }).catch(translateAuthError);
      passCookies(reply, headers);
      if (response.method !== "totp") throw new Error(`expected the method totp, got ${response.method}`);
      return { totp_uri: response.totpURI, recovery_codes: response.backupCodes };
    },
  });
  app.post("/two-factor/disable", {
    schema: { hide: true, body: StepUpRequest, response: { 200: DoneReply } },
    async handler(request, reply) {
      const { auth, call } = await withStepUp(request);
      const { headers } = await auth.api.disableTwoFactor(call).catch(translateAuthError);
      passCookies(reply, headers);
      await mailTwoFactorChange(context, request.signedIn, { enabled: false });
      return done;
    },
  });
  app.post("/two-factor/generate-backup-codes", {
    schema: { hide: true, body: StepUpRequest, response: { 200: RecoveryCodesReply } },
    async handler(request, reply) {
      const { auth, call } = await withStepUp(request);
      const { headers, response } = await auth.api.generateBackupCodes(call).catch(translateAuthError);
      passCookies(reply, headers);
      const { accountId } = request.signedIn;
      await noteAction(context.store.db, { actorAccountId: accountId, action: "account.recovery_codes", subject: accountId, detail: {}, nowMs: context.nowMs() }).execute();
      return { recovery_codes: response.backupCodes };
    },
  });
}

/** A suspended account can still manage its sessions, change its password and close. */
export async function addSecurityRoutes(app: TypedApp, context: PeopleContext & { readSignIn: ReadSignIn }): Promise<void> {
  app.addHook("onRequest", requireSignIn({ readSignIn: context.readSignIn, publicUrl: context.configuredUrl }));
  addSessionRoutes(app, context);
  app.post("/close-account", {
    schema: { hide: true, body: CloseAccountRequest, response: { 200: CloseAccountReply } },
    async handler({ signedIn, body }) {
      const { status, balanceUsd } = await closeAccount(context, signedIn, { ...body, forfeit: body.forfeit === true });
      return { status, balance_usd: balanceUsd };
    },
  });
  app.post("/change-password", {
    schema: { hide: true, body: ChangePasswordRequest, response: { 200: DoneReply } },
    async handler({ signedIn, body }) {
      await changePassword(context, signedIn, { current: body.currentPassword, next: body.newPassword });
      return done;
    },
  });
  await app.register(async (active: TypedApp) => {
    active.addHook("onRequest", refuseUnlessActive);
    addTwoFactorRoutes(active, context);
    active.post("/change-email", {
      schema: { hide: true, body: ChangeEmailRequest, response: { 200: DoneReply } },
      async handler({ signedIn, body }) {
        await requestAddressChange(context, signedIn, { newEmail: body.newEmail, password: body.password, code: body.code });
        return done;
      },
    });
  });
}
