import { examineReceipt, type Finding, type LogReader } from "@assay/tlog/examine-receipt.ts";
import { type Kept, parseReceipt, type ReceiptKeeper } from "./keep-receipts.ts";
import type { LogTrust, VerifiedReceipt } from "./log-trust.ts";
import { ReceiptError } from "./receipt-error.ts";

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
