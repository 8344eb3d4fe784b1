import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import { announceChange } from "../access/keys/keys.table.ts";
import { setPasswordHash } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { changeTierLimits, insertTier, selectTierByName } from "../register/tiers.table.ts";
import type { TierRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { StatusChange, StatusOutcome } from "./change-status.work.ts";
import type { TierChange, TierOutcome } from "./change-tier.work.ts";
import type { Demotion, DemotionOutcome } from "./demote-operator.work.ts";
import { endSessions } from "./end-sessions.ts";
import { hashAtOnce, hashPassword } from "./hash-password.ts";

const changeTierModule = new URL("./change-tier.work.ts", import.meta.url);
const changeStatusModule = new URL("./change-status.work.ts", import.meta.url);

const changeStatus =
  (to: StatusChange["to"]) =>
  async (store: Store, change: Omit<StatusChange, "to"> & { channel: KeyChangeChannel | undefined }): Promise<StatusOutcome> => {
    const { channel, ...rest } = change;
    const outcome = await store.transact<StatusChange, StatusOutcome>(changeStatusModule, { ...rest, to });
    if (outcome === "changed") channel?.publish(`account:${change.accountId}`);
    return outcome;
  };

/** The account's keys answer 401 until it is resumed, and its money is held until then, also if the account closes meanwhile. */
export const suspendAccount = changeStatus("suspended");

/** Lifts the hold of the suspension and no other. */
export const resumeAccount = changeStatus("active");

/** The account loses the operator's console, and nothing else, with its next request on any node. */
export const demoteOperator = (store: Store, demotion: Demotion): Promise<DemotionOutcome> =>
  store.transact<Demotion, DemotionOutcome>(new URL("./demote-operator.work.ts", import.meta.url), demotion);

/**
 * The new tier limits and pays calls from now on; what was earned does not change. Within a second every node rereads the
 * account's keys.
 */
export async function changeTier(
  store: Store,
  change: TierChange & { channel: KeyChangeChannel | undefined },
): Promise<{ kind: TierOutcome; tier: string } | { kind: "unknown_tier" }> {
  const { channel, ...rest } = change;
  const tier = await selectTierByName(store.db, change.tier).executeTakeFirst();
  if (!tier) return { kind: "unknown_tier" };
  const kind = await store.transact<TierChange, TierOutcome>(changeTierModule, { ...rest, tier: tier.name });
  if (kind === "changed") channel?.publish(`account:${change.accountId}`);
  return { kind, tier: tier.name };
}

export const replacePassword = (store: Store, change: { accountId: string; passwordHash: string; exceptSignInId: string | undefined }) => [
  setPasswordHash(store.db, change),
  ...endSessions(store.db, { accountId: change.accountId, exceptId: change.exceptSignInId }),
];

/** For the command line. */
export async function resetPassword(store: Store, { accountId, password, nowMs }: { accountId: string; password: string; nowMs: number }): Promise<void> {
  const passwordHash = await hashAtOnce((turn) => hashPassword(turn, password));
  const note = { actorAccountId: null, action: "account.password", subject: accountId, detail: {}, nowMs };
  await store.write([...replacePassword(store, { accountId, passwordHash, exceptSignInId: undefined }), noteAction(store.db, note)]);
}

/** Adds a tier or changes one; accounts that hold it follow within a second. */
export async function setTier(
  store: Store,
  change: TierRow & { nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<TierRow> {
  const { nowMs, channel, ...given } = change;
  const known = await selectTierByName(store.db, given.name).executeTakeFirst();
  const tier = { ...given, name: known?.name ?? given.name };
  const { name, ...limits } = tier;
  const note = { actorAccountId: null, action: "tier.set", subject: name, detail: limits, nowMs };
  // Another operator may add it meanwhile: then the last one's limits hold.
  await store.write([insertTier(store.db, tier), changeTierLimits(store.db, tier), ...announceChange(store.db, { subject: "*", nowMs }), noteAction(store.db, note)]);
  channel?.publish("*");
  return tier;
}
