/** What people see in a browser: sign-in, the dashboard and its API, the operator's console, the mailbox, the pages. */
import type { FastifyInstance } from "fastify";
import { fileURLToPath } from "node:url";
import { addAccountRoutes } from "./accounts/accounts.routes.ts";
import { openAccounts } from "./accounts/open-accounts.ts";
import type { SignInGuard } from "./accounts/require-sign-in.ts";
import { floorMicroUsd } from "./auction/floor-price.ts";
import { callPriceMicroUsd, usdOf } from "./billing/money.ts";
import { addAdsReportRoute, addOperatorCampaignRoutes } from "./campaigns/operator-campaigns.routes.ts";
import { addDashboardRoutes } from "./dashboard/dashboard.routes.ts";
import type { PlaygroundTickets } from "./dashboard/playground-tickets.ts";
import type { Deps } from "./deps.ts";
import { listeningAddress } from "./http/listening-address.ts";
import { queueReports } from "./http/queue-reports.ts";
import { addMailboxRoutes } from "./mail/mailbox.routes.ts";
import { payerExplained } from "./operations/operations.routes.ts";
import { addOperatorRoutes } from "./operator/operator.routes.ts";
import { addPages } from "./pages/pages.routes.ts";

const dashboardApi = "/dashboard/api/";
/** Read by key, and asked for by every page again and again. */
const quickReads = new Set(["me", "live", "settings", "payee", "keys", "tiers"].map((name) => `${dashboardApi}${name}`));
/** Whatever the pages show of many rows. Who signs in has no account yet to wait for. */
const isReport = (url: string) => url.startsWith(dashboardApi) && !url.startsWith(`${dashboardApi}auth/`) && !quickReads.has(url);

/** What scripts/build-dashboard.ts builds. */
export const pagesFolder = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

async function addConsoles(app: FastifyInstance, deps: Deps, context: { guard: SignInGuard; publicUrl: () => string }): Promise<void> {
  const { guard, publicUrl } = context;
  await addOperatorRoutes(app, {
    ...deps,
    guard,
    forget: deps.authenticator.forget,
    payoutMinimumMicro: deps.config.payoutMinimumMicro,
    system: {
      version: deps.version,
      modelVersion: deps.model.version,
      startedMs: deps.nowMs(),
      limiterMode: deps.limiter.mode,
      commitQueueDepth: deps.charger.depth,
      mailTransport: deps.config.smtpUrl === undefined ? "local mailbox" : "SMTP",
    },
  });
  const campaigns = { ...deps, floorMicroUsd, guard, cdnUrl: () => deps.config.cdnUrl ?? `${publicUrl()}/cdn` };
  await addOperatorCampaignRoutes(app, campaigns);
  await addAdsReportRoute(app, campaigns);
}

export async function addPeoplesRoutes(app: FastifyInstance, deps: Deps, tickets: PlaygroundTickets): Promise<void> {
  const { config } = deps;
  const publicUrl = () => config.publicUrl ?? listeningAddress(app, config.host);
  const hasLocalMailbox = config.smtpUrl === undefined;
  const accounts = openAccounts({ ...deps, publicUrl });
  const guard = { readSignIn: accounts.readSignIn, publicUrl: config.publicUrl };
  queueReports(app, { inTurn: deps.reportInTurn, isReport, accountOf: ({ signedIn }) => signedIn.accountId });
  await addAccountRoutes(app, { ...accounts, hasLocalMailbox });
  await addDashboardRoutes(app, {
    ...deps,
    ...config,
    tickets,
    payer: config.callPayer,
    payerExplained: payerExplained[config.callPayer],
    retentionDays: config.sessionRetentionDays,
    guard,
  });
  await addConsoles(app, deps, { guard, publicUrl });
  if (hasLocalMailbox) addMailboxRoutes(app, deps.store);
  await addPages(app, {
    distFolder: pagesFolder,
    publicUrl: config.publicUrl,
    imagesUrl: () => config.cdnUrl ?? deps.listening.address,
    version: deps.version,
    modelVersion: deps.model.version,
    priceUsd: usdOf(callPriceMicroUsd),
    payerExplained: payerExplained[config.callPayer],
  });
}
