import { claimedReceiptOf, parseProof, verifyReceiptProof } from "@assay/tlog/proof.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import { parseReceipt } from "./keep-receipts.ts";
import { ReceiptError } from "./receipt-error.ts";

/** What a proof proves. */
export type VerifiedProof = {
  accountId: string;
  /** Number and hash of the ledger entry, as in the receipt. */
  seq: number;
  hash: string;
  /** Name of the log. */
  origin: string;
  /** Place of the entry in the log, from 0, and size of the log at the checkpoint. */
  index: number;
  size: number;
  /** Witnesses, of those that are trusted, that have cosigned the checkpoint. */
  witnessedBy: { name: string; atMs: number }[];
};

/**
 * Checks without the service that a log whose key you trust contains the entry of a receipt: `proof` is the text that
 * `Assay.proof` returns, `receipt` the value of an `Assay-Receipt` header. `Assay.verifyReceipt` also compares with what it
 * saw before.
 *
 * @throws {ReceiptError} if it does not.
 */
export async function verifyProof(proof: string, receipt: string, { logKeys, witnessKeys = [] }: { logKeys: readonly string[]; witnessKeys?: readonly string[] | undefined }): Promise<VerifiedProof> {
  const wanted = parseReceipt(receipt);
  if (!wanted) throw new TypeError("receipt must be the value of an Assay-Receipt header, <seq>.<hash>");
  try {
    const claimed = claimedReceiptOf(parseProof(proof));
    const isOther = claimed !== undefined && (claimed.seq !== wanted.seq || claimed.hash !== wanted.hash);
    if (isOther) throw new TlogError("other_receipt", "The proof is for another receipt.");
    const { checkpoint, witnessedBy, index, receipt: proved } = await verifyReceiptProof(proof, undefined, { logKeys, witnessKeys });
    return { ...proved, origin: checkpoint.origin, index, size: checkpoint.size, witnessedBy };
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new ReceiptError(error.message, { code: error.code, isContradiction: false });
  }
}
