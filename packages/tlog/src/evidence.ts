/** What two proofs say about whoever signed them. */
import { areEqual } from "./bytes.ts";
import type { TrustedKeys } from "./checkpoint.ts";
import { verifyReceiptProof, type VerifiedProof } from "./proof.ts";
import { TlogError } from "./tlog-error.ts";

export type EvidenceCode =
  /** One log has two different entries under the same number of the same account. */
  | "two_entries"
  /** One log was signed twice at the same size with different content. */
  | "two_roots";

export type Judgement =
  | { proves: true; code: EvidenceCode; sentence: string; proofs: [VerifiedProof, VerifiedProof] }
  | { proves: false; code: "invalid_proof" | "different_logs" | "different_entries" | "same_entry"; sentence: string };

const nothing = (code: (Judgement & { proves: false })["code"], sentence: string): Judgement => ({ proves: false, code, sentence });

/** Whether the two proofs, each valid by itself, cannot both come from an honest log. Both must name their receipt themselves. */
export async function judgeEvidence(proofA: string, proofB: string, keys: TrustedKeys): Promise<Judgement> {
  let proofs: [VerifiedProof, VerifiedProof];
  try {
    proofs = [await verifyReceiptProof(proofA, undefined, keys), await verifyReceiptProof(proofB, undefined, keys)];
  } catch (error) {
    if (error instanceof TlogError && error.code !== "no_ed25519") return nothing("invalid_proof", `A proof that is not valid proves nothing. ${error.message}`);
    throw error;
  }
  const [a, b] = proofs;
  const { origin } = a.checkpoint;
  // A restored store is logged anew under another origin, with whatever the backup had: that is announced, not hidden.
  if (b.checkpoint.origin !== origin) return nothing("different_logs", "The proofs are from different logs.");
  const isSamePlace = a.receipt.accountId === b.receipt.accountId && a.receipt.seq === b.receipt.seq;
  if (isSamePlace && a.receipt.hash !== b.receipt.hash) {
    return { proves: true, code: "two_entries", sentence: `${origin} has signed two different entries ${a.receipt.seq} of account ${a.receipt.accountId}.`, proofs };
  }
  if (a.checkpoint.size === b.checkpoint.size && !areEqual(a.checkpoint.root, b.checkpoint.root)) {
    return { proves: true, code: "two_roots", sentence: `${origin} has signed two different logs of ${a.checkpoint.size} entries.`, proofs };
  }
  return isSamePlace
    ? nothing("same_entry", "Both proofs are for the same entry, with the same hash.")
    : nothing("different_entries", "The proofs are for different entries, and their checkpoints do not contradict each other.");
}
