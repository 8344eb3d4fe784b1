import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readSealedKey, type SecretsContext } from "../../secrets/read-sealed-key.ts";

/** What an Ed25519 seed follows in PKCS #8, and a public key in SPKI, where it is the rest. */
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");
const spkiStartBytes = 12;
const sealedName = "webhooks";

/** The installation's own key: whoever has `publicKey` (`whpk_…`) can verify events without sharing a secret. */
export type WebhookKey = { privateKey: KeyObject; publicKey: string };

/** Made when the first node starts, and the same on all nodes. "unreadable": sealed with a secret that is gone. */
export async function readWebhookKey(context: SecretsContext): Promise<WebhookKey | "unreadable"> {
  const seed = await readSealedKey(context, sealedName);
  if (seed === "unreadable") return seed;
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(spkiStartBytes);
  return { privateKey, publicKey: `whpk_${publicKey.toString("base64")}` };
}
