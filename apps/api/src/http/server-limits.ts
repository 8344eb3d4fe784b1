/** What a connection may cost and how many there may be. Each bound is for somebody who does not mean well. */
import type { FastifyInstance } from "fastify";
import { readFileSync } from "node:fs";

/** A request of any kind is at most so long, but for the images of creatives: see read-creative-form.ts. */
const bodyBytesMax = 64 * 1024;
/** Address and headers together. Keys, tokens and cookies need less than two; past it the answer is 431. */
const headBytesMax = 16 * 1024;
/** Headers are a packet or two. Who opens a connection and says nothing, or a letter at a time, has this long. */
const headersTimeoutMs = 10_000;
/** The whole request, body and all: slow senders are cut off. */
const requestTimeoutMs = 30_000;
/** How often Node looks for requests that are overdue; by itself it would look twice a minute. */
const overdueCheckMs = 2_000;
/** Longer than the usual load balancer's, so that it is the balancer that closes an idle connection. */
const keepAliveTimeoutMs = 72_000;
/** While a request is under way: nothing sent and nothing taken for so long. Who does not read an answer holds its bytes in our memory. */
const silenceMsMax = 30_000;
/** The hostile-connection suite prints what 10,000 idle ones take. More than this many is no load that one node can serve. */
const connectionsMax = 16_384;
/** Files and connections that the service needs for itself: the store, Redis, mail, pages. */
const ownFilesMax = 512;
/** Where the system does not say how many files a process may open. */
const openFilesAssumed = 4_096;

export const serverLimits = {
  bodyLimit: bodyBytesMax,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionTimeout: silenceMsMax,
  // Not bounded: an answer to the last request of a connection says so, but who may open one may open the next.
  maxRequestsPerSocket: 0,
  http: {
    maxHeaderSize: headBytesMax,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: overdueCheckMs,
    // Ours to refuse, with a body and a request id: see find-ambiguity.ts.
    requireHostHeader: false,
    // Node would keep the first of two and drop the other, and somebody before us may have read that one.
    joinDuplicateHeaders: true,
    insecureHTTPParser: false,
  },
};

/** `Max open files` of a text in the form of /proc/self/limits: what may be open now, and undefined where it does not say. */
export function parseOpenFiles(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Fewer connections than files, so that a flood of them cannot keep the service from opening its own. */
export const connectionsMaxOf = (openFiles: number | undefined): number =>
  Math.max(1, Math.min(connectionsMax, (openFiles ?? openFilesAssumed) - ownFilesMax));

function readOpenFiles(): number | undefined {
  try {
    return parseOpenFiles(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** What Fastify has no option for. Connections past the bound are closed at once; the ones that are there go on. */
export function limitServer(app: FastifyInstance): void {
  app.server.maxConnections = connectionsMaxOf(readOpenFiles());
  // Node would answer 417 by itself, without a body or a request id. A header that asks for more than HTTP has is ignored.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
}
