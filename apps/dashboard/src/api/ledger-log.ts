import type { LedgerConsistencyReply, LedgerLogReply, LedgerProofReply } from "@assay/contract/dashboard/ledger-log.ts";
import { examineReceipt, type Examination, type KeptLog, type LogReader, nothingKept } from "@assay/tlog/examine-receipt.ts";
import { claimedReceiptOf, parseProof } from "@assay/tlog/proof.ts";
import { type LedgerVerdict, type ReadPage, verifyLedger } from "./ledger.ts";
import { ApiError, read } from "./request.ts";

/** What this browser remembers of the log, one text per account. */
export type LogMemory = { read(accountId: string): string | null; write(accountId: string, text: string): void };

const nameOf = (accountId: string) => `assay-log-${accountId}`;

/** Private windows and full disks refuse to remember; the next verification then has nothing to compare with. */
export const browserMemory: LogMemory = {
  read(accountId) {
    try {
      return localStorage.getItem(nameOf(accountId));
    } catch {
      return null;
    }
  },
  write(accountId, text) {
    try {
      localStorage.setItem(nameOf(accountId), text);
    } catch {
      // Nothing depends on it but the next comparison.
    }
  },
};

export type LogSource = {
  readPage: ReadPage;
  readLog(): Promise<LedgerLogReply>;
  reader(log: LedgerLogReply): LogReader;
};

/** `undefined` for 404. */
async function orNone<Reply>(answer: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export function logSource(readPage: ReadPage): LogSource {
  return {
    readPage,
    readLog: () => read<LedgerLogReply>("ledger/log"),
    reader: (log) => ({
      readKeys: () => Promise.resolve(log.log_keys),
      readProof: async (seq) => (await orNone(read<LedgerProofReply>("ledger/proof", { query: { seq: String(seq) } })))?.proof,
      async readEntryHash(seq) {
        const [entry] = (await readPage(seq - 1)).entries;
        return entry?.seq === seq ? entry.hash : undefined;
      },
      readConsistency: async ({ fromSize, toSize }) =>
        (await orNone(read<LedgerConsistencyReply>("ledger/consistency", { query: { from: String(fromSize), to: String(toSize) } })))?.path,
    }),
  };
}

/** `log`: what became of the comparison with the log, if the chain is whole. */
export type FullVerdict = {
  chain: LedgerVerdict;
  log: { kind: "examined"; examination: Examination } | { kind: "unpublished" | "nothing_logged" | "not_examined" };
};

const readKept = (text: string | null): KeptLog => (text === null ? nothingKept : { ...nothingKept, ...(JSON.parse(text) as KeptLog) });

const seenIn = ({ proof }: KeptLog) => (proof === undefined ? undefined : claimedReceiptOf(parseProof(proof)));

/**
 * Verifies the chain, and then its newest logged entry against the log and against what this browser saw before. The entry's
 * hash is the one that the browser computed, not one that the server states.
 */
export async function verifyAll(source: LogSource, memory: LogMemory, onProgress: (done: number, total: number) => void): Promise<FullVerdict> {
  const log = await source.readLog();
  const hashes = new Map<number, string>();
  let accountId = "";
  const readPage: ReadPage = async (afterSeq) => {
    const page = await source.readPage(afterSeq);
    for (const { seq, hash, account_id: id } of page.entries) {
      accountId = id;
      if (seq === log.newest_seq) hashes.set(seq, hash);
    }
    return page;
  };
  const chain = await verifyLedger(readPage, onProgress);
  const kept = readKept(memory.read(accountId));
  if (!log.is_published) return { chain, log: { kind: "unpublished" } };
  const { newest_seq: newestSeq } = log;
  // Without a logged entry there is nothing to examine, unless this browser has seen one.
  const wanted = newestSeq === null ? seenIn(kept) : { seq: newestSeq, hash: hashes.get(newestSeq) ?? "" };
  if (!wanted) return { chain, log: { kind: "nothing_logged" } };
  if (chain.kind === "broken" && wanted.hash === "") return { chain, log: { kind: "not_examined" } };
  const examination = await examineReceipt(wanted, kept, source.reader(log), { witnessKeys: log.witness_keys, witnessesMin: 0 });
  memory.write(accountId, JSON.stringify(examination.kept));
  return { chain, log: { kind: "examined", examination } };
}
