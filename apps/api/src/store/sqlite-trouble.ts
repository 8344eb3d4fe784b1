/**
 * What keeps SQLite from writing, by SQLite's own codes. Everything here happens to the disk, not to a statement:
 * the same write may succeed once the disk has room again.
 */
export type WriteTrouble = "disk_full" | "disk_error";

/** SQLite's primary result codes; the bits above say more, and are not needed. */
const primaryCodeMask = 0xff;
const codes = { busy: 5, ioError: 10, damaged: 11, full: 13, constraint: 19, notADatabase: 26 } as const;

/** For an error of ours that means the same. */
export const fullErrcode = codes.full;

const primaryOf = (errcode: number | undefined): number => (errcode ?? 0) & primaryCodeMask;

export function writeTroubleOf(errcode: number | undefined): WriteTrouble | undefined {
  const primary = primaryOf(errcode);
  if (primary === codes.full) return "disk_full";
  return primary === codes.ioError ? "disk_error" : undefined;
}

/** The file is not what SQLite wrote: nothing but a backup helps. */
export const isDamage = (errcode: number | undefined): boolean =>
  primaryOf(errcode) === codes.damaged || primaryOf(errcode) === codes.notADatabase;

export const isBusy = (errcode: number | undefined): boolean => primaryOf(errcode) === codes.busy;

/**
 * Whether a COMMIT that failed has certainly taken no effect. A full disk stops the write before its last frame, the
 * one that makes it count. After any other failure of the disk that frame may be in the log already: were the
 * process to die now, the next start would find it there and take the transaction for good.
 */
export const isCertainlyUndone = (errcode: number | undefined): boolean => {
  const primary = primaryOf(errcode);
  return primary === codes.full || primary === codes.busy || primary === codes.constraint;
};

/** node:sqlite's errors carry SQLite's code. */
export const errcodeOf = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
