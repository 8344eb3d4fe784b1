/** Signed notes (C2SP signed-note): text that several keys sign, and the text form of the keys that verify them. */
import { decodeBase64, encodeBase64, encodeHex, encodeUtf8, isPlainText, joinBytes, sha256, type OwnBytes } from "./bytes.ts";
import { TlogError } from "./tlog-error.ts";

/** Ed25519 over the text. */
export const ed25519Type = 0x01;
/** Ed25519 over a time and the text: the cosignature of a witness. */
export const cosignatureType = 0x04;
export type SignatureType = typeof ed25519Type | typeof cosignatureType;

export type NoteSignature = {
  name: string;
  /** Eight characters of lower-case hex. */
  keyId: string;
  /** What follows the key id. */
  bytes: Uint8Array;
};

export type Note = {
  /** With its final line feed, without the empty line that follows. */
  text: string;
  signatures: NoteSignature[];
};

export type VerifierKey = { name: string; keyId: string; type: SignatureType; publicKey: Uint8Array };

const noteCharactersMax = 256 * 1024;
const signaturesMax = 100;
const publicKeyBytes = 32;
const keyIdBytes = 4;
const signatureBytes = 64;
const timeBytes = 8;
const dash = "— ";

const isKeyName = (name: string): boolean => name !== "" && isPlainText(name) && !/[\p{White_Space}+]/u.test(name);

function refuseNote(message: string): never {
  throw new TlogError("malformed_note", `The signed note is malformed: ${message}.`);
}

/** One signature line without its line feed. */
export function parseSignatureLine(line: string): NoteSignature {
  const [name = "", encoded = "", ...rest] = line.startsWith(dash) ? line.slice(dash.length).split(" ") : [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || rest.length > 0 || bytes === undefined || bytes.length <= keyIdBytes) refuseNote("a signature is “— name base64”, with a key id of 4 bytes in front");
  return { name, keyId: encodeHex(bytes.subarray(0, keyIdBytes)), bytes: bytes.subarray(keyIdBytes) };
}

/** With its line feed. */
export function formatSignatureLine({ name, keyId, bytes }: NoteSignature): string {
  const id = Uint8Array.from(keyId.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(keyId)) refuseNote("a key has a name without spaces and plus signs, and an id of 4 bytes");
  return `${dash}${name} ${encodeBase64(joinBytes(id, bytes))}\n`;
}

