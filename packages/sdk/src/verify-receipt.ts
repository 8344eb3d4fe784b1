import { examineReceipt, type Finding, type LogReader } from "@assay/tlog/examine-receipt.ts";
import { ReceiptError } from "./receipt-error.ts";
import { type Kept, parseReceipt, type ReceiptKeeper } from "./receipt-store.ts";

/** Whom to believe about the log. */
export type LogTrust = {
  /** The log's public keys, from `GET /log/key`. Without them the first ones that the service shows are kept and believed. */
  logKeys?: readonly string[] | undefined;
  /** Public keys of witnesses that you trust. */
  witnessKeys?: readonly string[] | undefined;
  /** How many of them must have cosigned. Default: 0, and the result tells who has. */
  witnessesMin?: number | undefined;
};

/** What was found out about a receipt. */
export type VerifiedReceipt = {
  /** `<seq>.<hash>`. */
  receipt: string;
  /** Your account's id. */
  accountId: string;
  /** Name of the log. */
  origin: string;
  /** Place of the entry in the log, from 0, and size of the log at the checkpoint. */
  index: number;
  size: number;
  /** The proof as a file (C2SP tlog-proof), for anybody who knows the log's key. */
  proof: string;
  /** Witnesses, of those that you trust, that have cosigned the checkpoint. */
  witnessedBy: { name: string; atMs: number }[];
  /** Size of the log that it was found to continue; undefined if none was seen before, or another log. */
  continuesSize: number | undefined;
  /** Whether the service has opened a new log since the last time. It must say why in `GET /api/status`. */
  isNewLog: boolean;
};

/** What cannot happen to an honest service. */
const contradictions: ReadonlySet<string> = new Set(["entry_missing", "entry_changed", "log_rewritten", "not_included", "proof_withdrawn"]);

/** The worst first: a contradiction, then what else failed, then what is still open. */
function findObstacle(findings: readonly Finding[]): Finding | undefined {
  const fails = findings.filter(({ verdict }) => verdict === "fails");
  return fails.find(({ code }) => contradictions.has(code)) ?? fails[0] ?? findings.find(({ verdict, code }) => verdict === "open" && (code === "not_logged_yet" || code === "no_ed25519"));
}

export async function verifyReceipt(text: string | undefined, keeper: ReceiptKeeper, reader: LogReader, trust: LogTrust): Promise<VerifiedReceipt> {
  const before = await keeper.load();
  const receipt = text ?? before.receipt;
  if (receipt === undefined) throw new ReceiptError("There is no receipt to verify: none was given, and none is kept.", { code: "no_receipt", isContradiction: false });
  const wanted = parseReceipt(receipt);
  if (!wanted) throw new TypeError("receipt must be the value of an Assay-Receipt header, <seq>.<hash>");
  const { logKeys, witnessKeys = [], witnessesMin = 0 } = trust;
  const kept: Kept = logKeys ? { ...before, logKeys: [...logKeys] } : before;
  const examined = await examineReceipt(wanted, kept, reader, { witnessKeys, witnessesMin });
  const obstacle = findObstacle(examined.findings);
  if (obstacle) {
    const { proof, evidence } = examined;
    const { code, sentence } = obstacle;
    const isContradiction = contradictions.has(code);
    const proofs = evidence ?? [before.proof, proof].filter((each) => each !== undefined);
    if (isContradiction) await keeper.change(() => ({ contradiction: { code, sentence, proofs } }));
    throw new ReceiptError(sentence, { code, isContradiction, evidence, proof });
  }
  // Keys that were given stay the caller's: only those that the service showed are kept.
  const { accountId, checkpoints, proof: keptProof } = examined.kept;
  await keeper.change(() => ({ accountId, checkpoints, proof: keptProof, logKeys: logKeys ? before.logKeys : examined.kept.logKeys }));
  const { proof, opened, continuation } = examined;
  return {
    receipt,
    accountId: examined.receipt!.accountId,
    origin: opened!.checkpoint.origin,
    index: examined.index!,
    size: opened!.checkpoint.size,
    proof: proof!,
    witnessedBy: opened!.witnessedBy,
    continuesSize: continuation?.kind === "continues" ? continuation.seenSize : undefined,
    isNewLog: continuation?.kind === "new_log",
  };
}
