/** Checkpoints (C2SP tlog-checkpoint): the size and the root of a log, as a signed note. */
import { areEqual, decodeHash, encodeBase64, hashBytes, isPlainText, parseDecimal } from "./bytes.ts";
import { cosignatureType, ed25519Type, judgeSignature, parseNote, parseVerifierKey, type Note, type VerifierKey } from "./note.ts";
import { TlogError } from "./tlog-error.ts";

export type Checkpoint = { origin: string; size: number; root: Uint8Array };

/** Keys in the text form of verifier keys. A log's key has the log's origin as its name. */
export type TrustedKeys = { logKeys: readonly string[]; witnessKeys: readonly string[] };

export type OpenedCheckpoint = {
  checkpoint: Checkpoint;
  /** Each witness once, with the latest time at which it says that it saw the checkpoint. */
  witnessedBy: { name: string; atMs: number }[];
};

function refuse(message: string): never {
  throw new TlogError("malformed_checkpoint", `The checkpoint is malformed: ${message}.`);
}

/** Takes the text of a note, without its signatures. */
export function parseCheckpoint(text: string): Checkpoint {
  if (!text.endsWith("\n") || !isPlainText(text)) refuse("each of its lines ends with a line feed, and there is no other control character");
  const lines = text.slice(0, -1).split("\n");
  const [origin = "", decimal = "", encoded = ""] = lines;
  if (lines.includes("")) refuse("it has an empty line");
  const size = parseDecimal(decimal);
  if (size === undefined) refuse("its second line is the size, a decimal without leading zeros below 2^53");
  const root = decodeHash(encoded);
  if (root === undefined) refuse("its third line is the root, a SHA-256 hash in base64");
  return { origin, size, root };
}

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (origin === "" || origin.includes("\n") || !isPlainText(origin) || !Number.isSafeInteger(size) || size < 0 || root.length !== hashBytes) refuse("it has an origin, a size and a root");
  return `${origin}\n${size}\n${encodeBase64(root)}\n`;
}

/** A key of another type is a mistake in a policy, not a key that never signs. */
async function parseKeys(vkeys: readonly string[], type: VerifierKey["type"]): Promise<VerifierKey[]> {
  const keys = await Promise.all(vkeys.map(parseVerifierKey));
  const stray = keys.find((key) => key.type !== type);
  if (stray) throw new TlogError("malformed_key", `The key ${stray.name} is ${type === ed25519Type ? "not one for a log" : "not one for a witness"}.`);
  return keys;
}

/** Throws unless the log that the checkpoint names has signed it, and no known key's signature on it is wrong. */
export async function openCheckpoint(noteText: string, { logKeys, witnessKeys }: TrustedKeys): Promise<OpenedCheckpoint> {
  const note = parseNote(noteText);
  const checkpoint = parseCheckpoint(note.text);
  const keysOfLog = (await parseKeys(logKeys, ed25519Type)).filter(({ name }) => name === checkpoint.origin);
  const signed = await Promise.all(keysOfLog.map((key) => judgeKnown(note, key)));
  if (!signed.some(({ isSigned }) => isSigned)) throw new TlogError("unknown_log", "The checkpoint is not signed by a known key of the log that it names.");
  const witnesses = await parseKeys(witnessKeys, cosignatureType);
  const seen = (await Promise.all(witnesses.map((key) => judgeKnown(note, key)))).filter(({ isSigned }) => isSigned);
  // A key under two names is one witness.
  const distinct = seen.filter(({ key }, index) => seen.findIndex((other) => areEqual(key.publicKey, other.key.publicKey)) === index);
  return { checkpoint, witnessedBy: distinct.map(({ key, atMs }) => ({ name: key.name, atMs })) };
}

async function judgeKnown(note: Note, key: VerifierKey): Promise<{ key: VerifierKey; isSigned: boolean; atMs: number }> {
  const judged = await judgeSignature(note, key);
  if (judged.verdict === "wrong") throw new TlogError("bad_signature", `The signature of ${key.name} on the checkpoint is wrong.`);
  return { key, isSigned: judged.verdict === "signed", atMs: judged.verdict === "signed" ? judged.atMs : 0 };
}
