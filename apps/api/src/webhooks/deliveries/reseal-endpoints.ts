import { type Resealed, resealInSteps } from "../../secrets/reseal-in-steps.ts";
import type { Sealer } from "../../secrets/sealer.ts";
import type { Store } from "../../store/store.ts";
import { openSecret, sealSecret } from "../endpoints/endpoint-secret.ts";
import { replaceSecrets, selectEndpointsOfOthers } from "./sending-endpoints.table.ts";

/** Seals the secrets of endpoints again with the current secret. A previous one that cannot be read signs nothing: it is dropped. */
export function resealEndpoints(store: Store, { sealer, isOver }: { sealer: Sealer; isOver: () => boolean }): Promise<Resealed> {
  const { currentPrefix } = sealer;
  return resealInSteps({
    select: ({ after, limit }) => selectEndpointsOfOthers(store.db, { currentPrefix, afterId: after, limit }).execute(),
    keyOf: ({ id }) => id,
    async reseal({ id, ...before }) {
      const secret = openSecret(sealer, id, before.secret);
      if (secret === undefined) return "unreadable";
      const previous = before.secret_previous === null ? undefined : openSecret(sealer, id, before.secret_previous);
      const after = { secret: sealSecret(sealer, id, secret), secret_previous: previous === undefined ? null : sealSecret(sealer, id, previous) };
      const [replaced] = await store.write([replaceSecrets(store.db, { id, before, after })]);
      return replaced === 1 ? "resealed" : "lost";
    },
    isOver,
  });
}
