import { sealTrackingKeys } from "../ads/serving/seal-tracking-keys.ts";
import { hashOldTokens, type ResealContext, resealFactors } from "../people/reseal-accounts.ts";
import { addUpResealed, type Resealed } from "../secrets/reseal-in-steps.ts";
import { resealKeys } from "../secrets/reseal-keys.ts";
import type { Store } from "../store/store.ts";
import { resealEndpoints } from "../webhooks/deliveries/reseal-endpoints.ts";

/** Seals with SECRET_KEY everything that another secret sealed, so that SECRET_KEY_PREVIOUS is no longer needed. */
export async function resealSecrets(store: Store, context: ResealContext): Promise<Resealed> {
  return addUpResealed([
    await resealKeys(store, context),
    await sealTrackingKeys(store, context.sealer, context.isOver),
    await resealFactors(store, context),
    await hashOldTokens(store, context),
    await resealEndpoints(store, context),
  ]);
}

/** For operators: SECRET_KEY_PREVIOUS may be removed when this says that nothing is left. */
export const describeResealed = ({ resealed, left, unreadable }: Resealed): string =>
  `${resealed} re-encrypted, ${left} left under an old secret${unreadable > 0 ? `, ${unreadable} unreadable` : ""}`;
