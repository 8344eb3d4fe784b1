import type { TierRequestReply } from "@assay/contract/dashboard/settings.ts";
import { changeTier } from "../../people/change-account.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { Failure } from "../../failure/failure.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { insertTierRequest, withdrawTierRequest } from "../../register/tier-requests.table.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";

/** A tier that asks more of the operator is the operator's to grant, unless upgrades are instant. */
export async function requestTier(context: DeveloperContext, wish: { accountId: string; tier: string }): Promise<TierRequestReply> {
  const { store, authenticator, channel } = context;
  const { accountId } = wish;
  const nowMs = context.nowMs();
  const [tier, account] = await Promise.all([
    selectTierByName(store.db, wish.tier).executeTakeFirst(),
    selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
  ]);
  if (!tier) throw new Failure("invalid_request", "tier must be the name of a tier");
  if (tier.name === account.tier) throw new Failure("invalid_request", "tier is the one that this account has");
  const current = await selectTierByName(store.db, account.tier).executeTakeFirstOrThrow();
  const asksNoMore = tier.per_hour <= current.per_hour && tier.per_minute <= current.per_minute && tier.share_bps <= current.share_bps;
  const isInstant = context.tierUpgrades === "instant" || asksNoMore;
  await store.write([
    withdrawTierRequest(store.db, { accountId, nowMs }),
    insertTierRequest(store.db, {
      id: timeOrderedId("tierreq", nowMs),
      account_id: accountId,
      tier: tier.name,
      state: isInstant ? "applied" : "pending",
      requested_at: nowMs,
      decided_at: isInstant ? nowMs : null,
    }),
  ]);
  if (!isInstant) return { outcome: "pending", tier: tier.name };
  await changeTier(store, { accountId, tier: tier.name, nowMs, channel });
  // This node at once; the others hear of it within half a second.
  authenticator.forget(`account:${accountId}`);
  return { outcome: "applied", tier: tier.name };
}
