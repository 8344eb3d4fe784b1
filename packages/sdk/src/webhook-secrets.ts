import { WebhookVerificationError } from "./webhook-error.ts";

/** How one secret verifies the signatures of its kind. */
export type Verifier = {
  /** The kind of signature, before the comma: a secret of one kind never verifies the other. */
  version: "v1" | "v1a";
  signatureBytes: number;
  /** The runtime compares in constant time. */
  isSignatureOf: (signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) => Promise<boolean>;
};

const secretsMax = 20;
const secretPattern = /^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})$/;
/** As Standard Webhooks has it. */
const hmacKeyBytesMin = 24;
const hmacKeyBytesMax = 64;
const publicKeyBytes = 32;

const refuse = (why: string): WebhookVerificationError => new WebhookVerificationError("bad_secret", why);

/** Undefined if it is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function readHmacKey(bytes: Uint8Array<ArrayBuffer>): Promise<Verifier> {
  if (bytes.length < hmacKeyBytesMin || bytes.length > hmacKeyBytesMax) throw refuse("a secret is incomplete: whsec_ is followed by 24 to 64 bytes in base64");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return { version: "v1", signatureBytes: 32, isSignatureOf: (signature, content) => crypto.subtle.verify("HMAC", key, signature, content) };
}

/** Undefined where the runtime has no Ed25519. */
async function readPublicKey(bytes: Uint8Array<ArrayBuffer>): Promise<Verifier | undefined> {
  if (bytes.length !== publicKeyBytes) throw refuse("a public key is incomplete: whpk_ is followed by 32 bytes in base64");
  const key = await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]).catch((error: unknown) => {
    if ((error as { name?: unknown } | null)?.name === "DataError") throw refuse("a public key is not one of Ed25519");
    return undefined;
  });
  return key && { version: "v1a", signatureBytes: 64, isSignatureOf: (signature, content) => crypto.subtle.verify("Ed25519", key, signature, content) };
}

async function readSecret(secret: unknown): Promise<Verifier | undefined> {
  const [, kind, text] = (typeof secret === "string" && secretPattern.exec(secret)) || [];
  const bytes = text === undefined ? undefined : decodeBase64(text);
  if (bytes === undefined) throw refuse("a secret must be whsec_ or whpk_ and base64, as it was shown");
  return kind === "whsec" ? readHmacKey(bytes) : readPublicKey(bytes);
}

/** The public key is the same for all accounts, so it says nothing of whose event it is: then the account must be expected. */
export function readExpectedAccount(secrets: string | readonly string[], account: unknown): string | undefined {
  const hasPublicKey = [secrets].flat().some((secret) => secret.startsWith("whpk_"));
  if (account === undefined && !hasPublicKey) return undefined;
  if (typeof account === "string" && account !== "") return account;
  throw new WebhookVerificationError("bad_account", "with a public key, say whose events are expected: options.account, as the dashboard shows it beside the key");
}

/** At least one, or it throws. */
export async function readSecrets(secrets: string | readonly string[]): Promise<Verifier[]> {
  const list = typeof secrets === "string" ? [secrets] : Array.isArray(secrets) ? (secrets as readonly unknown[]) : [undefined];
  if (list.length === 0) throw refuse("there is no secret");
  if (list.length > secretsMax) throw refuse(`there are more than ${secretsMax} secrets`);
  const read = await Promise.all(list.map(readSecret));
  const verifiers = read.filter((each) => each !== undefined);
  if (verifiers.length === 0) throw new WebhookVerificationError("unsupported", "this runtime cannot verify Ed25519: give the endpoint's secret, whsec_…, instead of its public key");
  return verifiers;
}
