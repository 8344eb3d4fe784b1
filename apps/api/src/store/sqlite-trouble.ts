/** Failures of the disk, not of a statement: the same write may succeed once the disk has room again. */
export type WriteTrouble = "disk_full" | "disk_error";

/** SQLite's primary result codes, without the bits of the extended ones. */
const primaryCodeMask = 0xff;
const codes = { busy: 5, ioError: 10, damaged: 11, full: 13, constraint: 19, notADatabase: 26 } as const;

export const fullErrcode = codes.full;

const primaryOf = (errcode: number | undefined): number => (errcode ?? 0) & primaryCodeMask;

export function writeTroubleOf(errcode: number | undefined): WriteTrouble | undefined {
  const primary = primaryOf(errcode);
  if (primary === codes.full) return "disk_full";
  return primary === codes.ioError ? "disk_error" : undefined;
}

/** The file is corrupt: only a backup helps. */
export const isDamage = (errcode: number | undefined): boolean =>
  primaryOf(errcode) === codes.damaged || primaryOf(errcode) === codes.notADatabase;

export const isBusy = (errcode: number | undefined): boolean => primaryOf(errcode) === codes.busy;

/**
 * Whether a failed COMMIT has certainly taken no effect. A full disk stops the write before the commit frame. After any
 * other disk failure that frame may be in the write-ahead log already: if the process died now, the next start would
 * find it there and recover the transaction.
 */
export const isCertainlyRolledBack = (errcode: number | undefined): boolean => {
  const primary = primaryOf(errcode);
  return primary === codes.full || primary === codes.busy || primary === codes.constraint;
};

/** The result code in an error of node:sqlite. */
export const errcodeOf = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
