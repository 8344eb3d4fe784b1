import { DatabaseError } from "pg";

/** What the system says when there is nobody at the other end, or nobody any more; and what connect.ts says of both. */
const connectionCodes = new Set(["overloaded", "ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]);

/**
 * What PostgreSQL says when it will do it another time: the connection (08), resources (53), a shutdown or a start (57P),
 * a lock that was not to be had (55P03), a transaction that lost against another (40) or was idle for too long (25P03).
 */
const postgresCodes = /^(?:08|53|57P|40|55P03|25P03)/;

/** node-postgres has no codes for what it notices itself. */
const driverTexts = [
  "Connection terminated",
  "Query read timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Client has encountered a connection error",
];

/** Whether the same statement may succeed a moment later, because nothing was wrong with it. */
export function isStoreOutOfReach(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) return postgresCodes.test(error.code ?? "");
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && connectionCodes.has(code)) return true;
  return driverTexts.some((text) => error.message.startsWith(text));
}
