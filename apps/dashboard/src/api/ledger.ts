import type { LedgerReply } from "@assay/contract/dashboard/ledger.ts";
import { type ChainPlace, type ChainProblem, chainStart, verifyEntries } from "@assay/contract/ledger-chain.ts";
import { queryOptions } from "@tanstack/react-query";
import { read } from "./request.ts";

const entriesPerPage = 200;
const newestEntriesMax = 20;
/** Above any sequence number, so that the query returns the newest entries. */
const seqAboveAll = "999999999999999";

export const newestEntriesQuery = queryOptions({
  queryKey: ["ledger", "newest"],
  queryFn: ({ signal }) => read<LedgerReply>("ledger", { query: { before_seq: seqAboveAll, limit: String(newestEntriesMax) }, signal }),
});

export type LedgerVerdict =
  | { kind: "intact"; entries: number; headHash: string; balanceMicroUsd: number }
  | { kind: "broken"; seq: number; problem: ChainProblem | "head_differs" };

export type ReadPage = (afterSeq: number) => Promise<LedgerReply>;

/**
 * Verifies the whole chain in the browser, page by page, and computes every hash itself. The last entry must match the
 * head that the server reports. Entries written in the meantime are verified as well.
 */
export async function verifyLedger(readPage: ReadPage, onProgress: (done: number, total: number) => void): Promise<LedgerVerdict> {
  let place: ChainPlace = chainStart;
  for (;;) {
    const page = await readPage(place.seq);
    const verdict = await verifyEntries(place, page.entries);
    if (!verdict.ok) return { kind: "broken", seq: verdict.seq, problem: verdict.problem };
    place = verdict.place;
    onProgress(place.seq, page.head.seq);
    if (page.next_after_seq !== null) continue;
    const { head } = page;
    const isHead = place.seq === head.seq && (head.seq === 0 || place.hash === head.hash) && place.balance_micro === head.balance_micro;
    if (!isHead) return { kind: "broken", seq: place.seq, problem: "head_differs" };
    return { kind: "intact", entries: place.seq, headHash: place.hash, balanceMicroUsd: place.balance_micro };
  }
}

export const readLedgerPage: ReadPage = (afterSeq) =>
  read<LedgerReply>("ledger", { query: { after_seq: String(afterSeq), limit: String(entriesPerPage) } });
