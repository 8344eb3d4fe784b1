import type { ConsistencyReply, InclusionReply } from "@assay/contract/ledger.ts";
import { formatReceiptProof } from "@assay/tlog/proof.ts";
import { Failure } from "../../../failure/failure.ts";
import type { Store } from "../../../store/store.ts";
import { selectEntries } from "../ledger.table.ts";
import { selectCheckpointFrom } from "./log.table.ts";
import { proveConsistency, proveInclusion } from "./prove-entry.ts";
import { completeCheckpoint, readCheckpoint } from "./read-log.ts";

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

/** The proof that the log had only grown when it reached `toSize`, by default its size now, with the first checkpoint that covers it. */
export async function proveGrowth(store: Store, { fromSize, toSize }: { fromSize: number; toSize: number | undefined }): Promise<ConsistencyReply> {
  const newest = await readCheckpoint(store);
  if (!newest || Math.max(fromSize, toSize ?? 0) > newest.size) throw new Failure("not_found", `The log has not reached the size ${Math.max(fromSize, toSize ?? 0)}.`);
  if (toSize !== undefined && fromSize > toSize) throw new Failure("invalid_request", "consistency_to must not be less than consistency_from");
  const { log, origin } = newest;
  const row = toSize === undefined ? undefined : await selectCheckpointFrom(store.db, { log, size: toSize }).executeTakeFirst();
  const { note } = row ? await completeCheckpoint(store, origin, row) : newest;
  const size = toSize ?? newest.size;
  return { from_size: fromSize, size, path: toBase64(await proveConsistency(store, { log, fromSize, toSize: size })), checkpoint: note };
}
