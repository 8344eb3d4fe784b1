/** Limits of connections against hostile clients. */
import type { FastifyInstance } from "fastify";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** For every request except uploads of images: see console/operator/read-creative-form.ts. */
const bodyBytesMax = 64 * 1024;
/** URL and headers together. Keys, tokens and cookies need less than 2 KiB; beyond the limit the answer is 431. */
const headBytesMax = 16 * 1024;
/** Against clients that send no headers, or one byte at a time. */
const headersTimeoutMs = 10_000;
/** The whole request including its body, against slow senders. */
const requestTimeoutMs = 30_000;
/** How often Node checks for overdue requests; its default is twice a minute. */
const overdueCheckMs = 2_000;
/** Longer than a usual load balancer's, so that the balancer closes idle connections. */
const keepAliveTimeoutMs = 72_000;
/** Inactivity during a request. The answer of a client that does not read stays in memory. */
const silenceMsMax = 30_000;
/** More than one node can serve. The hostile-connection suite prints the memory of 10,000 idle connections. */
const connectionsMax = 16_384;
/** Files and connections that the service itself needs: the store, Redis, mail, pages. */
const ownFilesMax = 512;
/** If the system does not report a limit. */
const openFilesAssumed = 4_096;
/** Pipelining clients send a few requests ahead. Each that waits is held in memory. */
const unansweredMax = 256;

export const serverLimits = {
  bodyLimit: bodyBytesMax,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionTimeout: silenceMsMax,
  // Unlimited: a client could open a new connection anyway.
  maxRequestsPerSocket: 0,
  http: {
    maxHeaderSize: headBytesMax,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: overdueCheckMs,
    // Refused by reply-failures.ts instead, with a body and a request id.
    requireHostHeader: false,
    // By default Node keeps the first of two; a proxy may use the other one.
    joinDuplicateHeaders: true,
    insecureHTTPParser: false,
  },
};

/** The soft limit of `Max open files` in a text like /proc/self/limits; undefined if it is missing. */
export function parseOpenFiles(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

/**
 * So few that a flood of connections cannot keep the service from opening its own files: each connection may also hold one
 * file that is being sent, and begin-in-order.ts sees to it that it is one.
 */
export const connectionsMaxOf = (openFiles: number | undefined): number =>
  Math.max(1, Math.min(connectionsMax, Math.floor(((openFiles ?? openFilesAssumed) - ownFilesMax) / 2)));

function readOpenFiles(): number | undefined {
  try {
    return parseOpenFiles(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** On the socket itself, because a WeakMap costs the garbage collector too much per request. */
const unanswered = Symbol("unanswered requests");
type CountedSocket = Socket & { [unanswered]?: number };

/** Counts a request until `noteAnswer`. False if the client has sent too many ahead: its connection is then destroyed. */
export function noteRequest(socket: CountedSocket): boolean {
  const count = (socket[unanswered] ?? 0) + 1;
  socket[unanswered] = count;
  if (count <= unansweredMax) return true;
  socket.destroy();
  return false;
}

export function noteAnswer(socket: CountedSocket): void {
  socket[unanswered] = (socket[unanswered] ?? 1) - 1;
}

/** Whether the client has sent more than the request that is being answered. */
export const isPipelined = (socket: CountedSocket): boolean => (socket[unanswered] ?? 0) > 1;

/** Limits for which Fastify has no option. Excess connections are closed at once; open ones are not affected. */
export function limitServer(app: FastifyInstance): void {
  app.server.maxConnections = connectionsMaxOf(readOpenFiles());
  app.addHook("onRequest", (request, _reply, done) => {
    if (noteRequest(request.raw.socket)) done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    noteAnswer(request.raw.socket);
    done();
  });
}
