import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { canonicalText, genesisHash } from "@assay/contract/ledger-chain.ts";
import { encodeBase64, encodeUtf8, joinBytes } from "@assay/tlog/bytes.ts";
import { formatCheckpoint } from "@assay/tlog/checkpoint.ts";
import { type cosignatureType, cosignedText, ed25519Type, formatNote, formatTimedSignature, formatVerifierKey, keyIdOf, type NoteSignature } from "@assay/tlog/note.ts";
import { formatReceiptProof } from "@assay/tlog/proof.ts";
import { leafText } from "@assay/tlog/receipt-leaf.ts";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

const sha256 = (...parts: Uint8Array[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();
const hashPair = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right);

/** Where RFC 6962 splits a tree: the largest power of two below the number of leaves. */
const splitOf = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);

/** Straight from the definitions of RFC 6962, section 2.1: slow, and independent of what it tests. */
export function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return Buffer.from(leaves[0]!);
  const split = splitOf(leaves.length);
  return hashPair(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function pathOf(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  if (index < split) return [...pathOf(index, leaves.slice(0, split)), rootOf(leaves.slice(split))];
  return [...pathOf(index - split, leaves.slice(split)), rootOf(leaves.slice(0, split))];
}

function consistencyOf(fromSize: number, leaves: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (fromSize === leaves.length) return isWhole ? [] : [rootOf(leaves)];
  const split = splitOf(leaves.length);
  if (fromSize <= split) return [...consistencyOf(fromSize, leaves.slice(0, split), isWhole), rootOf(leaves.slice(split))];
  return [...consistencyOf(fromSize - split, leaves.slice(split), false), rootOf(leaves.slice(0, split))];
}

const publicBytes = (key: KeyObject): Uint8Array => Buffer.from(key.export({ format: "jwk" }).x!, "base64url");

export type Signer = {
  vkey: string;
  signatureOf(text: string, atSeconds?: number): NoteSignature;
  /** The same key under another name. */
  rename(name: string): Promise<Signer>;
};

/** Somebody who signs: a log, or a witness. */
export async function makeSigner(name: string, type: typeof ed25519Type | typeof cosignatureType = ed25519Type, pair = generateKeyPairSync("ed25519")): Promise<Signer> {
  const { publicKey, privateKey } = pair;
  const bytes = publicBytes(publicKey);
  const keyId = await keyIdOf(name, type, bytes);
  return {
    vkey: await formatVerifierKey({ name, type, publicKey: bytes }),
    rename: (other) => makeSigner(other, type, pair),
    signatureOf(text: string, atSeconds = 1_790_000_000): NoteSignature {
      const signed = type === ed25519Type ? sign(null, encodeUtf8(text), privateKey) : formatTimedSignature(atSeconds, sign(null, encodeUtf8(cosignedText(text, atSeconds)), privateKey));
      return { name, keyId, bytes: signed };
    },
  };
}

type Place = { accountId: string; seq: number; hash: string };

/** A log in memory, with everything that an honest or a dishonest service could answer about it. */
export class SmallLog {
  readonly origin: string;
  readonly signers: Signer[];
  readonly places: Place[] = [];
  readonly leaves: Buffer[] = [];

  constructor(origin: string, signers: Signer[]) {
    this.origin = origin;
    this.signers = signers;
  }

  /** Another log with the same content and signers. */
  copy(): SmallLog {
    const other = new SmallLog(this.origin, [...this.signers]);
    other.append(...this.places);
    return other;
  }

  append(...places: Place[]): void {
    this.places.push(...places);
    this.leaves.push(...places.map((place) => sha256(Uint8Array.of(0), encodeUtf8(leafText(place)))));
  }

  note(size = this.leaves.length): string {
    const text = formatCheckpoint({ origin: this.origin, size, root: rootOf(this.leaves.slice(0, size)) });
    return formatNote({ text, signatures: this.signers.map((signer) => signer.signatureOf(text)) });
  }

  /** Of the last leaf about this entry. */
  proof(place: Pick<Place, "accountId" | "seq">, size = this.leaves.length): string | undefined {
    const index = this.places.slice(0, size).findLastIndex(({ accountId, seq }) => accountId === place.accountId && seq === place.seq);
    if (index < 0) return undefined;
    return formatReceiptProof(this.places[index]!, { index, path: pathOf(index, this.leaves.slice(0, size)), checkpointNote: this.note(size) });
  }

  consistency(fromSize: number, toSize: number): string[] {
    if (fromSize === 0 || fromSize === toSize) return [];
    return consistencyOf(fromSize, this.leaves.slice(0, toSize), true).map((hash) => encodeBase64(hash));
  }

  /** The hashes of a tile of the log as it is now; undefined if it does not have so many. */
  tile({ level, index, width }: { level: number; index: number; width: number }): Uint8Array | undefined {
    const leavesPerHash = 256 ** level;
    const hashes = Array.from({ length: width }, (_, each) => {
      const from = (index * 256 + each) * leavesPerHash;
      return this.leaves.length < from + leavesPerHash ? undefined : rootOf(this.leaves.slice(from, from + leavesPerHash));
    });
    return hashes.some((hash) => hash === undefined) ? undefined : joinBytes(...(hashes as Buffer[]));
  }
}

/** A whole chain of calls. `refs` tells two histories of an account apart. */
export function makeChain(accountId: string, length: number, options: { ref?: string; atMs?: number } = {}): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const unhashed = {
      account_id: accountId,
      seq,
      at: (options.atMs ?? 1_700_000_000_000) + seq,
      kind: "call" as const,
      ref: `${options.ref ?? "sess"}_${seq}`,
      endpoint: "predict",
      payer: "platform" as const,
      share_bps: 6_800,
      gross_micro: 50_000,
      developer_micro: 34_000,
      platform_micro: 16_000,
      prev_hash: entries.at(-1)?.hash ?? genesisHash,
    };
    entries.push({ ...unhashed, hash: createHash("sha256").update(canonicalText(unhashed)).digest("hex") });
  }
  return entries;
}

export const placesOf = (entries: readonly LedgerEntry[]): Place[] => entries.map(({ account_id: accountId, seq, hash }) => ({ accountId, seq, hash }));
