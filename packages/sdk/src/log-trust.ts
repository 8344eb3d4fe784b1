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
