import { randomBytes } from "node:crypto";
import type { Sealer } from "../../secrets/sealer.ts";

/** As Standard Webhooks writes the key of an HMAC: the prefix, then 24 to 64 bytes in base64. */
export const secretPrefix = "whsec_";
const secretBytes = 32;
const purpose = "secret of a webhook endpoint";

export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString("base64");

/** What the store holds. It opens for the same endpoint only. */
export const sealSecret = (sealer: Sealer, endpointId: string, secret: string): string => sealer.seal(purpose, secret, endpointId);

/** Undefined if it was sealed with a secret that the installation no longer has, or for another endpoint. */
export function openSecret(sealer: Sealer, endpointId: string, sealed: string): string | undefined {
  const opened = sealer.open(purpose, sealed, endpointId);
  return opened === "unreadable" ? undefined : opened.plaintext;
}
