/** What a follower of a log compares with what it saw before. */
import { areEqual, decodeHash } from "./bytes.ts";
import { type Checkpoint, parseCheckpoint } from "./checkpoint.ts";
import { verifyConsistency } from "./merkle.ts";
import { formatVerifierKey, parseNote, parseVerifierKey } from "./note.ts";

/** Two sizes of one log. */
export type Span = { origin: string; fromSize: number; toSize: number };

/** The consistency proof in base64; undefined if the service has none. */
export type ReadConsistency = (span: Span) => Promise<readonly string[] | undefined>;

export type Continuation =
  /** No checkpoint of any log was seen before. */
  | { kind: "first_sight" }
  /** Only checkpoints of other logs were seen. */
  | { kind: "new_log"; before: string[] }
  | { kind: "continues"; seenSize: number }
  | { kind: "contradicts"; seen: Checkpoint };

/** A log that is opened in place of another has the same name with a number behind it. */
const isSuccessor = (origin: string, before: string): boolean => origin.startsWith(`${before}/`) && /^[0-9]{1,6}$/.test(origin.slice(before.length + 1));
const isSameLine = (origin: string, other: string): boolean => {
  const first = other.replace(/\/[0-9]{1,6}$/, "");
  return origin === other || origin === first || isSuccessor(origin, other) || isSuccessor(origin, first);
};

/** The keys under the name of the log: a log that follows another one is signed with the same keys under its own name. */
export async function keysOfLog(origin: string, vkeys: readonly string[]): Promise<string[]> {
  const keys = await Promise.all(vkeys.map(parseVerifierKey));
  const own = keys.filter(({ name }) => isSameLine(origin, name));
  const named = await Promise.all(own.map(({ type, publicKey }) => formatVerifierKey({ name: origin, type, publicKey })));
  return [...new Set(named)];
}

export const checkpointOf = (note: string): Checkpoint => parseCheckpoint(parseNote(note).text);

/** `seen`: the newest note seen of each log, by origin. The service may show a smaller checkpoint than the one seen: then that one must continue it. */
export async function compareWithSeen(now: Checkpoint, seen: Readonly<Record<string, string>>, readConsistency: ReadConsistency): Promise<Continuation> {
  const note = seen[now.origin];
  if (note === undefined) return Object.keys(seen).length === 0 ? { kind: "first_sight" } : { kind: "new_log", before: Object.keys(seen) };
  const before = checkpointOf(note);
  const [from, to] = before.size <= now.size ? [before, now] : [now, before];
  const continues: Continuation = { kind: "continues", seenSize: before.size };
  if (from.size === to.size) return areEqual(from.root, to.root) ? continues : { kind: "contradicts", seen: before };
  const lines = await readConsistency({ origin: now.origin, fromSize: from.size, toSize: to.size });
  const path = lines?.map(decodeHash);
  const isWhole = path !== undefined && path.every((hash) => hash !== undefined);
  const isConsistent = isWhole && (await verifyConsistency({ fromSize: from.size, fromRoot: from.root, toSize: to.size, toRoot: to.root, path }));
  return isConsistent ? continues : { kind: "contradicts", seen: before };
}
