import type { Db } from "../schema.ts";

/**
 * What a report is read from: the store, or its replica. It has nothing to write with, so it cannot be passed to what
 * takes a Store. What decides on money, keys or limits must not import this room (.dependency-cruiser.cjs).
 */
export type ReportSource = { readonly db: Db };

/** `asOfMs`: the answer has everything that was committed by then. Undefined if it is current. */
export type Reported<Answer> = { answer: Answer; asOfMs: number | undefined };

export type Reports = {
  /** `read` may run twice: once more on the primary if the replica fails. */
  read<Answer>(read: (source: ReportSource) => Promise<Answer>): Promise<Reported<Answer>>;
  /** Where the next report is read. `staleMsMax` is 0 on the primary. */
  status(): { from: "primary" | "replica"; staleMsMax: number };
  /** By how much the replica may be behind; undefined if that is not known, or if there is none. */
  lagMs(): number | undefined;
  close(): Promise<void>;
};

/** Without a replica. */
export const reportsFrom = (source: ReportSource): Reports => ({
  read: async (read) => ({ answer: await read(source), asOfMs: undefined }),
  status: () => ({ from: "primary", staleMsMax: 0 }),
  lagMs: () => undefined,
  close: async () => {},
});