export function parseNote(note: string): Note {
  if (note.length > noteCharactersMax) refuseNote(`it has more than ${noteCharactersMax} characters`);
  if (!isPlainText(note)) refuseNote("it contains a control character");
  // Empty lines may be part of the text; the last one ends it.
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) refuseNote("it is text, an empty line and signatures, each of which ends with a line feed");
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > signaturesMax) refuseNote(`it has more than ${signaturesMax} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

export function formatNote({ text, signatures }: Note): string {
  if (!text.endsWith("\n") || !isPlainText(text)) refuseNote("its text ends with a line feed and contains no other control character");
  if (signatures.length === 0 || signatures.length > signaturesMax) refuseNote(`it has 1 to ${signaturesMax} signatures`);
  return `${text}\n${signatures.map(formatSignatureLine).join("")}`;
}

export async function keyIdOf(name: string, type: SignatureType, publicKey: Uint8Array): Promise<string> {
  const digest = await sha256(joinBytes(encodeUtf8(`${name}\n`), Uint8Array.of(type), publicKey));
  return encodeHex(digest.subarray(0, keyIdBytes));
}

function refuseKey(message: string): never {
  throw new TlogError("malformed_key", `The key cannot be used: ${message}.`);
}

/** `name+id+base64`, as `GET /log/key` and policies write it. */
export async function parseVerifierKey(vkey: string): Promise<VerifierKey> {
  const [name = "", keyId = "", ...rest] = vkey.split("+");
  const material = decodeBase64(rest.join("+"));
  if (!isKeyName(name) || material === undefined || material.length === 0) refuseKey("it is a name, an id and base64, joined by plus signs");
  const [type] = material;
  const publicKey = material.subarray(1);
  if (type !== ed25519Type && type !== cosignatureType) refuseKey("its type is neither Ed25519 nor Ed25519 cosignature");
  if (publicKey.length !== publicKeyBytes) refuseKey(`an Ed25519 key has ${publicKeyBytes} bytes`);
  if (keyId !== (await keyIdOf(name, type, publicKey))) refuseKey("its id is not the one of its name and bytes");
  return { name, keyId, type, publicKey };
}

export async function formatVerifierKey({ name, type, publicKey }: Omit<VerifierKey, "keyId">): Promise<string> {
  if (!isKeyName(name) || publicKey.length !== publicKeyBytes) refuseKey(`it has a name without spaces and plus signs, and ${publicKeyBytes} bytes`);
  return `${name}+${await keyIdOf(name, type, publicKey)}+${encodeBase64(joinBytes(Uint8Array.of(type), publicKey))}`;
}

/** Verifiers tell keys apart by name and id, both. */
export const isSignedWith = (signature: NoteSignature, key: VerifierKey): boolean => signature.name === key.name && signature.keyId === key.keyId;

async function verifyEd25519(publicKey: Uint8Array, signature: Uint8Array, message: OwnBytes): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  try {
    const key = await subtle.importKey("raw", joinBytes(publicKey), { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, key, joinBytes(signature), message);
  } catch (error) {
    if (error instanceof Error && error.name === "NotSupportedError") throw new TlogError("no_ed25519", "This platform cannot verify Ed25519 signatures.", { cause: error });
    return false;
  }
}

/** What a witness signs: that it saw this checkpoint, and no larger one, at that time. */
export const cosignedText = (text: string, atSeconds: number): string => `cosignature/v1\ntime ${atSeconds}\n${text}`;

/** The content of a cosignature line after the key id. */
export function formatTimedSignature(atSeconds: number, signature: Uint8Array): Uint8Array {
  const time = new Uint8Array(timeBytes);
  new DataView(time.buffer).setBigUint64(0, BigInt(atSeconds));
  return joinBytes(time, signature);
}

/** The time that a cosignature states, in seconds; undefined if it states none or one that a number cannot hold. */
function readTime(bytes: Uint8Array): number | undefined {
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset, timeBytes).getBigUint64(0));
  return Number.isSafeInteger(time * 1000) && time > 0 ? time : undefined;
}

async function verifyOne(text: string, { type, publicKey }: VerifierKey, bytes: Uint8Array): Promise<{ ok: boolean; atSeconds: number }> {
  const failed = { ok: false, atSeconds: 0 };
  if (type === ed25519Type) {
    return bytes.length === signatureBytes ? { ok: await verifyEd25519(publicKey, bytes, encodeUtf8(text)), atSeconds: 0 } : failed;
  }
  const atSeconds = bytes.length === timeBytes + signatureBytes ? readTime(bytes) : undefined;
  if (atSeconds === undefined) return failed;
  return { ok: await verifyEd25519(publicKey, bytes.subarray(timeBytes), encodeUtf8(cosignedText(text, atSeconds))), atSeconds };
}

/**
 * What the key says of the note: `unsigned` if no signature has its name and id, `wrong` if one of those that have does not
 * verify. `atMs` is the latest time that a witness states, 0 for keys that state none.
 */
export async function judgeSignature(note: Note, key: VerifierKey): Promise<{ verdict: "signed"; atMs: number } | { verdict: "unsigned" | "wrong" }> {
  const own = note.signatures.filter((signature) => isSignedWith(signature, key));
  if (own.length === 0) return { verdict: "unsigned" };
  const judged = await Promise.all(own.map(({ bytes }) => verifyOne(note.text, key, bytes)));
  if (!judged.every(({ ok }) => ok)) return { verdict: "wrong" };
  return { verdict: "signed", atMs: Math.max(...judged.map(({ atSeconds }) => atSeconds)) * 1000 };
}

export async function verifySignature(note: Note, key: VerifierKey): Promise<boolean> {
  return (await judgeSignature(note, key)).verdict === "signed";
}
