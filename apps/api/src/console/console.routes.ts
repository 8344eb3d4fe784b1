/** What people see in a browser: sign-in, the dashboard and its API, the operator's console, the mailbox, the pages. */
import type { FastifyInstance } from "fastify";
import { fileURLToPath } from "node:url";
import { addAccountRoutes } from "../people/accounts.routes.ts";
import type { Inventory } from "../ads/campaigns/follow-inventory.ts";
import type { PeopleContext } from "../people/people-context.ts";
import { openAccounts } from "../people/open-accounts.ts";
import type { TakeTurn } from "../queues/take-turns.ts";
import type { CallPayer } from "../store/schema.ts";
import type { SignInGuard } from "../people/require-sign-in.ts";
import { floorMicroUsd } from "../ads/auction/snapshot.ts";
import { addAdsReportRoute, addOperatorCampaignRoutes } from "./operator/campaigns.routes.ts";
import type { DeveloperContext } from "./developer/developer-context.ts";
import { addDashboardRoutes } from "./developer/dashboard.routes.ts";
import { listeningAddress } from "../http/listening-address.ts";
import { queueReports } from "../http/queue-reports.ts";
import { addMailboxRoutes } from "../mail/mailbox.routes.ts";
import { payerExplained } from "../operations/operations.routes.ts";
import { addOperatorRoutes } from "./operator/operator.routes.ts";
import { addPages } from "./pages/pages.routes.ts";
import { callPriceMicroUsd } from "../money/price.ts";
import { usdOf } from "../formats/money.ts";

const dashboardApi = "/dashboard/api/";
/** Read by key, and asked for by every page again and again. */
const quickReads = new Set(["me", "live", "settings", "payee", "keys", "tiers"].map((name) => `${dashboardApi}${name}`));
/** Whatever the pages show of many rows. Who signs in has no account yet to wait for. */
const isReport = (url: string) => url.startsWith(dashboardApi) && !url.startsWith(`${dashboardApi}auth/`) && !quickReads.has(url);

/** What scripts/build-dashboard.ts builds. */
export const pagesFolder = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

/** What the console's routes work with, all of them together. */
export type ConsoleContext = Omit<DeveloperContext, keyof ConsoleSettings | "payer" | "payerExplained" | "retentionDays"> &
  Pick<PeopleContext, "mailQueued" | "forgetMails"> & {
    settings: ConsoleSettings;
    version: string;
    inventory: Inventory;
    commitQueueDepth: () => number;
    reportInTurn: TakeTurn;
    /** Where the service is reached; known, at the latest, from the moment it listens. */
    listening: { address: string | undefined };
  };

type ConsoleSettings = Pick<DeveloperContext, "tierUpgrades" | "payoutMinimumMicroUsd" | "operator"> & {
  host: string;
  publicUrl: string | undefined;
  cdnUrl: string | undefined;
  smtpUrl: string | undefined;
  secretKey: string | undefined;
  callPayer: CallPayer;
  sessionRetentionDays: number;
};

async function addOperatorConsole(app: FastifyInstance, context: ConsoleContext, reached: { guard: SignInGuard; publicUrl: () => string }): Promise<void> {
  const { guard, publicUrl } = reached;
  const { settings } = context;
  await addOperatorRoutes(app, {
    ...context,
    guard,
    forget: context.authenticator.forget,
    payoutMinimumMicroUsd: settings.payoutMinimumMicroUsd,
    system: {
      version: context.version,
      modelVersion: context.model.version,
      startedMs: context.nowMs(),
      limiterMode: context.limiter.mode,
      commitQueueDepth: context.commitQueueDepth,
      mailTransport: settings.smtpUrl === undefined ? "local mailbox" : "SMTP",
    },
  });
  const campaigns = { ...context, floorMicroUsd, guard, cdnUrl: () => settings.cdnUrl ?? `${publicUrl()}/cdn` };
  await addOperatorCampaignRoutes(app, campaigns);
  await addAdsReportRoute(app, campaigns);
}

export async function addConsoleRoutes(app: FastifyInstance, context: ConsoleContext): Promise<void> {
  const { settings } = context;
  const publicUrl = () => settings.publicUrl ?? listeningAddress(app, settings.host);
  const hasLocalMailbox = settings.smtpUrl === undefined;
  const accounts = openAccounts({ ...context, configuredUrl: settings.publicUrl, publicUrl, secretKey: settings.secretKey });
  const guard = { readSignIn: accounts.readSignIn, publicUrl: settings.publicUrl };
  queueReports(app, { inTurn: context.reportInTurn, isReport, accountOf: ({ signedIn }) => signedIn.accountId });
  await addAccountRoutes(app, { ...accounts, hasLocalMailbox });
  await addDashboardRoutes(app, {
    ...context,
    ...settings,
    payer: settings.callPayer,
    payerExplained: payerExplained[settings.callPayer],
    retentionDays: settings.sessionRetentionDays,
    guard,
  });
  await addOperatorConsole(app, context, { guard, publicUrl });
  if (hasLocalMailbox) addMailboxRoutes(app, context.store);
  await addPages(app, {
    distFolder: pagesFolder,
    publicUrl: settings.publicUrl,
    imagesUrl: () => settings.cdnUrl ?? context.listening.address,
    version: context.version,
    modelVersion: context.model.version,
    priceUsd: usdOf(callPriceMicroUsd),
    payerExplained: payerExplained[settings.callPayer],
  });
}
