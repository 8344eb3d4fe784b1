import { hkdfSync } from "node:crypto";
import { type Resealed, resealInSteps } from "../../secrets/reseal-in-steps.ts";
import type { Sealer } from "../../secrets/sealer.ts";
import type { TrackingKeyRow } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { sealTrackingKey, selectTrackingKeysOfOthers } from "./tracking-keys.table.ts";

const secretBytes = 32;
const purpose = "tracking key";

const derive = (secretKey: string, salt: string): Buffer => Buffer.from(hkdfSync("sha256", secretKey, salt, "assay tracking token", secretBytes));

/** The sealed secrets; "unreadable" if there are none, or none that can be opened. */
export function openSecrets(sealer: Sealer, { id, sealed }: Pick<TrackingKeyRow, "id" | "sealed">): Buffer[] | "unreadable" {
  const opened = sealed === null ? "unreadable" : sealer.open(purpose, sealed, id);
  return opened === "unreadable" ? opened : opened.plaintext.split(",").map((text) => Buffer.from(text, "hex"));
}

/**
 * A key's secrets, the signing one first. A key that is not sealed yet has the secret that was derived from the SECRET_KEY
 * of then, which may be any of those known. Nor can one be opened that a forgotten SECRET_KEY sealed: what it signed is
 * lost, and it signs with another secret from now on.
 */
export function readSecrets(sealer: Sealer, row: Pick<TrackingKeyRow, "id" | "salt" | "sealed">): Buffer[] {
  const opened = openSecrets(sealer, row);
  return opened === "unreadable" ? sealer.secretKeys.map((secretKey) => derive(secretKey, row.salt)) : opened;
}

/** Seals all keys with the current secret, so that addresses stay valid when SECRET_KEY is replaced. */
export function sealTrackingKeys(store: Store, sealer: Sealer, isOver = () => false): Promise<Resealed> {
  const { currentPrefix } = sealer;
  return resealInSteps({
    select: ({ after, limit }) => selectTrackingKeysOfOthers(store.db, { currentPrefix, afterId: after, limit }).execute(),
    keyOf: ({ id }) => id,
    async reseal(row) {
      if (row.sealed !== null && openSecrets(sealer, row) === "unreadable") return "unreadable";
      const texts = readSecrets(sealer, row).map((secret) => secret.toString("hex"));
      const after = sealer.seal(purpose, texts.join(","), row.id);
      const [replaced] = await store.write([sealTrackingKey(store.db, { id: row.id, before: row.sealed, after })]);
      return replaced === 1 ? "resealed" : "lost";
    },
    isOver,
  });
}
