import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { formatSignatureLine, judgeSignature, parseNote, type VerifierKey } from "@assay/tlog/note.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import { formatWitnessRequest } from "@assay/tlog/witness-request.ts";
import { hash } from "node:crypto";
import { explain } from "../../../../failure/failure.ts";
import { closeContradictedLog, type LogContext } from "../extend-log.ts";
import { readLogKeys } from "../log-keys.ts";
import { findContradiction } from "../log-memory.ts";
import { insertCosignature, selectLogs, selectNewestCheckpoint, selectNewestCosignatures } from "../log.table.ts";
import { proveConsistency } from "../prove-entry.ts";
import { readBounded } from "./read-bounded.ts";

/** A witness of this installation, from the file of LOG_WITNESSES. */
export type Witness = { name: string; key: VerifierKey; url: string };

/** `nothing_new`: it has cosigned the newest checkpoint before. `contradicted`: it holds a checkpoint of ours that this store does not have. */
export type Asked = { witness: string; outcome: "cosigned" | "nothing_new" | "contradicted" | "failed"; detail: string };

export type AskContext = Omit<LogContext, "isOver"> & { witnesses: readonly Witness[]; answerMsMax?: number };

type Newest = { log: number; origin: string; size: number; note: string };

/** A witness that is slower counts as away. */
const answerMsMaxUsual = 10_000;
/** Cosignatures and sizes need less; a checkpoint may have several signatures. */
const answerBytesMax = 16 * 1024;
/** The witness may know another size than we thought, and it may change while another node asks. */
const attemptsMax = 3;
/** Enough for the newest lines of all witnesses: one that was away longer tells its size itself. */
const linesMax = 1_000;

/** How the store names a witness: a key of the same name is another one. */
export const witnessIdOf = ({ key }: Pick<Witness, "key">): string => `${key.name}+${key.keyId}`;

/** The witness cannot be used now. The message is for operators. */
class WitnessTrouble extends Error {
  override readonly name = "WitnessTrouble";
}

async function send({ answerMsMax = answerMsMaxUsual }: AskContext, url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  // The signal also ends a body that does not.
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(answerMsMax) });
  const text = await readBounded(response.body, answerBytesMax);
  if (text === undefined) throw new WitnessTrouble(`its answer is longer than ${answerBytesMax} bytes, or not text`);
  return { status: response.status, text };
}

/** Keeps the cosignature from the witness's answer, if it is one. */
async function keepCosignature({ store, nowMs }: AskContext, witness: Witness, { log, size, note }: Newest, answer: string): Promise<void> {
  const { text } = parseNote(note);
  const answered = parseNote(`${text}\n${answer}`);
  const { verdict } = await judgeSignature(answered, witness.key);
  if (verdict !== "signed") throw new WitnessTrouble(verdict === "wrong" ? "its signature is wrong" : "its answer has no signature of its key");
  const signature = answered.signatures.find(({ name, keyId }) => name === witness.key.name && keyId === witness.key.keyId)!;
  await store.write([insertCosignature(store.db, { log, size, witness: witnessIdOf(witness), line: formatSignatureLine(signature).trimEnd(), at: nowMs() })]);
}

/**
 * The witness does not take our checkpoint for a continuation. Its word alone changes nothing: only a checkpoint with our own
 * signature that this store does not have proves that the store was put back, or changed.
 */
async function examine(context: AskContext, witness: Witness, { log, origin }: Newest): Promise<Asked> {
  const shown = await send(context, `${witness.url}/${hash("sha256", origin)}/checkpoint`);
  if (shown.status !== 200) throw new WitnessTrouble(`it knows another log, and does not show it (status ${shown.status})`);
  const logKeys = (await readLogKeys(context, origin)).map(({ vkey }) => vkey);
  const { checkpoint } = await openCheckpoint(shown.text, { logKeys, witnessKeys: [] });
  const remembered = { log, origin, size: checkpoint.size, root: Buffer.from(checkpoint.root).toString("base64") };
  const reason = await findContradiction(context.store, remembered);
  if (reason === undefined) throw new WitnessTrouble("it refuses a checkpoint that continues the one it shows");
  await closeContradictedLog({ ...context, memories: [{ recall: async () => remembered, remember: async () => {} }] });
  return { witness: witness.name, outcome: "contradicted", detail: reason };
}

