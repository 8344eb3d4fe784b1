import type { AddressClaim, ClaimOutcome } from "./claim-address.work.ts";
import type { PeopleContext } from "./people-context.ts";

const workModule = new URL("./claim-address.work.ts", import.meta.url);

export async function claimAddress({ store, nowMs, channel }: PeopleContext, claim: Omit<AddressClaim, "nowMs">): Promise<ClaimOutcome> {
  const outcome = await store.transact<AddressClaim, ClaimOutcome>(workModule, { ...claim, nowMs: nowMs() });
  if (outcome.kind === "claimed" && outcome.isFirst) channel?.publish(`account:${outcome.accountId}`);
  return outcome;
}
