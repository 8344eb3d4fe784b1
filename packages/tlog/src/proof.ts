/** Proofs of inclusion as files (C2SP tlog-proof). Ours carry the leaf in the extra line, so that a file alone can be judged. */
import { decodeBase64, decodeHash, encodeBase64, encodeUtf8, hashBytes, parseDecimal } from "./bytes.ts";
import { openCheckpoint, type OpenedCheckpoint, type TrustedKeys } from "./checkpoint.ts";
import { hashLeaf, verifyInclusion } from "./merkle.ts";
import { leafText, parseLeafText, type Receipt } from "./receipt-leaf.ts";
import { TlogError } from "./tlog-error.ts";

export type Proof = { index: number; path: readonly Uint8Array[]; checkpointNote: string; extra?: Uint8Array | undefined };

const firstLine = "c2sp.org/tlog-proof@v1";
/** The longest path of a tree whose size a 64-bit number holds. */
export const pathLengthMax = 63;
const proofCharactersMax = 512 * 1024;

function refuse(message: string): never {
  throw new TlogError("malformed_proof", `The proof is malformed: ${message}.`);
}

export function formatProof({ index, path, checkpointNote, extra }: Proof): string {
  if (!Number.isSafeInteger(index) || index < 0) refuse("its index is a number from 0");
  if (path.length > pathLengthMax || path.some(({ length }) => length !== hashBytes)) refuse(`its path has at most ${pathLengthMax} hashes`);
  const extraLine = extra === undefined ? "" : `extra ${encodeBase64(extra)}\n`;
  return `${firstLine}\n${extraLine}index ${index}\n${path.map((hash) => `${encodeBase64(hash)}\n`).join("")}\n${checkpointNote}`;
}

/** The proof of a receipt, with its leaf in the extra line. */
export const formatReceiptProof = (receipt: Receipt, proof: Omit<Proof, "extra">): string => formatProof({ ...proof, extra: encodeUtf8(leafText(receipt)) });

export function parseProof(text: string): Proof {
  if (text.length > proofCharactersMax) refuse(`it has more than ${proofCharactersMax} characters`);
  const end = text.indexOf("\n\n");
  if (end < 0) refuse("it has no empty line before its checkpoint");
  const [version, ...lines] = text.slice(0, end).split("\n");
  if (version !== firstLine) refuse(`its first line is not ${firstLine}`);
  let extra: Uint8Array | undefined;
  if (lines[0]?.startsWith("extra ")) {
    extra = decodeBase64(lines.shift()!.slice("extra ".length));
    if (extra === undefined) refuse("its extra line is not base64");
  }
  const indexLine = lines.shift();
  const index = indexLine?.startsWith("index ") ? parseDecimal(indexLine.slice("index ".length)) : undefined;
  if (index === undefined) refuse("its index is a decimal without leading zeros below 2^53");
  if (lines.length > pathLengthMax) refuse(`its path has more than ${pathLengthMax} hashes`);
  const path = lines.map((line) => decodeHash(line) ?? refuse("each line of its path is a SHA-256 hash in base64"));
  return { index, path, checkpointNote: text.slice(end + 2), extra };
}

/** The receipt that the proof says it is for. Nothing vouches for it before the proof is verified with it. */
export function claimedReceiptOf({ extra }: Proof): Receipt | undefined {
  if (extra === undefined) return undefined;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(extra);
  return parseLeafText(text);
}

export type VerifiedProof = OpenedCheckpoint & { receipt: Receipt; index: number };

/** Throws unless a trusted log has the receipt at the index that the proof names. Without a receipt, the one that the proof claims. */
export async function verifyReceiptProof(proofText: string, receipt: Receipt | undefined, keys: TrustedKeys): Promise<VerifiedProof> {
  const proof = parseProof(proofText);
  const claimed = claimedReceiptOf(proof);
  const wanted = receipt ?? claimed;
  if (wanted === undefined) throw new TlogError("malformed_proof", "The proof does not say which receipt it is for.");
  const leaf = leafText(wanted);
  if (claimed !== undefined && leafText(claimed) !== leaf) throw new TlogError("other_receipt", "The proof is for another receipt.");
  const { checkpoint, witnessedBy } = await openCheckpoint(proof.checkpointNote, keys);
  const { size, root } = checkpoint;
  const isIncluded = await verifyInclusion({ leafHash: await hashLeaf(encodeUtf8(leaf)), index: proof.index, size, root, path: proof.path });
  if (!isIncluded) throw new TlogError("not_included", "The proof does not lead from the receipt to the root of its checkpoint.");
  return { checkpoint, witnessedBy, receipt: wanted, index: proof.index };
}
