/**
 * Where the client keeps receipts and what it saw of the log: a file, a table, a key-value store. `name` is different for
 * each API key and safe as the name of a file. What is kept here proves what the service did: keep it where the service's
 * operator cannot reach it.
 */
export type ReceiptStore = {
  /** What was written last under the name, or undefined or null if nothing was. */
  read(name: string): string | null | undefined | Promise<string | null | undefined>;
  write(name: string, text: string): void | Promise<void>;
};

/** Keeps everything in memory, until the process ends. */
export function memoryReceipts(): ReceiptStore {
  const texts = new Map<string, string>();
  return {
    read: (name) => texts.get(name),
    write: (name, text) => {
      texts.set(name, text);
    },
  };
}
