import { MeReply, OutboxReply } from "@assay/contract/dashboard/account.ts";
import type { onRequestAsyncHookHandler } from "fastify";
import { isoTime } from "../formats/time.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { countMailsByState, selectFailedMails } from "../mail/mails.table.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { selectSignInAccount } from "./sign-ins.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { isActiveOperator, needsSecondFactor, operatorGuard, type OperatorRule } from "./require-operator.ts";
import { type ReadSignIn, requireSignIn } from "./require-sign-in.ts";
import { addSecurityRoutes } from "./security.routes.ts";
import { addSignInRoutes } from "./sign-in.routes.ts";

function addMeRoute(app: TypedApp, context: PeopleContext & OperatorRule, onRequest: onRequestAsyncHookHandler): void {
  app.get("/me", {
    onRequest,
    config: { readsOneRow: true },
    schema: { hide: true, response: { 200: MeReply } },
    async handler({ signedIn }) {
      const [account, signIn, isFactorDue] = await Promise.all([
        selectAccountByEmail(context.store.db, signedIn.email).executeTakeFirstOrThrow(),
        selectSignInAccount(context.store.db, { column: "id", value: signedIn.accountId }).executeTakeFirstOrThrow(),
        needsSecondFactor(context, signedIn),
      ]);
      return {
        account: { id: account.id, email: account.email, created_at: isoTime(account.created_at) },
        tier: account.tier,
        verified: signedIn.verified,
        operator: isActiveOperator(signedIn),
        two_factor_enabled: Number(signIn.second_factors) > 0,
        second_factor_required: isFactorDue,
        status: account.status,
        demo: account.demo === 1,
      };
    },
  });
}

const failuresShownMax = 50;

function addOutboxRoute(app: TypedApp, context: OperatorRule, signIn: onRequestAsyncHookHandler): void {
  const { store } = context;
  const requireOperator = operatorGuard(context);
  app.get("/operator/outbox", {
    onRequest: [signIn, requireOperator],
    schema: { hide: true, response: { 200: OutboxReply } },
    async handler() {
      const [states, failures] = await Promise.all([countMailsByState(store.db).execute(), selectFailedMails(store.db, failuresShownMax).execute()]);
      const countOf = (state: string) => states.find((each) => each.state === state)?.count ?? 0;
      const oldest = states.find(({ state }) => state === "queued")?.oldest_at;
      return {
        queued: countOf("queued"),
        oldest_queued_at: oldest === undefined ? null : isoTime(oldest),
        sent: countOf("sent"),
        failed: countOf("failed"),
        failures: failures.map((mail) => ({
          id: mail.id,
          kind: mail.kind,
          account_id: mail.account_id,
          attempts: mail.attempts,
          reason: mail.last_error ?? "",
          created_at: isoTime(mail.created_at),
        })),
      };
    },
  });
}

/** The account routes under /dashboard/api. They are not part of the published API. */
export async function addAccountRoutes(app: TypedApp, context: PeopleContext & OperatorRule & { hasLocalMailbox: boolean; isLocal: boolean; readSignIn: ReadSignIn }): Promise<void> {
  await app.register(
    async (dashboard: TypedApp) => {
      const signIn = requireSignIn({ readSignIn: context.readSignIn, publicUrl: context.configuredUrl });
      addMeRoute(dashboard, context, signIn);
      addOutboxRoute(dashboard, context, signIn);
      await dashboard.register(async (auth: TypedApp) => addSignInRoutes(auth, context), { prefix: "/auth" });
      await dashboard.register(async (auth: TypedApp) => addSecurityRoutes(auth, context), { prefix: "/auth" });
    },
    { prefix: "/dashboard/api" },
  );
}
