/** All that the holder of a receipt can check, in the words in which it is told to a person. */
import { encodeUtf8 } from "./bytes.ts";
import { openCheckpoint, type OpenedCheckpoint } from "./checkpoint.ts";
import { type Continuation, checkpointOf, compareWithSeen, keysOfLog, type ReadConsistency } from "./follow-log.ts";
import { hashLeaf, verifyInclusion } from "./merkle.ts";
import { isSignedWith, judgeSignature, parseNote, parseVerifierKey } from "./note.ts";
import { claimedReceiptOf, parseProof } from "./proof.ts";
import { leafText, type Receipt } from "./receipt-leaf.ts";
import { TlogError } from "./tlog-error.ts";

/** What the holder remembers from one examination to the next. Only an examination that found nothing wrong changes it. */
export type KeptLog = {
  accountId?: string | undefined;
  /** Public keys of the log. Those that the service showed first, unless the holder was given others. */
  logKeys: string[];
  /** The newest checkpoint that was seen of each log, by origin. */
  checkpoints: Record<string, string>;
  /** The proof of the newest receipt that was found in the log. */
  proof?: string | undefined;
};

export const nothingKept: KeptLog = { logKeys: [], checkpoints: {} };

/** Asks the service. */
export type LogReader = {
  readKeys(): Promise<string[]>;
  /** Undefined if the entry is not in the log, or does not exist. */
  readProof(seq: number): Promise<string | undefined>;
  /** Undefined if the chain has no such entry. */
  readEntryHash(seq: number): Promise<string | undefined>;
  readConsistency: ReadConsistency;
};

export type Step = "inclusion" | "signature" | "witnesses" | "consistency" | "history";

export type Finding = {
  step: Step;
  /** `open`: it could not be decided, which is no fault by itself. */
  verdict: "holds" | "fails" | "open";
  code: string;
  sentence: string;
};

export type Examination = {
  findings: Finding[];
  /** The proof as the service gave it. */
  proof: string | undefined;
  receipt: Receipt | undefined;
  /** Place of the entry in the log, from 0. */
  index: number | undefined;
  opened: OpenedCheckpoint | undefined;
  continuation: Continuation | undefined;
  /** What to remember. */
  kept: KeptLog;
  /** Two proofs that contradict each other, if there are two. */
  evidence: [string, string] | undefined;
};

type Wanted = { seq: number; hash: string };
type Options = { witnessKeys: readonly string[]; witnessesMin: number };

const found = (step: Step, verdict: Finding["verdict"], code: string, sentence: string): Finding => ({ step, verdict, code, sentence });

/** The service gave no proof: whether that is a matter of seconds, or the entry is no longer what it was. */
async function explainMissing({ seq, hash }: Wanted, reader: LogReader): Promise<Finding> {
  const now = await reader.readEntryHash(seq);
  if (now === undefined) return found("inclusion", "fails", "entry_missing", `The ledger has no entry ${seq}, although you hold its receipt: entries were removed.`);
  if (now !== hash) return found("inclusion", "fails", "entry_changed", `Entry ${seq} of the ledger is not the one of your receipt: the chain was rewritten.`);
  return found("inclusion", "open", "not_logged_yet", `Entry ${seq} is in the ledger and as you know it, but not in the log yet.`);
}

type Included = { finding: Finding; receipt: Receipt | undefined; index: number; note: string; /** Whether the log itself says so. */ isProved: boolean };

async function checkInclusion(proofText: string, { seq, hash }: Wanted, accountId: string | undefined): Promise<Included> {
  const proof = parseProof(proofText);
  const receipt = claimedReceiptOf(proof);
  const { index, checkpointNote: note } = proof;
  const fails = (code: string, sentence: string): Included => ({ finding: found("inclusion", "fails", code, sentence), receipt, index, note, isProved: false });
  if (receipt?.seq !== seq || (accountId !== undefined && receipt.accountId !== accountId)) return fails("other_receipt", `The proof that the service gave is not for entry ${seq} of your account.`);
  const { size, root } = checkpointOf(note);
  const isIncluded = await verifyInclusion({ leafHash: await hashLeaf(encodeUtf8(leafText(receipt))), index, size, root, path: proof.path });
  if (receipt.hash !== hash) return { ...fails("entry_changed", `Entry ${seq} is no longer the one of your receipt: the chain was rewritten.`), isProved: isIncluded };
  if (!isIncluded) return fails("not_included", `Entry ${seq} is not in the log: the proof does not lead to the root of the checkpoint.`);
  return { finding: found("inclusion", "holds", "included", `Entry ${seq} is in the log, at place ${index + 1} of ${size}.`), receipt, index, note, isProved: true };
}

