import type { Store } from "../store/store.ts";
import { sealedKeyPurpose } from "./read-sealed-key.ts";
import { type Resealed, resealInSteps } from "./reseal-in-steps.ts";
import { replaceSealedKey, selectSealedKeysOfOthers } from "./sealed-keys.table.ts";
import type { Sealer } from "./sealer.ts";

/** Seals the installation's own keys again with the current secret. */
export function resealKeys(store: Store, { sealer, isOver }: { sealer: Sealer; isOver: () => boolean }): Promise<Resealed> {
  const { currentPrefix } = sealer;
  return resealInSteps({
    select: ({ after, limit }) => selectSealedKeysOfOthers(store.db, { currentPrefix, afterName: after, limit }).execute(),
    keyOf: ({ name }) => name,
    async reseal({ name, sealed: before }) {
      const opened = sealer.open(sealedKeyPurpose, before, name);
      if (opened === "unreadable") return opened;
      const [replaced] = await store.write([replaceSealedKey(store.db, { name, before, after: sealer.seal(sealedKeyPurpose, opened.plaintext, name) })]);
      return replaced === 1 ? "resealed" : "lost";
    },
    isOver,
  });
}
