import { cosignatureType, formatVerifierKey, keyIdOf } from "@assay/tlog/note.ts";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";

/** The file cannot be used. The message is one line for the person who runs the witness. */
export class WitnessKeyError extends Error {
  override readonly name = "WitnessKeyError";
}

export type WitnessKey = { name: string; keyId: string; vkey: string; privateKey: KeyObject };

const publicKeyBytes = 32;
/** Whether anyone but the owner may read or write. */
const othersMask = 0o077;

function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync("ed25519");
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readKey(file: string): KeyObject {
  if ((statSync(file).mode & othersMask) !== 0) throw new WitnessKeyError(`${file} can be read by others than its owner: chmod 600 it, or delete it to get a new key`);
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below.
  }
  throw new WitnessKeyError(`${file} does not contain an Ed25519 key in PEM form`);
}

/** The witness's key from the file. Makes it if there is none. */
export async function readOrMakeWitnessKey(file: string, name: string): Promise<WitnessKey> {
  try {
    makeKey(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const privateKey = readKey(file);
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-publicKeyBytes);
  return { name, privateKey, keyId: await keyIdOf(name, cosignatureType, publicKey), vkey: await formatVerifierKey({ name, type: cosignatureType, publicKey }) };
}
