import {
  ChangePayeeRequest,
  ChangeSettingsRequest,
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
import { bankCountryOf } from "../../register/bank-account.ts";
import { changePayee } from "../../people/change-payee.ts";
import type { PeopleContext } from "../../people/people-context.ts";
import { selectOwnAccount, setHouseAds, setPinnedModel, setSessionRetention } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import { selectPayee } from "../../register/payees.table.ts";
import { selectPendingTierRequest } from "../../register/tier-requests.table.ts";
import { selectTiers } from "../../register/tiers.table.ts";
import { checkPinnable, describeModelChoice } from "./models.route.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { requestTier, upgradesFor } from "./request-tier.ts";

/** `people`: for changes that ask for the password again. */
export type SettingsContext = DeveloperContext & { people: PeopleContext };

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
    operator: account.operator === 1 && account.status === "active",
    demo: account.demo === 1,
    created_at: isoTime(account.created_at),
    tier: account.tier,
    house_ads: account.house_ads === 1,
    session_retention_days: Math.min(account.session_retention_days ?? context.retentionDays, context.retentionDays),
    session_retention_days_max: context.retentionDays,
    model_version: account.model_version,
    model: describeModelChoice(context, { pinnedModel: account.model_version, accountCreatedMs: account.created_at }),
    payer: context.payer,
    payer_explained: context.payerExplained,
    keys_seen_in_browser: seen.map((key) => ({ key_id: key.id, name: key.name, seen_at: isoTime(key.seen_in_browser_at!) })),
  };
}

async function changeSettings(context: DeveloperContext, accountId: string, change: ChangeSettingsRequest): Promise<void> {
  const { db } = context.store;
  const account = await selectOwnAccount(db, accountId).executeTakeFirstOrThrow();
  /** What is as asked for already is neither written nor noted. */
  const unlessSame = <Value>(asked: Value | undefined, present: Value): Value | undefined => (asked === present ? undefined : asked);
  const houseAds = unlessSame(change.house_ads, account.house_ads === 1);
  const days = unlessSame(change.session_retention_days, account.session_retention_days ?? context.retentionDays);
  const version = unlessSame(change.model_version, account.model_version);
  if (houseAds === undefined && days === undefined && version === undefined) return;
  if (days !== undefined && days > context.retentionDays) {
    throw new Failure("invalid_request", `session_retention_days must be at most ${context.retentionDays}`);
  }
  if (typeof version === "string") checkPinnable(context.models, version, context.nowMs());
  await context.store.write([
    ...(houseAds === undefined ? [] : [setHouseAds(db, { accountId, houseAds })]),
    ...(days === undefined ? [] : [setSessionRetention(db, { accountId, days: days === context.retentionDays ? null : days })]),
    ...(version === undefined ? [] : [setPinnedModel(db, { accountId, version })]),
    // Nodes cache house_ads and the pinned model with the account's keys.
    ...announceChange(db, { subject: `account:${accountId}`, nowMs: context.nowMs() }),
    noteAction(db, { actorAccountId: accountId, action: "account.settings", subject: accountId, detail: change, nowMs: context.nowMs() }),
  ]);
  context.authenticator.forget(`account:${accountId}`);
  context.channel?.publish(`account:${accountId}`);
}

function addPayeeRoutes(app: TypedApp, { store, nowMs, people }: SettingsContext): void {
  async function readPayee(accountId: string): Promise<PayeeReply> {
    const row = await selectPayee(store.db, accountId).executeTakeFirst();
    const rest = { change_hold_days: people.payeeChangeHoldDays };
    if (!row) return { profile: null, updated_at: null, usable_from: null, ...rest };
    const { updated_at: updatedAtMs, usable_from: usableFromMs, ...stored } = row;
    const profile = { ...stored, bank_country: bankCountryOf(stored) };
    return { profile, updated_at: isoTime(updatedAtMs), usable_from: usableFromMs > nowMs() ? isoTime(usableFromMs) : null, ...rest };
  }
  app.get("/payee", {
    config: { readsOneRow: true },
    schema: { hide: true, response: { 200: PayeeReply } },
    handler: ({ signedIn }) => readPayee(signedIn.accountId),
  });
  app.put("/payee", {
    schema: { hide: true, body: ChangePayeeRequest, response: { 200: PayeeReply } },
    async handler({ signedIn, body }) {
      const { password, code, ...profile } = body;
      await changePayee(people, signedIn, { profile, stepUp: { password, code } });
      return readPayee(signedIn.accountId);
    },
  });
}

export function addSettingsRoutes(app: TypedApp, context: SettingsContext): void {
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
