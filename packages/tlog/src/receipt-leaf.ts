import { TlogError } from "./tlog-error.ts";

/** What `Assay-Receipt` says of an entry, and whose entry it is. */
export type Receipt = { accountId: string; seq: number; hash: string };

const version = "assay-receipt-1";

function isReceipt({ accountId, seq, hash }: Receipt): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(accountId) && Number.isSafeInteger(seq) && seq > 0 && /^[0-9a-f]{64}$/.test(hash);
}

/** The data of the receipt's leaf in the log. */
export function leafText({ accountId, seq, hash }: Receipt): string {
  if (!isReceipt({ accountId, seq, hash })) throw new TlogError("malformed_receipt", "A receipt has an account, a number from 1 and a SHA-256 hash in lower-case hex.");
  return `${version}\n${accountId}\n${seq}\n${hash}\n`;
}

/** The receipt that a leaf is about, or undefined if the text is not a leaf of ours. */
export function parseLeafText(text: string): Receipt | undefined {
  const [first, accountId = "", seq = "", hash = ""] = text.split("\n");
  const receipt = { accountId, seq: Number(seq), hash };
  return first === version && isReceipt(receipt) && leafText(receipt) === text ? receipt : undefined;
}
