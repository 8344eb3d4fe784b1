import { createHmac, randomBytes } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import type { Store } from "../store/store.ts";
import { insertSealedKey, selectSealedKey } from "./sealed-keys.table.ts";
import type { Sealer } from "./sealer.ts";

const keyBytes = 32;
export const sealedKeyPurpose = "key of the installation";

export type SecretsContext = { store: Store; nowMs: () => number; sealer: Sealer };

/** Something in the store was encrypted with a secret that the installation no longer has. The message names the remedy. */
export const unreadable = (what: string, remedy: string, detail: string): Failure =>
  new Failure("secret_unreadable", `${what} cannot be read, because the secret of this installation was replaced. ${remedy}`, detail);

/**
 * The key with this name, which all nodes share. It is made when it is first read: random, or what `first` gives. The
 * store holds it sealed, so it stays the same when SECRET_KEY is replaced.
 */
export async function readSealedKey(
  { store, nowMs, sealer }: SecretsContext,
  name: string,
  first: () => Buffer = () => randomBytes(keyBytes),
): Promise<Buffer | "unreadable"> {
  const select = () => selectSealedKey(store.db, name).executeTakeFirst();
  let row = await select();
  if (!row) {
    const sealed = sealer.seal(sealedKeyPurpose, first().toString("base64url"), name);
    await store.write([insertSealedKey(store.db, { name, sealed, created_at: nowMs() })]);
    row = (await select())!;
  }
  const opened = sealer.open(sealedKeyPurpose, row.sealed, name);
  return opened === "unreadable" ? opened : Buffer.from(opened.plaintext, "base64url");
}

/** Keyed hashes by which equal texts are found without storing them. They stay comparable when SECRET_KEY is replaced. */
export type Marks = { mark(purpose: string, text: string): Promise<string> };

export function createMarks(context: SecretsContext): Marks {
  let known: Buffer | undefined;
  async function readKey(): Promise<Buffer> {
    const key = await readSealedKey(context, "marks");
    if (key !== "unreadable") return (known = key);
    throw unreadable("The key of this installation's marks", "Its operator can set SECRET_KEY_PREVIOUS to the old secret.", "the sealed key marks cannot be opened");
  }
  return {
    async mark(purpose, text) {
      return createHmac("sha256", known ?? (await readKey())).update(`${purpose}\n${text}`).digest("hex");
    },
  };
}
