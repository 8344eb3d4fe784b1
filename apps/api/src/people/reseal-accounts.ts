import { msPerDay } from "../formats/time.ts";
import { type Resealed, resealInSteps } from "../secrets/reseal-in-steps.ts";
import type { Sealer } from "../secrets/sealer.ts";
import { listAppliedMigrations } from "../store/migrate.table.ts";
import type { Store } from "../store/store.ts";
import { resealFactor } from "./second-factor.ts";
import { replaceFactor, selectFactorsOfOthers } from "./second-factors.table.ts";
import { storedToken, storedTokenPrefix } from "./sessions.ts";
import { replaceOldToken, selectOldSignIns } from "./sign-ins.table.ts";
import { isOldText, newTokenFor } from "./version-0-1.ts";

const migration = "0011-sealed-keys";
/** For this long after the upgrade, nodes of version 0.1 may run beside new ones, or be started again: they read their own forms only. */
const oldFormsKeptMs = msPerDay;

export type ResealContext = { sealer: Sealer; nowMs: number; isOver: () => boolean; /** Whether no node of version 0.1 will run any more. */ isUpgradeOver: boolean };

/** Whether version 0.1 can no longer meet this store. */
export async function isUpgradeOver(store: Store, nowMs: number): Promise<boolean> {
  const applied = (await listAppliedMigrations(store.db).execute()).find(({ name }) => name === migration);
  return applied !== undefined && nowMs >= applied.at + oldFormsKeptMs;
}

/** Encrypts second factors with the current secret, also those that version 0.1 encrypted. */
export function resealFactors(store: Store, { sealer, isOver, isUpgradeOver: mayReplaceOld }: ResealContext): Promise<Resealed> {
  const { currentPrefix } = sealer;
  return resealInSteps({
    select: ({ after, limit }) => selectFactorsOfOthers(store.db, { currentPrefix, afterId: after, limit }).execute(),
    keyOf: ({ id }) => id,
    async reseal({ id, account_id: accountId, secret, recovery_codes }) {
      const before = { secret, recovery_codes };
      const after = resealFactor(sealer, accountId, before);
      if (after === "unreadable") return after;
      if (!mayReplaceOld && (isOldText(secret) || isOldText(recovery_codes))) return "lost";
      const [replaced] = await store.write([replaceFactor(store.db, { id, before, after })]);
      return replaced === 1 ? "resealed" : "lost";
    },
    isOver,
  });
}

/** Hashes the session tokens that version 0.1 stored as they are. */
export async function hashOldTokens(store: Store, { sealer, isOver, isUpgradeOver: mayReplaceOld }: ResealContext): Promise<Resealed> {
  // Version 0.1 ran with the oldest secret that is known.
  const secretKey = sealer.secretKeys.at(-1)!;
  return resealInSteps({
    select: ({ after, limit }) => selectOldSignIns(store.db, { storedPrefix: storedTokenPrefix, afterId: after, limit }).execute(),
    keyOf: ({ id }) => id,
    async reseal({ id, token }) {
      if (!mayReplaceOld) return "lost";
      const [replaced] = await store.write([replaceOldToken(store.db, { id, before: token, after: storedToken(newTokenFor(token, secretKey)) })]);
      return replaced === 1 ? "resealed" : "lost";
    },
    isOver,
  });
}
