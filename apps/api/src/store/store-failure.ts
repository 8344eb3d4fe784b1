import { DatabaseError } from "pg";
import { explain, Failure, overloaded } from "../failure/failure.ts";
import { SqliteError } from "./sqlite-thread.ts";

/** The system's codes for a peer that is not there, or no longer. */
const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]);

/**
 * PostgreSQL's classes of errors that a retry may heal: the connection (08), resources (53), shutdown or start (57P),
 * a lock timeout (55P03), a serialization failure or deadlock (40), an idle transaction that was ended (25P03).
 */
const postgresCodes = /^(?:08|53|57P|40|55P03|25P03)/;

/** node-postgres has no codes for its own errors. */
const driverTexts = [
  "Connection terminated",
  "Query read timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Client has encountered a connection error",
];

/** Whether the same statement may succeed a moment later, because nothing was wrong with it. */
export function isStoreOutOfReach(error: unknown): error is Error {
  if (error instanceof Failure) return error.code === "overloaded";
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) return postgresCodes.test(error.code ?? "");
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && connectionCodes.has(code)) return true;
  return driverTexts.some((text) => error.message.startsWith(text));
}

const diskTroubleText = "The service cannot write to its disk just now. Nothing was charged; try again in a few seconds.";
/** A full disk does not get room within a second. */
const diskRetryAfterSeconds = 5;

/** The failure to answer with where the disk refused a write, or the store cannot be reached. Undefined for every other error. */
export function storeFailureOf(error: unknown): Failure | undefined {
  if (error instanceof SqliteError && error.trouble !== undefined) {
    return new Failure("overloaded", diskTroubleText, error.message, { cause: error, retryAfterSeconds: diskRetryAfterSeconds });
  }
  return isStoreOutOfReach(error) ? overloaded(`the store is out of reach: ${explain(error)}`, { cause: error }) : undefined;
}
