import type { TierRequestReply, TiersReply } from "@assay/contract/dashboard/settings.ts";
import type { FastifyRequest } from "fastify";
import { Failure } from "../../failure/failure.ts";
import { isLoopback } from "../../http/is-loopback.ts";
import { changeTier } from "../../people/change-account.ts";
import type { TierWish, TierWishOutcome } from "../../people/request-tier.work.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import type { DeveloperContext } from "./developer-context.ts";

const requestModule = new URL("../../people/request-tier.work.ts", import.meta.url);

/** By default upgrades are instant where everything is loopback, this request included. */
export function upgradesFor(context: Pick<DeveloperContext, "isLocal" | "tierUpgrades">, request: FastifyRequest): TiersReply["upgrades"] {
  if (context.tierUpgrades !== "instant_on_loopback") return context.tierUpgrades;
  return isLoopback(request, context) ? "instant" : "review";
}

/** An upgrade waits for the operator's approval unless upgrades are instant. */
export async function requestTier(
  context: DeveloperContext,
  request: { accountId: string; tier: string; upgrades: TiersReply["upgrades"] },
): Promise<TierRequestReply> {
  const { store, authenticator, channel } = context;
  const { accountId } = request;
  const nowMs = context.nowMs();
  const [tier, account] = await Promise.all([
    selectTierByName(store.db, request.tier).executeTakeFirst(),
    selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
  ]);
  if (!tier) throw new Failure("invalid_request", "tier must be the name of a tier");
  if (tier.name === account.tier) throw new Failure("invalid_request", "tier is already this account's tier");
  const current = await selectTierByName(store.db, account.tier).executeTakeFirstOrThrow();
  const isNoUpgrade = tier.per_hour <= current.per_hour && tier.per_minute <= current.per_minute && tier.share_bps <= current.share_bps;
  const isInstant = request.upgrades === "instant" || isNoUpgrade;
  await store.transact<TierWish, TierWishOutcome>(requestModule, { accountId, tier: tier.name, isInstant, nowMs });
  if (!isInstant) return { outcome: "pending", tier: tier.name };
  await changeTier(store, { accountId, tier: tier.name, actorAccountId: accountId, fourEyes: false, nowMs, channel });
  // Drops the cached keys of this node; the other nodes follow within half a second.
  authenticator.forget(`account:${accountId}`);
  return { outcome: "applied", tier: tier.name };
}
