import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export type KeyPair = { publicKey: string; sign: (content: Uint8Array) => string };

/** An Ed25519 key as Standard Webhooks writes it. */
export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: `whpk_${raw.toString("base64")}`, sign: (content) => `v1a,${sign(null, content, privateKey).toString("base64")}` };
}

export type Signed = { id: string; atSeconds: number; body: string | Uint8Array };

export const contentOf = ({ id, atSeconds, body }: Signed): Buffer => Buffer.concat([Buffer.from(`${id}.${atSeconds}.`), typeof body === "string" ? Buffer.from(body) : body]);

/** Written from the specification, apart from the service's own code. */
export const hmacOf = (secret: string, signed: Signed): string => `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64")).update(contentOf(signed)).digest("base64")}`;

export const headersOf = ({ id, atSeconds }: Signed, signature: string): Record<string, string> => ({ "webhook-id": id, "webhook-timestamp": String(atSeconds), "webhook-signature": signature });
