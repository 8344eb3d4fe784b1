import { type Checkpoint, parseCheckpoint } from "@assay/tlog/checkpoint.ts";
import { emptyRoot, verifyConsistency } from "@assay/tlog/merkle.ts";
import { cosignedText, ed25519Type, formatNote, formatSignatureLine, formatTimedSignature, judgeSignature, keyIdOf, type Note, parseNote, type VerifierKey } from "@assay/tlog/note.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import { parseWitnessRequest, type WitnessRequest } from "@assay/tlog/witness-request.ts";
import { hash, sign } from "node:crypto";
import type { WitnessKey } from "./witness-key.ts";
import type { WitnessMemory } from "./witness-memory.ts";

export type WitnessContext = { key: WitnessKey; logKeys: readonly VerifierKey[]; memory: WitnessMemory; nowMs: () => number };

/** Each has one status in serve-witness.ts. */
export type WitnessAnswer =
  | { kind: "cosigned"; line: string }
  | { kind: "malformed"; sentence: string }
  | { kind: "unknown_log" }
  | { kind: "not_signed" }
  /** The proof starts at another size than this one, which the witness cosigned last. */
  | { kind: "other_size"; size: number }
  /** The checkpoint does not continue the log. `isContradiction`: it has the size of the one cosigned last, and another root. */
  | { kind: "inconsistent"; origin: string; size: number; isContradiction: boolean };

/** The logs that follow a log whose store was put back: its origin with a number from 2. */
const followerPattern = /^(.+)\/(?:[2-9]|[1-9]\d{1,3})$/;

/** The keys under which the log's signatures are accepted. A log's followers are signed with its key, under their own names. */
async function keysOf(logKeys: readonly VerifierKey[], origin: string): Promise<VerifierKey[]> {
  const own = logKeys.filter(({ name }) => name === origin);
  const first = followerPattern.exec(origin)?.[1];
  const inherited = logKeys.filter(({ name }) => name === first);
  return [...own, ...(await Promise.all(inherited.map(async (key) => ({ ...key, name: origin, keyId: await keyIdOf(origin, ed25519Type, key.publicKey) }))))];
}

/** The note with the log's own signatures alone; undefined if it has none, or a wrong one. */
async function keepLogSignatures(note: Note, keys: readonly VerifierKey[]): Promise<Note | undefined> {
  const judged = await Promise.all(keys.map((key) => judgeSignature(note, key)));
  if (judged.some(({ verdict }) => verdict === "wrong")) return undefined;
  const signatures = note.signatures.filter(({ name, keyId }) => keys.some((key) => key.name === name && key.keyId === keyId));
  return signatures.length === 0 ? undefined : { text: note.text, signatures };
}

function readRequest(body: string): { request: WitnessRequest; note: Note; checkpoint: Checkpoint } | string {
  try {
    const request = parseWitnessRequest(body);
    const note = parseNote(request.checkpointNote);
    return { request, note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    if (error instanceof TlogError) return error.message;
    throw error;
  }
}

function cosign({ key, nowMs }: WitnessContext, text: string): string {
  const atSeconds = Math.floor(nowMs() / 1000);
  const signature = sign(null, Buffer.from(cosignedText(text, atSeconds)), key.privateKey);
  return formatSignatureLine({ name: key.name, keyId: key.keyId, bytes: formatTimedSignature(atSeconds, signature) });
}

/**
 * Cosigns a checkpoint that continues what the witness cosigned last of the log. It is remembered first: a witness that is
 * killed in between has promised nothing yet, and one that signed first could after a crash sign a fork.
 */
export async function cosignCheckpoint(context: WitnessContext, body: string): Promise<WitnessAnswer> {
  const read = readRequest(body);
  if (typeof read === "string") return { kind: "malformed", sentence: read };
  const { request, note, checkpoint } = read;
  const { origin, size, root } = checkpoint;
  const keys = await keysOf(context.logKeys, origin);
  if (keys.length === 0) return { kind: "unknown_log" };
  const signed = await keepLogSignatures(note, keys);
  if (!signed) return { kind: "not_signed" };
  if (request.oldSize > size) return { kind: "malformed", sentence: "The old size is larger than the checkpoint's." };
  const { memory, nowMs } = context;
  const known = memory.lastCosigned(origin);
  if (request.oldSize !== known.size) return { kind: "other_size", size: known.size };
  const isEmptyRight = size > 0 || Buffer.from(root).equals(emptyRoot);
  const isConsistent = isEmptyRight && (await verifyConsistency({ fromSize: known.size, fromRoot: known.root, toSize: size, toRoot: root, path: request.path }));
  const seen = { origin, size, root, note: formatNote(signed), atMs: nowMs() };
  if (!isConsistent) {
    const isContradiction = size === known.size && size > 0 && !Buffer.from(root).equals(known.root);
    if (isContradiction) memory.keepContradiction(seen);
    return { kind: "inconsistent", origin, size, isContradiction };
  }
  if (!memory.remember(known, seen)) return { kind: "other_size", size: memory.lastCosigned(origin).size };
  const line = cosign(context, note.text);
  memory.keepLine(origin, size, line);
  return { kind: "cosigned", line };
}

/** The checkpoint that the witness cosigned last of the log whose origin has this hash, with its cosignature, for monitors. */
export function readCosigned(context: WitnessContext, originHash: string): string | undefined {
  const origin = context.memory.origins().find((each) => hash("sha256", each) === originHash);
  const known = origin === undefined ? undefined : context.memory.read(origin);
  if (origin === undefined || !known) return undefined;
  // None if the witness was killed after it had remembered the checkpoint.
  const line = known.line ?? cosign(context, parseNote(known.note).text);
  if (known.line === null) context.memory.keepLine(origin, known.size, line);
  return known.note + line;
}

