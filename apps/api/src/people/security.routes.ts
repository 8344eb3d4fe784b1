import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  CloseAccountReply,
  CloseAccountRequest,
  ConfirmEmailRequest,
  DoneReply,
  EnableTwoFactorReply,
  ListSessionsReply,
  RecoveryCodesReply,
  RevokeSessionRequest,
  SessionStepUpRequest,
  StepUpRequest,
  type StepUp,
} from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { isoTime } from "../formats/time.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { changePassword, confirmAddressChange, requestAddressChange } from "./change-credentials.ts";
import { closeAccount } from "./close-account.ts";
import { endSessions } from "./end-sessions.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { addSignInHooks, type ReadSignIn, refuseUnlessActive, type SignedIn } from "./require-sign-in.ts";
import { linkExpired } from "./reset-password.ts";
import { enrolFactor, removeFactor, replaceCodes } from "./second-factor.ts";
import { stepUpSession } from "./session-step-up.ts";
import { writeWithNewToken } from "./sessions.ts";
import { deleteSignIn, selectSignIns } from "./sign-ins.table.ts";
import { confirmStepUp } from "./step-up.ts";
import { networkOf } from "./throttle-rule.ts";

const sessionsShownMax = 100;
const done = { status: true } as const;

function addSessionRoutes(app: TypedApp, context: PeopleContext): void {
  const { store, nowMs } = context;
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
      // Whoever had that session may have asked for a change of address.
      const links = deleteLinksOfAccount(store.db, { accountId, kinds: ["change_email"] });
      const [ended] = await store.write([deleteSignIn(store.db, { accountId, id }), links], { guards: 1 });
      if (ended === 0) throw new Failure("not_found", "There is no such session.");
      return done;
    },
  });
  app.post("/revoke-other-sessions", {
    schema: { hide: true, response: { 200: DoneReply } },
    async handler({ signedIn }, reply) {
      const { accountId, sessionId } = signedIn;
      await writeWithNewToken(context, { signedIn, reply }, endSessions(store.db, { accountId, exceptId: sessionId }));
      return done;
    },
  });
}

/**
 * Turning the second factor off, and new recovery codes, need a code as well: else a stolen password would be enough for
 * everything that a step-up guards.
 */
function addTwoFactorRoutes(app: TypedApp, context: PeopleContext): void {
  const confirm = (signedIn: SignedIn, { password, code }: StepUp) => confirmStepUp(context, signedIn, { password, code });
  app.post("/two-factor/enable", {
    schema: { hide: true, body: StepUpRequest, response: { 200: EnableTwoFactorReply } },
    async handler({ signedIn, body }) {
      await confirm(signedIn, body);
      const { totpUri, recoveryCodes } = await enrolFactor(context, signedIn);
      return { totp_uri: totpUri, recovery_codes: recoveryCodes };
    },
  });
  app.post("/two-factor/disable", {
    schema: { hide: true, body: StepUpRequest, response: { 200: DoneReply } },
    async handler({ signedIn, body }, reply) {
      await confirm(signedIn, body);
      await removeFactor(context, { signedIn, reply });
      return done;
    },
  });
  app.post("/two-factor/generate-backup-codes", {
    schema: { hide: true, body: StepUpRequest, response: { 200: RecoveryCodesReply } },
    async handler({ signedIn, body }, reply) {
      await confirm(signedIn, body);
      const recoveryCodes = await replaceCodes(context, { signedIn, reply });
      return { recovery_codes: recoveryCodes };
    },
  });
}

/** Confirms the session for what an operator does with money. It gets another token, so that a copied cookie is not confirmed with it. */
function addStepUpRoute(app: TypedApp, context: PeopleContext): void {
  app.post("/step-up", {
    schema: { hide: true, body: SessionStepUpRequest, response: { 200: DoneReply } },
    async handler({ signedIn, body: { password, code } }, reply) {
      await stepUpSession(context, { signedIn, reply }, { password, code });
      return done;
    },
  });
}

/** A suspended account can still manage its sessions, change its password and close. */
export async function addSecurityRoutes(app: TypedApp, context: PeopleContext & { readSignIn: ReadSignIn }): Promise<void> {
  addSignInHooks(app, { readSignIn: context.readSignIn, publicUrl: context.configuredUrl });
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
    async handler({ signedIn, body }, reply) {
      await changePassword(context, { signedIn, reply }, { current: body.currentPassword, next: body.newPassword });
      return done;
    },
  });
  await app.register(async (active: TypedApp) => {
    active.addHook("onRequest", refuseUnlessActive);
    addTwoFactorRoutes(active, context);
    addStepUpRoute(active, context);
    active.post("/change-email", {
      schema: { hide: true, body: ChangeEmailRequest, response: { 200: DoneReply } },
      async handler({ signedIn, body }) {
        await requestAddressChange(context, signedIn, { newEmail: body.newEmail, password: body.password, code: body.code });
        return done;
      },
    });
    active.post("/confirm-email", {
      schema: { hide: true, body: ConfirmEmailRequest, response: { 200: DoneReply } },
      async handler({ signedIn, ip, body }, reply) {
        await context.throttle.take("link_network", networkOf(ip));
        if ((await confirmAddressChange(context, { signedIn, reply }, body.token)) === "link_expired") throw linkExpired();
        return done;
      },
    });
  });
}
