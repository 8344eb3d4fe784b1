/** Stable codes of what is wrong with a file, a key or a proof. */
export type TlogCode =
  | "malformed_receipt"
  | "malformed_key"
  | "malformed_note"
  | "malformed_checkpoint"
  | "malformed_proof"
  | "malformed_request"
  | "malformed_policy"
  /** No signature of a known key of the log that the checkpoint names. */
  | "unknown_log"
  /** The signature of a known key, of the log or of a witness, is wrong. */
  | "bad_signature"
  /** The proof was made for another receipt. */
  | "other_receipt"
  /** The path does not lead from the receipt to the root of the checkpoint. */
  | "not_included"
  /** This platform cannot verify Ed25519 signatures. */
  | "no_ed25519";

/** Match on `code`; `message` is a sentence for people. */
export class TlogError extends Error {
  readonly code: TlogCode;

  constructor(code: TlogCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TlogError";
    this.code = code;
  }
}