type Signed = { finding: Finding; opened: OpenedCheckpoint | undefined; logKeys: string[] };

/** Keys that sign beside a known one are learned: that is how a log changes its key. */
async function learnKeys(noteText: string, origin: string, known: readonly string[], reader: LogReader): Promise<string[]> {
  const note = parseNote(noteText);
  const keys = await Promise.all(known.map(parseVerifierKey));
  const isKnown = note.signatures.filter(({ name }) => name === origin).every((signature) => keys.some((key) => isSignedWith(signature, key)));
  if (isKnown) return [...known];
  const shown = await keysOfLog(origin, await reader.readKeys());
  const judged = await Promise.all(shown.map(async (vkey) => ({ vkey, ...(await judgeSignature(note, await parseVerifierKey(vkey))) })));
  return [...new Set([...known, ...judged.filter(({ verdict }) => verdict === "signed").map(({ vkey }) => vkey)])];
}

async function checkSignature(note: string, kept: KeptLog, reader: LogReader, { witnessKeys }: Options): Promise<Signed> {
  const { origin } = checkpointOf(note);
  const isFirst = kept.logKeys.length === 0;
  const pinned = isFirst ? await reader.readKeys() : kept.logKeys;
  const known = await keysOfLog(origin, pinned);
  try {
    const opened = await openCheckpoint(note, { logKeys: known, witnessKeys });
    const logKeys = await learnKeys(note, origin, known, reader);
    const sentence = isFirst ? "The checkpoint is signed by the key that the service shows. It is remembered from now on." : "The checkpoint is signed by the log's key.";
    return { finding: found("signature", "holds", "signed", sentence), opened, logKeys };
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    if (error.code === "no_ed25519") {
      return { finding: found("signature", "open", "no_ed25519", "The signature was not checked: this browser or runtime cannot verify Ed25519 signatures."), opened: undefined, logKeys: known };
    }
    return { finding: found("signature", "fails", error.code, error.message), opened: undefined, logKeys: known };
  }
}

function checkWitnesses(opened: OpenedCheckpoint | undefined, { witnessKeys, witnessesMin }: Options): Finding {
  const names = opened?.witnessedBy.map(({ name }) => name) ?? [];
  if (names.length < witnessesMin) return found("witnesses", "fails", "not_witnessed", `${names.length} of the ${witnessesMin} witnesses that you ask for have cosigned the checkpoint.`);
  if (names.length > 0) return found("witnesses", "holds", "witnessed", `Cosigned by ${names.join(", ")}, which would refuse a second version of the log.`);
  const reason = witnessKeys.length === 0 ? "You know no witness of this log" : "No witness has cosigned this checkpoint yet";
  return found("witnesses", "open", "not_witnessed", `${reason}: others may be shown another log.`);
}

const entries = (count: number): string => `${count} ${count === 1 ? "entry" : "entries"}`;

function describeContinuation(continuation: Continuation, note: string): Finding {
  const { origin, size } = checkpointOf(note);
  switch (continuation.kind) {
    case "first_sight":
      return found("consistency", "open", "first_sight", `This is the first checkpoint seen here, of ${entries(size)}. The next one will be compared with it.`);
    case "new_log":
      return found("consistency", "open", "new_log", `The log is a new one, ${origin}. Before, it was ${continuation.before.join(", ")}; the operator has to say why.`);
    case "continues":
      return found("consistency", "holds", "continues", `The log continues the one that was seen here last, of ${entries(continuation.seenSize)}.`);
    case "contradicts":
      return found("consistency", "fails", "log_rewritten", `The log does not continue the one that was seen here last, of ${entries(continuation.seen.size)}: it was rewritten.`);
  }
}

const receiptOf = (proof: string | undefined): Receipt | undefined => (proof === undefined ? undefined : claimedReceiptOf(parseProof(proof)));

type History = { findings: Finding[]; evidence: Examination["evidence"] };

/**
 * Whether the entry of the kept proof is still the same: a rewritten chain may have been logged once more. `now`: the
 * checkpoint of this examination and its log's keys, to which the second answer must belong too.
 */
