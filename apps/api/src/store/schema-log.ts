/** One Merkle tree over the entries of all chains. The one with the highest number is open. */
export type LogRow = {
  number: number;
  /** The name under which it is signed: never used for another log. */
  origin: string;
  opened_at: number;
  /** Why it was opened, for people. */
  reason: string;
};

/** A full tile: 256 hashes of 32 bytes, and the hash of the subtree over them. */
export type LogTileRow = { log: number; level: number; n: number; root: Uint8Array; hashes: Uint8Array };

/** Entries of one account that follow each other in the log. */
export type LogRunRow = { log: number; first_index: number; account_id: string; first_seq: number; count: number };

/** `note`: the signed checkpoint, as it was published. */
export type LogCheckpointRow = { log: number; size: number; root: Uint8Array; note: string; at: number };

/** A signature line that was added to a checkpoint: by a witness, or by a key that the log got later. */
export type LogCosignatureRow = { log: number; size: number; witness: string; line: string; at: number };
