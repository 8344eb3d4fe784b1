import { SqliteError, SqliteOutcomeUnknown, type SqliteThread } from "./sqlite-thread.ts";
import type { WriteTrouble } from "./sqlite-trouble.ts";

/** Called when the disk stops accepting writes, and with undefined when it accepts them again. */
export type OnWriteTrouble = (trouble: WriteTrouble | undefined) => void;

/** The disk does not accept writes. */
export class StoreInTrouble extends Error {
  readonly trouble: WriteTrouble;
  constructor(trouble: WriteTrouble) {
    super(trouble === "disk_full" ? "the disk is full" : "the disk fails");
    this.name = "StoreInTrouble";
    this.trouble = trouble;
  }
}

const troubleOf = (error: unknown): WriteTrouble | undefined =>
  error instanceof SqliteError || error instanceof SqliteOutcomeUnknown ? error.trouble : undefined;

/**
 * Wraps a writer and tracks whether the disk accepts writes. Every write is still tried, because the first that succeeds
 * shows that the disk may have room again. A small one may succeed by chance, so only a probe ends the trouble.
 */
export function watchWrites(writer: SqliteThread, onTrouble: OnWriteTrouble): SqliteThread & { assertWritable(): Promise<void> } {
  let trouble: WriteTrouble | undefined;
  let probing: Promise<void> | undefined;

  function note(next: WriteTrouble | undefined): void {
    if (next === trouble) return;
    trouble = next;
    onTrouble(next);
  }

  /** One probe at a time. */
  function probe(): Promise<void> {
    probing ??= writer
      .ask<void>({ type: "probe" })
      .then(
        () => note(undefined),
        (error: unknown) => note(troubleOf(error) ?? trouble),
      )
      .finally(() => {
        probing = undefined;
      });
    return probing;
  }

  return {
    async ask<Result>(request: Parameters<SqliteThread["ask"]>[0]) {
      try {
        const result = await writer.ask<Result>(request);
        if (trouble !== undefined) void probe();
        return result;
      } catch (error) {
        const found = troubleOf(error);
        if (found !== undefined) note(found);
        throw error;
      }
    },
    async assertWritable() {
      if (trouble !== undefined) await probe();
      if (trouble !== undefined) throw new StoreInTrouble(trouble);
    },
    close: writer.close,
  };
}
