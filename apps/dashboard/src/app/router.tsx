import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, notFound, Outlet, redirect } from "@tanstack/react-router";
import { meQuery } from "../api/account.ts";
import { ApiError } from "../api/request.ts";
import { ErrorPage, NotFoundPage, LoadingPage } from "./fallback-pages.tsx";
import { Shell } from "./shell.tsx";
import { VisitorLayout } from "./visitor-layout.tsx";

const textOf = (value: unknown): string | undefined => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Keeps the named search parameters as text and drops all others. */
const pickSearch =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(names.map((name) => [name, textOf(search[name])]).filter(([, value]) => value !== undefined));

const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const visitorRoute = createRoute({ getParentRoute: () => rootRoute, id: "visitor", component: VisitorLayout });

const signUpRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("../pages/visitor/sign-up-page.tsx"), "SignUpPage"),
});
const checkMailRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/check-mail",
  validateSearch: pickSearch("email", "why"),
  component: lazyRouteComponent(() => import("../pages/visitor/check-mail-page.tsx"), "CheckMailPage"),
});
const signInRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/sign-in",
  validateSearch: pickSearch("next", "email", "reset", "closed"),
  component: lazyRouteComponent(() => import("../pages/visitor/sign-in-page.tsx"), "SignInPage"),
});
const forgotRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/forgot-password",
  component: lazyRouteComponent(() => import("../pages/visitor/forgot-page.tsx"), "ForgotPage"),
});
const resetRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/reset-password",
  validateSearch: pickSearch("token"),
  component: lazyRouteComponent(() => import("../pages/visitor/reset-page.tsx"), "ResetPage"),
});
const verifyRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/verify-email",
  validateSearch: pickSearch("token"),
  component: lazyRouteComponent(() => import("../pages/visitor/verify-page.tsx"), "VerifyPage"),
});
const confirmEmailRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: "/confirm-email",
  validateSearch: pickSearch("token"),
  component: lazyRouteComponent(() => import("../pages/visitor/confirm-email-page.tsx"), "ConfirmEmailPage"),
});

/** Pages that do not require sign-in. */
export const visitorPaths: ReadonlySet<string> = new Set(["/sign-up", "/verify-email", "/confirm-email", "/check-mail", "/sign-in", "/forgot-password", "/reset-password"]);

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "account",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData(meQuery);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) redirect({ to: "/sign-in", search: { next: location.href }, throw: true });
      throw error;
    }
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/",
  validateSearch: pickSearch("verified"),
  component: lazyRouteComponent(() => import("../pages/overview/overview-page.tsx"), "OverviewPage"),
});
const keysRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("../pages/keys/keys-page.tsx"), "KeysPage"),
});
const sitesRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/sites",
  component: lazyRouteComponent(() => import("../pages/sites/sites-page.tsx"), "SitesPage"),
});
const usageRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/usage",
  validateSearch: pickSearch("days", "group"),
  component: lazyRouteComponent(() => import("../pages/usage/usage-page.tsx"), "UsagePage"),
});
const revenueRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/revenue",
  validateSearch: pickSearch("days", "month"),
  component: lazyRouteComponent(() => import("../pages/revenue/revenue-page.tsx"), "RevenuePage"),
});
const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/sessions",
  validateSearch: pickSearch("level", "mode", "outcome", "session"),
  component: lazyRouteComponent(() => import("../pages/sessions/sessions-page.tsx"), "SessionsPage"),
});
const findingsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/findings",
  component: lazyRouteComponent(() => import("../pages/findings/findings-page.tsx"), "OwnFindingsPage"),
});
const playgroundRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/playground",
  component: lazyRouteComponent(() => import("../pages/playground/playground-page.tsx"), "PlaygroundPage"),
});
const logsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/logs",
  validateSearch: pickSearch("status", "key_id", "request_id"),
  component: lazyRouteComponent(() => import("../pages/logs/logs-page.tsx"), "LogsPage"),
});
const webhooksRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/webhooks",
  validateSearch: pickSearch("endpoint", "state", "delivery"),
  component: lazyRouteComponent(() => import("../pages/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const settingsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/settings",
  validateSearch: pickSearch("part", "email"),
  component: lazyRouteComponent(() => import("../pages/settings/settings-page.tsx"), "SettingsPage"),
});

const adsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/ads",
  validateSearch: pickSearch("days"),
  component: lazyRouteComponent(() => import("../pages/ads/ads-page.tsx"), "AdsPage"),
});

/** For accounts that are not operators these pages return "not found", as their API does. */
const operatorRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/operator",
  component: lazyRouteComponent(() => import("../pages/operator/operator-gate.tsx"), "OperatorGate"),
  beforeLoad: async ({ context }) => {
    const me = await context.queries.ensureQueryData(meQuery);
    if (!me.operator) notFound({ throw: true });
  },
});
const operatorIndexRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/",
  beforeLoad: () => redirect({ to: "/operator/money", throw: true }),
});
const operatorMoneyRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/money",
  component: lazyRouteComponent(() => import("../pages/operator/money-page.tsx"), "MoneyPage"),
});
const operatorPayoutsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/payouts",
  validateSearch: pickSearch("status"),
  component: lazyRouteComponent(() => import("../pages/operator/payouts-page.tsx"), "PayoutsPage"),
});
const operatorAccountsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/accounts",
  validateSearch: pickSearch("search"),
  component: lazyRouteComponent(() => import("../pages/operator/accounts-page.tsx"), "AccountsPage"),
});
const operatorAccountRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/accounts/$accountId",
  validateSearch: pickSearch("part"),
  component: lazyRouteComponent(() => import("../pages/operator/account-page.tsx"), "AccountPage"),
});
const operatorCampaignsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/campaigns",
  component: lazyRouteComponent(() => import("../pages/operator/campaigns-page.tsx"), "CampaignsPage"),
});
const operatorCampaignRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(() => import("../pages/operator/campaign-page.tsx"), "CampaignPage"),
});
const operatorFindingsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/findings",
  component: lazyRouteComponent(() => import("../pages/operator/findings-page.tsx"), "FindingsPage"),
});
const operatorReviewsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/reviews",
  component: lazyRouteComponent(() => import("../pages/operator/reviews-page.tsx"), "ReviewsPage"),
});
const operatorWebhooksRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/webhooks",
  validateSearch: pickSearch("endpoint", "state", "delivery"),
  component: lazyRouteComponent(() => import("../pages/operator/webhooks-page.tsx"), "OperatorWebhooksPage"),
});
const operatorModelsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/models",
  component: lazyRouteComponent(() => import("../pages/operator/models-page.tsx"), "ModelsPage"),
});
const operatorSystemRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/system",
  component: lazyRouteComponent(() => import("../pages/operator/system-page.tsx"), "SystemPage"),
});
const operatorAuditRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/audit",
  validateSearch: pickSearch("actor", "action", "account"),
  component: lazyRouteComponent(() => import("../pages/operator/audit-page.tsx"), "AuditPage"),
});

const routeTree = rootRoute.addChildren([
  visitorRoute.addChildren([signUpRoute, verifyRoute, confirmEmailRoute, checkMailRoute, signInRoute, forgotRoute, resetRoute]),
  accountRoute.addChildren([
    overviewRoute,
    keysRoute,
    sitesRoute,
    usageRoute,
    revenueRoute,
    sessionsRoute,
    findingsRoute,
    playgroundRoute,
    adsRoute,
    logsRoute,
    webhooksRoute,
    settingsRoute,
    operatorRoute.addChildren([
      operatorIndexRoute,
      operatorMoneyRoute,
      operatorPayoutsRoute,
      operatorAccountsRoute,
      operatorAccountRoute,
      operatorCampaignsRoute,
      operatorCampaignRoute,
      operatorFindingsRoute,
      operatorReviewsRoute,
      operatorWebhooksRoute,
      operatorModelsRoute,
      operatorSystemRoute,
      operatorAuditRoute,
    ]),
  ]),
]);

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: "/dashboard",
    context: { queries },
    defaultPreload: "intent",
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: LoadingPage,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