async function checkHistory(kept: KeptLog, wanted: Wanted, reader: LogReader, now?: { proof: string; note: string; logKeys: string[]; isProved: boolean }): Promise<History> {
  const before = receiptOf(kept.proof);
  if (!before) return { findings: [], evidence: undefined };
  if (before.seq === wanted.seq) {
    if (before.hash === wanted.hash) return { findings: [], evidence: undefined };
    const finding = found("history", "fails", "entry_changed", `Entry ${wanted.seq} is no longer the one that was in the log before: the chain was rewritten.`);
    return { findings: [finding], evidence: now?.isProved ? [kept.proof!, now.proof] : undefined };
  }
  const fails = (code: string, sentence: string): History => ({ findings: [found("history", "fails", code, sentence)], evidence: undefined });
  const again = await reader.readProof(before.seq);
  if (again === undefined) return fails("proof_withdrawn", `The service no longer proves entry ${before.seq}, which was in the log.`);
  const { finding, note, isProved } = await checkInclusion(again, before, before.accountId);
  if (finding.verdict !== "holds") {
    return { findings: [{ ...finding, step: "history" }], evidence: isProved ? [kept.proof!, again] : undefined };
  }
  if (now && note !== now.note) {
    const checkpoint = checkpointOf(note);
    const same = await compareWithSeen(checkpoint, { [checkpointOf(now.note).origin]: now.note }, reader.readConsistency);
    if (same.kind !== "continues") return fails("log_rewritten", "The service answered from two logs that contradict each other.");
    if (now.logKeys.length > 0) await openCheckpoint(note, { logKeys: now.logKeys, witnessKeys: [] });
  }
  return { findings: [found("history", "holds", "unchanged", `Entry ${before.seq}, which was in the log before, is still the same.`)], evidence: undefined };
}

/** Takes all steps that can be taken. The caller decides what a failure means. */
async function takeSteps(wanted: Wanted, before: KeptLog, reader: LogReader, options: Options): Promise<Omit<Examination, "kept"> & { kept?: KeptLog }> {
  const nothing = { proof: undefined, receipt: undefined, index: undefined, opened: undefined, continuation: undefined };
  const proof = await reader.readProof(wanted.seq);
  if (proof === undefined) {
    const missing = await explainMissing(wanted, reader);
    const { findings, evidence } = await checkHistory(before, wanted, reader);
    return { ...nothing, findings: [missing, ...findings], evidence };
  }
  const { finding: inclusion, note, receipt, index, isProved } = await checkInclusion(proof, wanted, before.accountId);
  const { finding: signature, opened, logKeys } = await checkSignature(note, before, reader, options);
  const continuation = await compareWithSeen(checkpointOf(note), before.checkpoints, reader.readConsistency);
  const history = await checkHistory(before, wanted, reader, { proof, note, logKeys: opened ? logKeys : [], isProved });
  const isContradicted = isProved && inclusion.code === "entry_changed" && receiptOf(before.proof)?.seq === wanted.seq;
  return {
    findings: [inclusion, signature, checkWitnesses(opened, options), describeContinuation(continuation, note), ...history.findings],
    proof,
    receipt,
    index,
    opened,
    continuation,
    evidence: isContradicted ? [before.proof!, proof] : history.evidence,
    ...(receipt && { kept: remember(before, { receipt, note, proof, logKeys }) }),
  };
}

/** Everything that the holder of a receipt can check. Answers that cannot be read count as faults of the service. */
export async function examineReceipt(wanted: Wanted, before: KeptLog, reader: LogReader, options: Options): Promise<Examination> {
  try {
    const examined = await takeSteps(wanted, before, reader, options);
    const isSound = examined.findings.every(({ verdict }) => verdict !== "fails");
    return { ...examined, kept: (isSound ? examined.kept : undefined) ?? before };
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    const finding = found("inclusion", "fails", error.code, error.message);
    return { findings: [finding], proof: undefined, receipt: undefined, index: undefined, opened: undefined, continuation: undefined, kept: before, evidence: undefined };
  }
}

/** The larger checkpoint and the proof of the later receipt stay. */
function remember(before: KeptLog, now: { receipt: Receipt; note: string; proof: string; logKeys: string[] }): KeptLog {
  const { origin, size } = checkpointOf(now.note);
  const seen = before.checkpoints[origin];
  const isLarger = seen === undefined || checkpointOf(seen).size <= size;
  return {
    accountId: now.receipt.accountId,
    logKeys: now.logKeys,
    checkpoints: isLarger ? { ...before.checkpoints, [origin]: now.note } : before.checkpoints,
    proof: now.receipt.seq >= (receiptOf(before.proof)?.seq ?? 0) ? now.proof : before.proof,
  };
}
