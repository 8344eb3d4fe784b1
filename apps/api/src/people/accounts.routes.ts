import { MeReply } from "@assay/contract/dashboard/account.ts";
import type { TypedApp } from "../http/typed-app.ts";
import type { PeopleContext } from "./people-context.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { selectSignInAccount } from "./auth.table.ts";
import { addOutboxRoute } from "./outbox.route.ts";
import { type ReadSignIn, requireSignIn } from "./require-sign-in.ts";
import { addConfirmEmailRoute, addSecurityRoutes } from "./security.routes.ts";
import { addSignInRoutes } from "./sign-in.routes.ts";
import { isoTime } from "../formats/time.ts";

/** `GET /dashboard/api/me`: who is signed in. */
function addMeRoute(app: TypedApp, context: PeopleContext, readSignIn: ReadSignIn): void {
  app.get("/me", {
    onRequest: requireSignIn({ readSignIn, publicUrl: context.configuredUrl }),
    schema: { hide: true, response: { 200: MeReply } },
    async handler({ signedIn: who }) {
      const [account, signIn] = await Promise.all([
        selectAccountByEmail(context.store.db, who.email).executeTakeFirstOrThrow(),
        selectSignInAccount(context.store.db, { column: "id", value: who.accountId }).executeTakeFirstOrThrow(),
      ]);
      return {
        account: { id: account.id, email: account.email, created_at: isoTime(account.created_at) },
        tier: account.tier,
        verified: who.verified,
        operator: who.operator,
        two_factor_enabled: Number(signIn.second_factors) > 0,
        status: account.status,
        demo: account.demo === 1,
      };
    },
  });
}

/** Everything about accounts under /dashboard/api. None of it is part of the published interface. */
export async function addAccountRoutes(app: TypedApp, context: PeopleContext & { hasLocalMailbox: boolean; readSignIn: ReadSignIn }): Promise<void> {
  const { readSignIn } = context;
  await app.register(
    async (dashboard: TypedApp) => {
      addMeRoute(dashboard, context, readSignIn);
      addOutboxRoute(dashboard, context, readSignIn);
      await dashboard.register(async (auth: TypedApp) => addSignInRoutes(auth, context), { prefix: "/auth" });
      await dashboard.register(async (auth: TypedApp) => addConfirmEmailRoute(auth, context, readSignIn), { prefix: "/auth" });
      await dashboard.register(async (auth: TypedApp) => addSecurityRoutes(auth, context, readSignIn), { prefix: "/auth" });
    },
    { prefix: "/dashboard/api" },
  );
}
