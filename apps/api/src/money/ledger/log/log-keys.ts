import { ed25519Type, formatVerifierKey, keyIdOf, type NoteSignature } from "@assay/tlog/note.ts";
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { msPerDay } from "../../../formats/time.ts";
import { noteAction } from "../../../register/audit.table.ts";
import { readSealedKey, sealedKeyPurpose, type SecretsContext, unreadable } from "../../../secrets/read-sealed-key.ts";
import { insertSealedKey, selectKeyNames } from "../../../secrets/sealed-keys.table.ts";

const namePrefix = "log-signing-";
const nameOf = (number: number): string => `${namePrefix}${String(number).padStart(4, "0")}`;
const numberOf = (name: string): number => Number(name.slice(namePrefix.length));

/** For this long after a rotation the old key signs too, so that verifiers have time to learn the new one. */
export const overlapMs = 30 * msPerDay;

/** What an Ed25519 seed follows in PKCS #8, and a public key in SPKI, where it is the rest. */
const pkcs8Start = Buffer.from("302e020100300506032b657004220420", "hex");
const spkiStartBytes = 12;
const seedBytes = 32;

/** `signsUntilMs`: undefined for the newest one. */
type SigningKey = { privateKey: KeyObject; publicKey: Uint8Array; createdMs: number; signsUntilMs: number | undefined };

async function openKey(context: SecretsContext, name: string): Promise<{ privateKey: KeyObject; publicKey: Uint8Array }> {
  const seed = await readSealedKey(context, name);
  if (seed === "unreadable") {
    throw unreadable("The key that signs the log", "Its operator can set SECRET_KEY_PREVIOUS to the old secret.", `the sealed key ${name} cannot be opened`);
  }
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Start, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(spkiStartBytes);
  return { privateKey, publicKey };
}

/** All keys that there ever were, the newest first. */
async function readKeys(context: SecretsContext): Promise<SigningKey[]> {
  const rows = await selectKeyNames(context.store.db, namePrefix).execute();
  const keys = rows.map(({ name, created_at: createdMs }, index) => {
    const replacedMs = rows[index + 1]?.created_at;
    return { name, createdMs, signsUntilMs: replacedMs === undefined ? undefined : replacedMs + overlapMs };
  });
  return Promise.all(keys.toReversed().map(async ({ name, ...times }) => ({ ...times, ...(await openKey(context, name)) })));
}

/** The keys that sign now, the newest first. The first one is made when it is first asked for. */
async function readSigningKeys(context: SecretsContext): Promise<SigningKey[]> {
  const nowMs = context.nowMs();
  if ((await readKeys(context)).length === 0) await openKey(context, nameOf(1));
  return (await readKeys(context)).filter(({ signsUntilMs }) => signsUntilMs === undefined || nowMs < signsUntilMs);
}

export type LogKey = { vkey: string; createdMs: number; signsUntilMs: number | undefined };

const nameKeys = (keys: readonly SigningKey[], origin: string): Promise<LogKey[]> =>
  Promise.all(
    keys.map(async ({ publicKey, createdMs, signsUntilMs }) => ({ vkey: await formatVerifierKey({ name: origin, type: ed25519Type, publicKey }), createdMs, signsUntilMs })),
  );

/** The keys that sign the log with this origin now, as verifiers take them, the newest first. */
export const readLogKeys = async (context: SecretsContext, origin: string): Promise<LogKey[]> => nameKeys(await readSigningKeys(context), origin);

/** All keys that ever signed: for checkpoints of the past. Makes none. */
export const readPastLogKeys = async (context: SecretsContext, origin: string): Promise<string[]> => (await nameKeys(await readKeys(context), origin)).map(({ vkey }) => vkey);

/** Signs as the log with this origin, with every key that signs now. */
export async function openLogSigner(context: SecretsContext, origin: string): Promise<(text: string) => NoteSignature[]> {
  const keys = await readSigningKeys(context);
  const named = await Promise.all(keys.map(async ({ privateKey, publicKey }) => ({ privateKey, keyId: await keyIdOf(origin, ed25519Type, publicKey) })));
  return (text) => named.map(({ privateKey, keyId }) => ({ name: origin, keyId, bytes: sign(null, Buffer.from(text), privateKey) }));
}

/** Makes the next key. From now on it signs, and for a while the one before it too. */
export async function rotateLogKey(context: SecretsContext): Promise<void> {
  await readSigningKeys(context);
  const { store, sealer } = context;
  const nowMs = context.nowMs();
  const rows = await selectKeyNames(store.db, namePrefix).execute();
  const name = nameOf(numberOf(rows.at(-1)!.name) + 1);
  const sealed = sealer.seal(sealedKeyPurpose, randomBytes(seedBytes).toString("base64url"), name);
  const note = noteAction(store.db, { actorAccountId: null, action: "log_key.rotate", subject: name, detail: {}, nowMs });
  await store.write([insertSealedKey(store.db, { name, sealed, created_at: nowMs }), note], { guards: 1 });
}
