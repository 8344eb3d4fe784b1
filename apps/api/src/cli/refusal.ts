import { errcodeOf, writeTroubleOf } from "../store/sqlite-trouble.ts";

/** The command cannot be carried out. The message is the one line that the person at the terminal reads. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Turns errors about a file that the person named into one line. All others are bugs and stay as they are. */
export function explainFileError(error: Error, file: string): Error {
  const { code, path } = error as NodeJS.ErrnoException;
  if (writeTroubleOf(errcodeOf(error)) === "disk_full" || code === "ENOSPC") return new Refusal(`${file} cannot be written: the disk is full`);
  // A broken connection has a code too, but no path.
  if (path !== undefined) return new Refusal(`${path} cannot be read or written (${code})`);
  return error;
}
