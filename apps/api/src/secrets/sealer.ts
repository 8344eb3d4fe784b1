import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const keyBytes = 32;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const format = "v1";
const algorithm = "aes-256-gcm";

/** A key for one purpose, derived with HKDF: it reveals neither the installation's secret nor the other keys. */
export const deriveKey = (secretKey: string, purpose: string, bytes = keyBytes): Buffer => Buffer.from(hkdfSync("sha256", secretKey, "assay", purpose, bytes));

export type Opened = { plaintext: string; /** Whether SECRET_KEY sealed it, rather than one of SECRET_KEY_PREVIOUS. */ isCurrent: boolean };

/**
 * Encrypts what the store holds. `purpose` says what it is, and `context` whose: what was sealed for one account cannot be
 * opened for another.
 */
export type Sealer = {
  seal(purpose: string, plaintext: string, context: string): string;
  /** "unreadable": damaged, sealed for something else, or with a secret that this installation no longer has. */
  open(purpose: string, sealed: string, context: string): Opened | "unreadable";
  /** Whether SECRET_KEY sealed it, by the name of the key alone. */
  isCurrent(sealed: string): boolean;
  /** How everything begins that SECRET_KEY seals, for queries that look for the rest. */
  currentPrefix: string;
  /** SECRET_KEY and SECRET_KEY_PREVIOUS, the newest first: for what was derived from them before there was a sealer. */
  secretKeys: readonly string[];
};

type KnownSecret = { secretKey: string; id: string; keys: Map<string, Buffer> };

/** The first of the secrets seals; all of them open. */
export function createSealer({ secretKey, previous }: { secretKey: string; previous: readonly string[] }): Sealer {
  const secretKeys = [secretKey, ...previous];
  const secrets = secretKeys.map((each): KnownSecret => ({ secretKey: each, id: deriveKey(each, "name of the key", keyIdBytes).toString("hex"), keys: new Map() }));
  const current = secrets[0]!;
  const currentPrefix = `${format}.${current.id}.`;

  function keyOf(secret: KnownSecret, purpose: string): Buffer {
    const known = secret.keys.get(purpose);
    if (known) return known;
    const key = deriveKey(secret.secretKey, `seal ${purpose}`);
    secret.keys.set(purpose, key);
    return key;
  }

  return {
    currentPrefix,
    secretKeys,
    isCurrent: (sealed) => sealed.startsWith(currentPrefix),
    seal(purpose, plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(current, purpose), nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
      const bytes = [nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()];
      return currentPrefix + Buffer.concat(bytes).toString("base64url");
    },
    open(purpose, sealed, context) {
      const [version, id, text = "", ...rest] = sealed.split(".");
      const secret = secrets.find((each) => each.id === id);
      const bytes = Buffer.from(text, "base64url");
      if (version !== format || !secret || rest.length > 0 || bytes.length < nonceBytes + tagBytes) return "unreadable";
      const tag = bytes.subarray(bytes.length - tagBytes);
      const decipher = createDecipheriv(algorithm, keyOf(secret, purpose), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      try {
        const plaintext = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)), decipher.final()]);
        return { plaintext: plaintext.toString("utf8"), isCurrent: secret === current };
      } catch {
        return "unreadable";
      }
    },
  };
}
