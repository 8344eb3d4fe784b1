import { DatabaseError } from "pg";
import { explain, Failure, overloaded } from "../failure/failure.ts";
import { NotPrimary } from "./primary/fence.ts";
import { SqliteError } from "./sqlite-thread.ts";

/** The outcome of a commit is unknown: its callers must not be answered. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super("the outcome of a commit could not be found out", { cause });
    this.name = "CommitUnknown";
  }
}

/** The system's codes for an unreachable or vanished peer. */
const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]);

/**
 * PostgreSQL errors after which a retry may succeed: connection (08), resources (53), shutdown or start (57P), lock
 * timeout (55P03), serialization failure or deadlock (40), idle transaction ended (25P03), a server that has become
 * read-only (25006).
 */
const postgresCodes = /^(?:08|53|57P|40|55P03|25P03|25006)/;

/** node-postgres has no codes for its own errors. */
const driverTexts = [
  "Connection terminated",
  "Query read timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Client has encountered a connection error",
];

/** How node-postgres reports a connection that the server has ended, e.g. after the node was suspended for a second. */
const lostConnection = /^(?:Client has encountered a connection error|Connection terminated unexpectedly)/;

/** Whether the server has ended the connection, or the transaction on it. If COMMIT was not sent, it changed nothing. */
export const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && ((error instanceof DatabaseError && error.code === "25P03") || lostConnection.test(error.message));

/** Whether a retry of the same statement may succeed, because the statement is not the cause. */
export function isStoreOutOfReach(error: unknown): error is Error {
  if (error instanceof Failure) return error.code === "overloaded";
  if (!(error instanceof Error)) return false;
  if (error instanceof NotPrimary) return true;
  if (error instanceof DatabaseError) return postgresCodes.test(error.code ?? "");
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && connectionCodes.has(code)) return true;
  return driverTexts.some((text) => error.message.startsWith(text));
}

const diskTroubleText = "The service cannot write to its disk just now. Nothing was charged; try again in a few seconds.";
/** A full disk does not get room within a second. */
const diskRetryAfterSeconds = 5;

/** The failure to answer with if the disk refused a write or the store is unreachable. Undefined for every other error. */
export function storeFailureOf(error: unknown): Failure | undefined {
  if (error instanceof SqliteError && error.trouble !== undefined) {
    return new Failure("overloaded", diskTroubleText, error.message, { cause: error, retryAfterSeconds: diskRetryAfterSeconds });
  }
  return isStoreOutOfReach(error) ? overloaded(`the store is out of reach: ${explain(error)}`, { cause: error }) : undefined;
}
