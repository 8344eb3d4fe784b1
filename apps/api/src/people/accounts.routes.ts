import { MeReply } from "@assay/contract/dashboard/account.ts";
import type { TypedApp } from "../http/typed-app.ts";
import type { AccountsDeps } from "./accounts-deps.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { selectSignInAccount } from "./auth.table.ts";
import { addOutboxRoute } from "./outbox.route.ts";
import { type ReadSignIn, requireSignIn } from "./require-sign-in.ts";
import { addConfirmEmailRoute, addSecurityRoutes } from "./security.routes.ts";
import { addSignInRoutes } from "./sign-in.routes.ts";
import { isoTime } from "../formats/time.ts";

/** `GET /dashboard/api/me`: who is signed in. */
function addMeRoute(app: TypedApp, deps: AccountsDeps, readSignIn: ReadSignIn): void {
  app.get("/me", {
    onRequest: requireSignIn({ readSignIn, publicUrl: deps.configuredUrl }),
    schema: { hide: true, response: { 200: MeReply } },
    async handler({ signedIn: who }) {
      const [account, signIn] = await Promise.all([
        selectAccountByEmail(deps.store.db, who.email).executeTakeFirstOrThrow(),
        selectSignInAccount(deps.store.db, { column: "id", value: who.accountId }).executeTakeFirstOrThrow(),
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
export async function addAccountRoutes(app: TypedApp, deps: AccountsDeps & { hasLocalMailbox: boolean; readSignIn: ReadSignIn }): Promise<void> {
  const { readSignIn } = deps;
  await app.register(
    async (dashboard: TypedApp) => {
      addMeRoute(dashboard, deps, readSignIn);
      addOutboxRoute(dashboard, deps, readSignIn);
      await dashboard.register(async (auth: TypedApp) => addSignInRoutes(auth, deps), { prefix: "/auth" });
      await dashboard.register(async (auth: TypedApp) => addConfirmEmailRoute(auth, deps, readSignIn), { prefix: "/auth" });
      await dashboard.register(async (auth: TypedApp) => addSecurityRoutes(auth, deps, readSignIn), { prefix: "/auth" });
    },
    { prefix: "/dashboard/api" },
  );
}
