/** Everything for browsers: sign-in, the dashboard and its API, the operator's console, the mailbox and the pages. */
import { formatVerifierKey } from "@assay/tlog/note.ts";
import type { FastifyInstance } from "fastify";
import { fileURLToPath } from "node:url";
import { floorMicroUsd } from "../ads/auction/snapshot.ts";
import type { Inventory } from "../ads/campaigns/follow-inventory.ts";
import { usdOf } from "../formats/money.ts";
import { listeningAddress } from "../http/listening-address.ts";
import { queueReports } from "../http/queue-reports.ts";
import { addMailboxRoutes } from "../mail/mailbox.routes.ts";
import { type GrowthLimits, growthLimitsOf } from "../money/growth/read-growth.ts";
import { readLogKeys } from "../money/ledger/log/log-keys.ts";
import { readCheckpoint } from "../money/ledger/log/read-log.ts";
import type { Witness } from "../money/ledger/log/witness/ask-witnesses.ts";
import { callPriceMicroUsd } from "../money/price.ts";
import { payerExplained } from "../operations/operations.routes.ts";
import { addAccountRoutes } from "../people/accounts.routes.ts";
import { addUnsubscribeRoutes } from "../people/notices/unsubscribe.routes.ts";
import { createPeopleContext, type PeopleContext } from "../people/people-context.ts";
import type { SignedIn } from "../people/require-sign-in.ts";
import type { TakeTurn } from "../queues/take-turns.ts";
import type { CallPayer } from "../store/schema.ts";
import { addDashboardRoutes } from "./developer/dashboard.routes.ts";
import type { DeveloperContext } from "./developer/developer-context.ts";
import { addOperatorRoutes } from "./operator/operator.routes.ts";
import { addPages } from "./pages/pages.routes.ts";
import { limitWrites } from "./limit-writes.ts";
import type { WebhooksContext } from "./webhooks/webhooks.routes.ts";

const dashboardApi = "/dashboard/api/";
/** Built by scripts/build-dashboard.ts. */
export const pagesFolder = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

export type ConsoleContext = Omit<DeveloperContext, keyof ConsoleSettings | "payer" | "payerExplained" | "retentionDays" | "log"> &
  Pick<PeopleContext, "wakeMailer" | "deleteMailFiles" | "sealer" | "marks"> &
  Pick<WebhooksContext, "egress" | "webhookKey" | "wakeSender"> & {
    settings: ConsoleSettings;
    version: string;
    inventory: Inventory;
    commitQueueDepth: () => number;
    reportInTurn: TakeTurn;
    logWitnesses: readonly Witness[];
    /** The service's address; set at the latest when it listens. */
    listening: { address: string | undefined };
  };

type ConsoleSettings = Pick<DeveloperContext, "tierUpgrades" | "isLocal" | "payoutMinimumMicroUsd" | "callHoldDays" | "operator"> & GrowthLimits & {
  host: string;
  publicUrl: string | undefined;
  cdnUrl: string | undefined;
  smtpUrl: string | undefined;
  operatorSecondFactor: boolean;
  /** Opens the local mailbox; undefined where there is none. */
  localToken: string | undefined;
  callPayer: CallPayer;
  ledgerLog: "public" | "developers" | "off";
  sessionRetentionDays: number;
  payoutFourEyes: boolean;
  payeeChangeHoldDays: number;
};

/** What the dashboard shows of the log: everybody sees their own proofs, whoever else may read the log. */
function openLog(context: ConsoleContext): DeveloperContext["log"] {
  if (context.settings.ledgerLog === "off") return undefined;
  return {
    async readKeys() {
      const checkpoint = await readCheckpoint(context.store);
      return checkpoint ? (await readLogKeys(context, checkpoint.origin)).map(({ vkey }) => vkey) : [];
    },
    readWitnessKeys: () => Promise.all(context.logWitnesses.map(({ key }) => formatVerifierKey(key))),
  };
}

export async function addConsoleRoutes(app: FastifyInstance, context: ConsoleContext): Promise<void> {
  const { settings } = context;
  const publicUrl = () => settings.publicUrl ?? listeningAddress(app, settings.host);
  const hasMailServer = settings.smtpUrl !== undefined;
  const { payeeChangeHoldDays } = settings;
  const people = createPeopleContext({ ...context, configuredUrl: settings.publicUrl, publicUrl, payeeChangeHoldDays });
  const guard = { readSignIn: people.readSignIn, publicUrl: settings.publicUrl };
  // Sign-in requests have no account yet.
  queueReports(app, { inTurn: context.reportInTurn, isWithin: (url) => url.startsWith(dashboardApi), accountOf: ({ signedIn }) => (signedIn as SignedIn | undefined)?.accountId });
  limitWrites(app, { limiter: context.limiter, prefix: dashboardApi });
  await addAccountRoutes(app, { ...people, hasLocalMailbox: settings.localToken !== undefined, isLocal: settings.isLocal, operatorSecondFactor: settings.operatorSecondFactor });
  await addUnsubscribeRoutes(app, context);
  await addDashboardRoutes(app, {
    ...context,
    ...settings,
    publicAddress: publicUrl,
    payer: settings.callPayer,
    payerExplained: payerExplained[settings.callPayer],
    log: openLog(context),
    retentionDays: settings.sessionRetentionDays,
    people,
    guard,
  });
  await addOperatorRoutes(app, {
    ...context,
    guard,
    operatorSecondFactor: settings.operatorSecondFactor,
    floorMicroUsd,
    cdnUrl: () => settings.cdnUrl ?? `${publicUrl()}/cdn`,
    forget: context.authenticator.forget,
    payoutMinimumMicroUsd: settings.payoutMinimumMicroUsd,
    growthLimits: growthLimitsOf(settings),
    callHoldDays: settings.callHoldDays,
    callPayer: settings.callPayer,
    payoutFourEyes: settings.payoutFourEyes,
    system: {
      version: context.version,
      modelVersion: context.models.newest.version,
      startedMs: context.nowMs(),
      limiterMode: context.limiter.mode,
      commitQueueDepth: context.commitQueueDepth,
      mailTransport: hasMailServer ? "SMTP" : "local mailbox",
    },
  });
  if (!hasMailServer) addMailboxRoutes(app, { store: context.store, isLocal: settings.isLocal, localToken: settings.localToken });
  await addPages(app, {
    distFolder: pagesFolder,
    publicUrl: settings.publicUrl,
    imagesUrl: () => settings.cdnUrl ?? context.listening.address,
    version: context.version,
    modelVersion: context.models.newest.version,
    priceUsd: usdOf(callPriceMicroUsd),
    payerExplained: payerExplained[settings.callPayer],
  });
}
