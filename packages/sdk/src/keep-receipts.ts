import type { KeptLog } from "@assay/tlog/examine-receipt.ts";
import type { ReceiptStore } from "./receipt-store.ts";

/** `<seq>.<hash>`; undefined for anything else. */
export function parseReceipt(text: string): { seq: number; hash: string } | undefined {
  const match = /^([1-9][0-9]{0,14})\.([0-9a-f]{64})$/.exec(text);
  return match ? { seq: Number(match[1]), hash: match[2]! } : undefined;
}

export type Kept = KeptLog & {
  /** The newest receipt. */
  receipt?: string | undefined;
  /** The last time that the service contradicted itself, with the proofs that show it. */
  contradiction?: { code: string; sentence: string; proofs: readonly string[] } | undefined;
};

const nothing: Kept = { logKeys: [], checkpoints: {} };

const seqOf = (receipt: string | undefined): number => (receipt === undefined ? 0 : (parseReceipt(receipt)?.seq ?? 0));

/** Two processes with one store may write in turns: the newer receipt stays. */
const newerOf = (one: string | undefined, other: string | undefined): string | undefined => (seqOf(other) > seqOf(one) ? other : one);

/** Different for every key, and tells nothing about it. */
async function nameOf(apiKey: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`assay-receipts ${apiKey}`)));
  return `assay-receipts-${Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Reads and writes one after the other, so that none of two changes is lost. Receipts are written in the background: calls
 * do not wait for the store, and a burst of calls is few writes.
 */
export class ReceiptKeeper {
  readonly #store: ReceiptStore;
  readonly #name: Promise<string>;
  #newest: string | undefined;
  #isScheduled = false;
  #turn: Promise<unknown> = Promise.resolve();
  #failure: { reason: unknown } | undefined;

  constructor(store: ReceiptStore, apiKey: string) {
    this.#store = store;
    this.#name = nameOf(apiKey);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #read(): Promise<Kept> {
    const text = await this.#store.read(await this.#name);
    const kept = text === undefined || text === null || text === "" ? nothing : { ...nothing, ...(JSON.parse(text) as Kept) };
    return { ...kept, receipt: newerOf(kept.receipt, this.#newest) };
  }

  /** Keeps the receipt if it is newer. A failure of the store is thrown by whatever reads next. */
  note(receipt: string | undefined): void {
    if (receipt === undefined || seqOf(receipt) <= seqOf(this.#newest)) return;
    this.#newest = receipt;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.change(() => {
      this.#isScheduled = false;
      return {};
    }).catch((reason: unknown) => {
      this.#isScheduled = false;
      this.#failure = { reason };
    });
  }

  /** Everything that is kept, after what is being written. */
  load(): Promise<Kept> {
    return this.#inTurn(async () => {
      const failure = this.#failure;
      this.#failure = undefined;
      if (failure) throw failure.reason;
      return this.#read();
    });
  }

  change(decide: () => Partial<Kept>): Promise<void> {
    return this.#inTurn(async () => {
      const change = decide();
      const text = JSON.stringify({ ...(await this.#read()), ...change });
      await this.#store.write(await this.#name, text);
    });
  }
}
