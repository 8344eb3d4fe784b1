import { sizeContentType } from "@assay/tlog/witness-request.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { cosignCheckpoint, readCosigned, type WitnessAnswer, type WitnessContext } from "./cosign-checkpoint.ts";
import { readBounded } from "./read-bounded.ts";

/** A proof has at most 63 hashes, and a checkpoint rarely more than a few signatures. */
const bodyBytesMax = 64 * 1024;
const requestMsMax = 10_000;
const connectionsMax = 1_000;
const plainText = "text/plain; charset=utf-8";

type Answer = { status: number; type: string; body: string };

const say = (status: number, sentence: string): Answer => ({ status, type: plainText, body: `${sentence}\n` });

function describeAnswer(answer: WitnessAnswer): Answer {
  switch (answer.kind) {
    case "cosigned":
      return { status: 200, type: plainText, body: answer.line };
    case "malformed":
      return say(400, answer.sentence);
    case "not_signed":
      return say(403, "No known key of the log has signed the checkpoint, or a signature of one is wrong.");
    case "unknown_log":
      return say(404, "This witness does not know the log.");
    case "other_size":
      return { status: 409, type: sizeContentType, body: `${answer.size}\n` };
    case "inconsistent":
      return say(422, "The proof does not show that the checkpoint continues the log that this witness has seen.");
  }
}

export type WitnessEvents = {
  onAnswer: (answer: WitnessAnswer) => void;
  onError: (error: unknown) => void;
};

async function answerRequest(context: WitnessContext, events: WitnessEvents, request: IncomingMessage): Promise<Answer> {
  const path = request.url ?? "";
  const monitored = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1];
  if (monitored !== undefined) {
    if (request.method !== "GET") return say(405, "Use GET.");
    const note = readCosigned(context, monitored);
    return note === undefined ? say(404, "This witness has not cosigned a checkpoint of such a log.") : { status: 200, type: plainText, body: note };
  }
  if (path !== "/add-checkpoint") return say(404, "There is nothing at this address.");
  if (request.method !== "POST") return say(405, "Use POST.");
  const body = await readBounded(request.iterator({ destroyOnReturn: false }), bodyBytesMax);
  if (body === undefined) return say(413, `The body must be UTF-8 of at most ${bodyBytesMax} bytes.`);
  const answer = await cosignCheckpoint(context, body);
  events.onAnswer(answer);
  return describeAnswer(answer);
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  // What was not read of a body that is too long would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), "cache-control": "no-store", "x-content-type-options": "nosniff" });
  response.end(body);
}

export type RunningWitness = { address: string; stop: () => Promise<void> };

/** Listens for logs that ask for cosignatures (`POST /add-checkpoint`) and for monitors (`GET /<hash of the origin>/checkpoint`). */
export async function serveWitness(context: WitnessContext, options: WitnessEvents & { host: string; port: number }): Promise<RunningWitness> {
  const server: Server = createServer({ requestTimeout: requestMsMax, headersTimeout: requestMsMax, connectionsCheckingInterval: 2_000 }, (request, response) => {
    answerRequest(context, options, request).then(
      (answer) => send(request, response, answer),
      (error: unknown) => {
        options.onError(error);
        if (!response.headersSent) send(request, response, say(500, "Something went wrong. Nothing was cosigned."));
      },
    );
  });
  server.maxConnections = connectionsMax;
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { address, family, port } = server.address() as AddressInfo;
  return {
    address: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}
