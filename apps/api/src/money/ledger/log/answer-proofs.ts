import type { ConsistencyReply, InclusionReply } from "@assay/contract/ledger.ts";
import { formatReceiptProof } from "@assay/tlog/proof.ts";
import { Failure } from "../../../failure/failure.ts";
import type { Store } from "../../../store/store.ts";
import { selectEntries } from "../ledger.table.ts";
import { selectCheckpointFrom } from "./log.table.ts";
import { proveConsistency, proveInclusion } from "./prove-entry.ts";
import { completeCheckpoint, type LogCheckpoint, readCheckpoint } from "./read-log.ts";

/** The job that logs entries runs about as often. */
const retryAfterSeconds = 10;

const toBase64 = (hashes: readonly Uint8Array[]): string[] => hashes.map((hash) => Buffer.from(hash).toString("base64"));

/** The proof that an entry of the account is in the log, in both forms. */
export async function proveEntry(store: Store, { accountId, seq }: { accountId: string; seq: number }) {
  const [entry] = await selectEntries(store.db, { accountId, afterSeq: seq - 1, limit: 1 }).execute();
  if (entry?.seq !== seq) throw new Failure("not_found", `The account has no entry ${seq}.`);
  const proof = await proveInclusion(store, { accountId, seq });
  if (!proof) throw new Failure("not_found", `Entry ${seq} is not in the log yet. Try again in a moment.`, undefined, { retryAfterSeconds });
  const { index, size, path, checkpoint } = proof;
  return {
    json: (): InclusionReply => ({ receipt: { account_id: accountId, seq, hash: entry.hash }, index, size, path: toBase64(path), checkpoint: checkpoint.note }),
    text: () => formatReceiptProof({ accountId, seq, hash: entry.hash }, { index, path, checkpointNote: checkpoint.note }),
  };
}

/** The open log's checkpoint of exactly this size. */
async function findCheckpointOf(store: Store, { log, origin }: LogCheckpoint, size: number): Promise<LogCheckpoint | undefined> {
  const row = await selectCheckpointFrom(store.db, { log, size }).executeTakeFirst();
  return row?.size === size ? completeCheckpoint(store, origin, row) : undefined;
}

/** The proof that the log had only grown when it reached `toSize`, the size of a checkpoint; by default the newest one's. */
export async function proveGrowth(store: Store, { fromSize, toSize }: { fromSize: number; toSize: number | undefined }): Promise<ConsistencyReply> {
  const newest = await readCheckpoint(store);
  if (!newest || Math.max(fromSize, toSize ?? 0) > newest.size) throw new Failure("not_found", `The log has not reached the size ${Math.max(fromSize, toSize ?? 0)}.`);
  if (toSize !== undefined && fromSize > toSize) throw new Failure("invalid_request", "consistency_to must not be less than consistency_from");
  const checkpoint = toSize === undefined ? newest : await findCheckpointOf(store, newest, toSize);
  if (!checkpoint) throw new Failure("not_found", `The log has no checkpoint of the size ${toSize}.`);
  const { log, size, note } = checkpoint;
  const path = await proveConsistency(store, { log, fromSize, toSize: size });
  return { from_size: fromSize, size, path: toBase64(path), checkpoint: note };
}
