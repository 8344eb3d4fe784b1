import { errcodeOf, writeTroubleOf } from "../store/sqlite-trouble.ts";
import { Refusal } from "./refusal.ts";

/** One line for what the person can mend about a file that they named; everything else is a fault of ours. */
export function explainFileError(error: Error, file: string): Error {
  const { code, path } = error as NodeJS.ErrnoException;
  if (writeTroubleOf(errcodeOf(error)) === "disk_full" || code === "ENOSPC") return new Refusal(`${file} cannot be written: the disk is full`);
  // A connection that breaks has a code as well, but no path.
  if (path !== undefined) return new Refusal(`${path} cannot be read or written (${code})`);
  return error;
}