async function ask(context: AskContext, witness: Witness, newest: Newest, knownSize: number): Promise<Asked> {
  let oldSize = knownSize;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const path = await proveConsistency(context.store, { log: newest.log, fromSize: oldSize, toSize: newest.size });
    const body = formatWitnessRequest({ oldSize, path, checkpointNote: newest.note });
    const { status, text } = await send(context, `${witness.url}/add-checkpoint`, { method: "POST", body, headers: { "content-type": "text/plain; charset=utf-8" } });
    if (status === 200) {
      await keepCosignature(context, witness, newest, text);
      return { witness: witness.name, outcome: "cosigned", detail: `size ${newest.size}` };
    }
    if (status === 422) return examine(context, witness, newest);
    if (status !== 409) throw new WitnessTrouble(`it answered with status ${status}`);
    const size = /^\d{1,15}\n$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(size)) throw new WitnessTrouble("it answered with status 409 without a size");
    if (size > newest.size) return examine(context, witness, newest);
    oldSize = size;
  }
  throw new WitnessTrouble(`it named another size ${attemptsMax} times`);
}

async function askOrFail(context: AskContext, witness: Witness, newest: Newest, knownSize: number): Promise<Asked> {
  if (knownSize === newest.size) return { witness: witness.name, outcome: "nothing_new", detail: `size ${newest.size}` };
  try {
    return await ask(context, witness, newest, knownSize);
  } catch (error) {
    const isOurs = error instanceof WitnessTrouble || error instanceof TlogError;
    const detail = isOurs ? error.message : explain((error as Error).cause ?? error);
    return { witness: witness.name, outcome: "failed", detail };
  }
}

/** The newest cosignatures in the open log, and its newest checkpoint. */
async function readWitnessed({ db }: Pick<AskContext["store"], "db">) {
  const open = await selectLogs(db).limit(1).executeTakeFirst();
  const newest = open && (await selectNewestCheckpoint(db, open.number).executeTakeFirst());
  if (!newest) return undefined;
  const lines = await selectNewestCosignatures(db, { log: open.number, limit: linesMax }).execute();
  return { open, newest, lastOf: (witness: Witness) => lines.find((line) => line.witness === witnessIdOf(witness)) };
}

/** Offers the newest checkpoint to all witnesses at once, and keeps their cosignatures. A witness that is away delays nothing. */
export async function askWitnesses(context: AskContext): Promise<Asked[]> {
  const witnessed = await readWitnessed(context.store);
  if (!witnessed) return [];
  const { open, newest, lastOf } = witnessed;
  const offered: Newest = { log: open.number, origin: open.origin, size: newest.size, note: newest.note };
  return Promise.all(context.witnesses.map((witness) => askOrFail(context, witness, offered, lastOf(witness)?.size ?? 0)));
}

/** One line for the job's result. */
export function describeAsked(asked: readonly Asked[]): string {
  const signed = asked.filter(({ outcome }) => outcome === "cosigned" || outcome === "nothing_new").length;
  const trouble = asked.filter(({ outcome }) => outcome === "failed" || outcome === "contradicted").map(({ witness, detail }) => `${witness}: ${detail}`);
  return [`${signed} of ${asked.length} witnesses have signed the newest checkpoint`, ...trouble].join("; ");
}

export type WitnessState = {
  name: string;
  /** When its newest cosignature was received; undefined if there is none. */
  lastMs: number | undefined;
  /** For how long it has not cosigned although there was something to cosign; 0 if it has cosigned the newest checkpoint. */
  behindMs: number;
};

/** What each witness has cosigned, from the store: the same on every node. */
export async function readWitnessStates(store: Pick<AskContext["store"], "db">, { witnesses, nowMs }: { witnesses: readonly Witness[]; nowMs: number }): Promise<WitnessState[]> {
  const witnessed = await readWitnessed(store);
  return witnesses.map((witness) => {
    const last = witnessed?.lastOf(witness);
    const isCurrent = !witnessed || last?.size === witnessed.newest.size;
    return { name: witness.name, lastMs: last?.at, behindMs: isCurrent ? 0 : Math.max(0, nowMs - (last?.at ?? witnessed.open.opened_at)) };
  });
}
