import { announceChange } from "../access/keys/keys.table.ts";
import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import type { TierRow } from "../store/schema.ts";
import type { ClosedWrite, Store } from "../store/store.ts";
import { moveAccountStatus, setAccountTier, setPasswordHash } from "../register/accounts.table.ts";
import { hashPassword } from "./hash-password.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import { deleteChallengesOfAccount, deleteSignIns } from "./sign-ins.table.ts";
import { selectTierByName, upsertTier } from "../register/tiers.table.ts";

type Order = {
  accountId: string;
  nowMs: number;
  channel: KeyChangeChannel | undefined;
  /** Statements that belong to the change, such as the note of who made it. */
  alongside?: ClosedWrite;
};

/** Every node knows within a second: the account's keys are read anew. */
const announcementOf = (store: Store, order: Order) => {
  const subject = `account:${order.accountId}`;
  return { subject, statements: announceChange(store.db, { subject, nowMs: order.nowMs }) };
};

async function moveStatus(store: Store, order: Order, move: { from: "active" | "suspended"; to: "active" | "suspended" }) {
  const { subject, statements } = announcementOf(store, order);
  const change = moveAccountStatus(store.db, { accountId: order.accountId, ...move });
  const [changed] = await store.write([change, ...statements, ...(order.alongside ?? [])]);
  order.channel?.publish(subject);
  return changed === 1 ? "changed" : "unchanged";
}

/** Its keys answer 401 until it is resumed. */
export const suspendAccount = (store: Store, order: Order) =>
  moveStatus(store, order, { from: "active", to: "suspended" });

export const resumeAccount = (store: Store, order: Order) =>
  moveStatus(store, order, { from: "suspended", to: "active" });

/** Calls from now on are limited and paid at the new tier; what was earned stays as it was. */
export async function changeTier(
  store: Store,
  order: Order & { tier: string },
): Promise<{ kind: "changed"; tier: string } | { kind: "unknown_tier" }> {
  const tier = await selectTierByName(store.db, order.tier).executeTakeFirst();
  if (!tier) return { kind: "unknown_tier" };
  const { subject, statements } = announcementOf(store, order);
  await store.write([setAccountTier(store.db, { accountId: order.accountId, tier: tier.name }), ...statements, ...(order.alongside ?? [])]);
  order.channel?.publish(subject);
  return { kind: "changed", tier: tier.name };
}

/** What every change of a password does: links and half-finished sign-ins are worth nothing any more, and browsers are signed out. */
export const replacePassword = (store: Store, order: { accountId: string; passwordHash: string; exceptSignInId: string | undefined }) => [
  setPasswordHash(store.db, order),
  deleteSignIns(store.db, { accountId: order.accountId, exceptId: order.exceptSignInId }),
  deleteChallengesOfAccount(store.db, order.accountId),
  deleteLinksOfAccount(store.db, { accountId: order.accountId, kinds: ["reset", "change_email"] }),
];

export async function resetPassword(store: Store, order: { accountId: string; password: string }): Promise<void> {
  const passwordHash = await hashPassword(order.password);
  await store.write(replacePassword(store, { accountId: order.accountId, passwordHash, exceptSignInId: undefined }));
}

/** Adds a tier or changes one; accounts that hold it follow within a second. */
export async function setTier(
  store: Store,
  order: TierRow & { nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<TierRow> {
  const { nowMs, channel, ...wish } = order;
  const known = await selectTierByName(store.db, wish.name).executeTakeFirst();
  const tier = { ...wish, name: known?.name ?? wish.name };
  await store.write([upsertTier(store.db, tier), ...announceChange(store.db, { subject: "*", nowMs })]);
  channel?.publish("*");
  return tier;
}
