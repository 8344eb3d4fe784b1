import {
  ChangeSettingsRequest,
  PayeeProfile,
  PayeeReply,
  SettingsReply,
  TierRequest,
  TierRequestReply,
  TiersReply,
} from "@assay/contract/dashboard/settings.ts";
import { announceChange, selectKeysSeenInBrowser } from "../../access/keys/keys.table.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { describeTier } from "../../money/price.ts";
import { selectOwnAccount, setHouseAds, setSessionRetention } from "../../register/accounts.table.ts";
import { checkPayee } from "../../register/check-payee.ts";
import { selectPayee, upsertPayee } from "../../register/payees.table.ts";
import { selectPendingTierRequest } from "../../register/tier-requests.table.ts";
import { selectTiers } from "../../register/tiers.table.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { requestTier, upgradesFor } from "./request-tier.ts";

async function readSettings(context: DeveloperContext, accountId: string): Promise<SettingsReply> {
  const { db } = context.store;
  const [account, seen] = await Promise.all([
    selectOwnAccount(db, accountId).executeTakeFirstOrThrow(),
    selectKeysSeenInBrowser(db, { accountId, nowMs: context.nowMs() }).execute(),
  ]);
  return {
    email: account.email,
    verified: account.verified_at !== null,
    status: account.status,
    operator: account.operator === 1,
    demo: account.demo === 1,
    created_at: isoTime(account.created_at),
    tier: account.tier,
    house_ads: account.house_ads === 1,
    session_retention_days: Math.min(account.session_retention_days ?? context.retentionDays, context.retentionDays),
    session_retention_days_max: context.retentionDays,
    payer: context.payer,
    payer_explained: context.payerExplained,
    keys_seen_in_browser: seen.map((key) => ({ key_id: key.id, name: key.name, seen_at: isoTime(key.seen_in_browser_at!) })),
  };
}

async function changeSettings(context: DeveloperContext, accountId: string, change: ChangeSettingsRequest): Promise<void> {
  const { db } = context.store;
  const { house_ads: houseAds, session_retention_days: days } = change;
  if (days !== undefined && days > context.retentionDays) {
    throw new Failure("invalid_request", `session_retention_days must be at most ${context.retentionDays}`);
  }
  await context.store.write([
    ...(houseAds === undefined ? [] : [setHouseAds(db, { accountId, houseAds })]),
    ...(days === undefined ? [] : [setSessionRetention(db, { accountId, days: days === context.retentionDays ? null : days })]),
    // Nodes cache house_ads with the account's keys.
    ...announceChange(db, { subject: `account:${accountId}`, nowMs: context.nowMs() }),
  ]);
  context.authenticator.forget(`account:${accountId}`);
  context.channel?.publish(`account:${accountId}`);
}

function addPayeeRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs } = context;
  async function readPayee(accountId: string): Promise<PayeeReply> {
    const row = await selectPayee(store.db, accountId).executeTakeFirst();
    if (!row) return { profile: null, updated_at: null };
    const { updated_at: updatedAtMs, ...profile } = row;
    return { profile, updated_at: isoTime(updatedAtMs) };
  }
  app.get("/payee", {
    schema: { hide: true, response: { 200: PayeeReply } },
    handler: ({ signedIn }) => readPayee(signedIn.accountId),
  });
  app.put("/payee", {
    schema: { hide: true, body: PayeeProfile, response: { 200: PayeeReply } },
    async handler({ signedIn: { accountId }, body }) {
      const checked = checkPayee(body);
      if (checked.kind === "wrong") throw new Failure("invalid_request", checked.message);
      await store.write([upsertPayee(store.db, { account_id: accountId, ...checked.profile, updated_at: nowMs() })]);
      return readPayee(accountId);
    },
  });
}

export function addSettingsRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store } = context;
  app.get("/settings", {
    schema: { hide: true, response: { 200: SettingsReply } },
    handler: ({ signedIn }) => readSettings(context, signedIn.accountId),
  });
  app.patch("/settings", {
    schema: { hide: true, body: ChangeSettingsRequest, response: { 200: SettingsReply } },
    async handler({ signedIn: { accountId }, body }) {
      await changeSettings(context, accountId, body);
      return readSettings(context, accountId);
    },
  });
  addPayeeRoutes(app, context);
  app.get("/tiers", {
    schema: { hide: true, response: { 200: TiersReply } },
    async handler(request) {
      const { accountId } = request.signedIn;
      const [tiers, account, pending] = await Promise.all([
        selectTiers(store.db).execute(),
        selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
        selectPendingTierRequest(store.db, accountId).executeTakeFirst(),
      ]);
      return {
        current: account.tier,
        upgrades: upgradesFor(context, request),
        tiers: tiers.map(describeTier),
        pending: pending ? { tier: pending.tier, requested_at: isoTime(pending.requested_at) } : null,
      };
    },
  });
  app.post("/tier-requests", {
    schema: { hide: true, body: TierRequest, response: { 200: TierRequestReply } },
    handler: (request) =>
      requestTier(context, { accountId: request.signedIn.accountId, tier: request.body.tier, upgrades: upgradesFor(context, request) }),
  });
}
