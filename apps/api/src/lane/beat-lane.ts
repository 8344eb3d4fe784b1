/**
 * The express lane for beats: pages send one every half minute, and there are many pages. As with calls, whatever is not
 * plainly an ordinary beat goes to its route, and nobody can tell which way one went.
 */
import proxyAddr from "@fastify/proxy-addr";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnswerBeat, isForbidden, readableBy } from "../attestation/answer-beat.ts";
import type { PageGate } from "../attestation/page-gate.ts";
import type { SiteDirectory } from "../attestation/sites/follow-sites.ts";
import { isProxied } from "../http/is-proxied.ts";
import { toAnswer } from "../http/reply-failures.ts";
import { noteAnswer, noteRequest } from "../http/server-limits.ts";
import { readBeat } from "./read-bodies.ts";
import { type CallTools, type FlatHeaders, jsonType } from "./taken-call.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** `trustProxy`: networks whose X-Forwarded-For counts. */
export type BeatContext = { gate: PageGate; sites: SiteDirectory; answerBeat: AnswerBeat; trustProxy: string[] };

type LaneTools = Pick<CallTools, "nextRequestId" | "countCall" | "report"> & { headers: FlatHeaders; isOrdinary: () => boolean; countLaneCall: () => void };

const path = "/c/v1/beat";
const bodyBytesMax = 2_048;
/** What browsers send for a text, and what else a page may set without being asked. */
const types: ReadonlySet<string | undefined> = new Set(["text/plain;charset=UTF-8", "text/plain", "application/json"]);

function hasOrdinaryHead({ method, httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): boolean {
  const length = Number(headers["content-length"]);
  return (
    method === "POST" &&
    httpVersionMajor === 1 &&
    httpVersionMinor === 1 &&
    headers.host !== undefined &&
    !headers.host.includes(",") &&
    types.has(headers["content-type"]) &&
    length >= 1 &&
    length <= bodyBytesMax &&
    headers["transfer-encoding"] === undefined &&
    headers.expect === undefined
  );
}

/** The addresses as Fastify finds them: the connection's own, then those that trusted proxies add. Undefined without proxies. */
function createAddresses(trustProxy: string[]): (request: IncomingMessage) => string[] | undefined {
  if (trustProxy.length === 0) return () => undefined;
  const isTrusted = proxyAddr.compile(trustProxy);
  return (request) => proxyAddr.all(request, isTrusted);
}

export function openBeatLane(context: BeatContext & LaneTools, route: Handler): Handler {
  const { gate, sites, answerBeat, trustProxy, headers, isOrdinary, countLaneCall, nextRequestId, countCall, report } = context;
  const addressesOf = createAddresses(trustProxy);

  function handOver(request: IncomingMessage, response: ServerResponse): void {
    // The route counts it again.
    noteAnswer(request.socket);
    route(request, response);
  }

  /** From here on nothing may fall through to the route. */
  function taking(request: IncomingMessage, response: ServerResponse, arrivedMs: number) {
    const requestId = nextRequestId();
    const { origin } = request.headers;
    countLaneCall();
    response.on("close", () => {
      noteAnswer(request.socket);
      if (response.writableFinished) countCall(path, response.statusCode, performance.now() - arrivedMs);
    });
    const answer = (status: number, body: string, { more = [], isReadable = true }: { more?: FlatHeaders; isReadable?: boolean } = {}): void => {
      const mayRead = isReadable && origin !== undefined && sites.isKnownOrigin(origin);
      const own = mayRead ? ["vary", "origin", ...Object.entries(readableBy(origin)).flat()] : ["vary", "origin"];
      // All of them are ASCII, which is cheaper to write as Latin-1.
      response.writeHead(status, [...headers, "x-request-id", requestId, ...own, ...more, "content-type", jsonType, "content-length", String(body.length)]).end(body, "latin1");
    };
    return {
      answer,
      fail(error: unknown): void {
        const failure = report(error as Error, { requestId, route: path })!;
        const { status, retryAfter, body } = toAnswer(failure);
        answer(status, JSON.stringify(body), { more: retryAfter === undefined ? [] : ["retry-after", retryAfter], isReadable: !isForbidden(failure) });
      },
    };
  }

  function take(request: IncomingMessage, response: ServerResponse, about: { arrivedMs: number; addresses: string[] | undefined }): void {
    const isHere = request.readableLength === Number(request.headers["content-length"]) && !request.destroyed;
    if (!isHere || !isOrdinary()) {
      handOver(request, response);
      return;
    }
    const bytes = request.read() as Buffer;
    const beat = readBeat(bytes.toString());
    if (!beat) {
      request.unshift(bytes);
      handOver(request, response);
      return;
    }
    // Lets the request come to its end.
    request.resume();
    const { answer, fail } = taking(request, response, about.arrivedMs);
    try {
      const { origin } = request.headers;
      const { token, next_ms: nextMs } = answerBeat(beat, { origin, isProxied: isProxied({ headers: request.headers, ips: about.addresses }) });
      answer(200, `{"token":"${token}","next_ms":${nextMs}}`);
    } catch (error) {
      fail(error);
    }
  }

  return (request, response) => {
    if (!hasOrdinaryHead(request) || !isOrdinary()) {
      route(request, response);
      return;
    }
    if (!noteRequest(request.socket)) return;
    const arrivedMs = performance.now();
    const addresses = addressesOf(request);
    gate.admit(request, addresses?.at(-1) ?? request.socket.remoteAddress ?? "", {
      enter: () => take(request, response, { arrivedMs, addresses }),
      refuse(failure) {
        if (isOrdinary()) taking(request, response, arrivedMs).fail(failure);
        else handOver(request, response);
      },
    });
  };
}
