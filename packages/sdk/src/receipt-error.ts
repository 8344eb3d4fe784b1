import { AssayError } from "./assay-error.ts";

/** Why a receipt was not confirmed. More may be added. */
export type ReceiptCode =
  /** There is no receipt: none was given, and none is kept. */
  | "no_receipt"
  /** The entry is as the receipt says, but not in the log yet. Try again in a minute. */
  | "not_logged_yet"
  /** The ledger no longer has the entry of the receipt. */
  | "entry_missing"
  /** The entry has another content now. */
  | "entry_changed"
  /** The log is not a continuation of the one that was seen before. */
  | "log_rewritten"
  /** The service no longer proves an entry that it proved before. */
  | "proof_withdrawn"
  /** Fewer witnesses than asked for have cosigned the checkpoint. */
  | "not_witnessed"
  /** The proof does not lead to the checkpoint, or was made for another entry. */
  | "not_included"
  | "other_receipt"
  /** The checkpoint is not signed by a key of the log that is known. */
  | "unknown_log"
  | "bad_signature";

/** Thrown by `verifyReceipt`. `isContradiction` tells an accusation from an inconvenience. */
export class ReceiptError extends AssayError {
  /** True if the service contradicts what it said before. */
  readonly isContradiction: boolean;
  /** Two proofs that contradict each other, as files for `assay log evidence`: they convince anybody. */
  readonly evidence: readonly [string, string] | undefined;
  /** The proof that the service gave now, if it gave one. */
  readonly proof: string | undefined;

  constructor(message: string, fields: { code: ReceiptCode | (string & {}); isContradiction: boolean; evidence?: readonly [string, string] | undefined; proof?: string | undefined }) {
    super(message, { code: fields.code, status: 0, isRetryable: !fields.isContradiction && (fields.code === "not_logged_yet" || fields.code === "not_witnessed") });
    this.name = "ReceiptError";
    this.isContradiction = fields.isContradiction;
    this.evidence = fields.evidence;
    this.proof = fields.proof;
  }
}
