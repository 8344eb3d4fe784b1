import { SqliteError } from "./sqlite-thread.ts";
import { diskTroubleText, Failure } from "../failure/failure.ts";

/** A disk does not get room within a second. */
const retryAfterSeconds = 5;

/** The failure to answer with where the disk took nothing of a write; undefined for every other error. */
export function diskTroubleOf(error: unknown): Failure | undefined {
  if (!(error instanceof SqliteError) || error.trouble === undefined) return undefined;
  return new Failure("overloaded", diskTroubleText, error.message, { cause: error, retryAfterSeconds });
}
