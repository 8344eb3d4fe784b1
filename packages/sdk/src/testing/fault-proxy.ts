import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a network or a proxy can do to a request. */
export const faults = [
  /** The connection closes before the request reaches the service. */
  "cut_before",
  /** The service answers, so the call is billed, and the connection closes before the client receives anything. */
  "cut_after",
  /** The connection closes in the middle of the answer. */
  "cut_inside_answer",
  /** A proxy answers 500, 502, 503, 504 or 429 in place of the service. */
  "refused_by_proxy",
  /** The service answers, so the call is billed, and a proxy sends 504 to the client. */
  "gateway_timeout_after",
  /** The answer is delayed until the client has given up. */
  "answer_too_late",
  /** The request is delayed until the client has given up, and then reaches the service. */
  "request_too_late",
  /** The request reaches the service twice, as from a proxy that retries; the second answer is forwarded. */
  "sent_twice",
] as const;
export type Fault = (typeof faults)[number];

export type FaultProxy = {
  url: string;
  /** Number of requests per fault; `none` counts those that passed unharmed. */
  counts: Record<Fault | "none", number>;
  /** Resolves when no request to the service is in flight. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

type Arrived = { path: string; headers: IncomingMessage["headers"]; body: string };
type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };

const refusals: readonly [status: number, body: string][] = [
  [500, '{"error":"internal_error","message":"out of order"}'],
  [502, "<html>Bad Gateway</html>"],
  [503, '{"error":"overloaded","message":"busy"}'],
  [504, ""],
  [429, '{"error":"rate_limit_exceeded","message":"slow down","retry_after":1,"limit":"burst"}'],
];

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Draws from a deck of as many requests as `size`, then from the next: each fault occurs as often as `counts` says, not perhaps. */
export function dealFaults({ counts, size, between }: { counts: Record<Fault, number>; size: number; between: (from: number, to: number) => number }): () => Fault | "none" {
  const full = faults.flatMap((fault) => Array<Fault | "none">(counts[fault]).fill(fault));
  full.push(...Array<"none">(size - full.length).fill("none"));
  let deck: (Fault | "none")[] = [];
  return () => {
    if (deck.length === 0) deck = [...full];
    return deck.splice(between(0, deck.length - 1), 1)[0]!;
  };
}

/** HTTP proxy in front of the service that applies the fault that `choose` returns. `lateMs` must exceed the client's timeout. */
export async function startFaultProxy(
  target: string,
  { choose, between, lateMs }: { choose: () => Fault | "none"; between: (from: number, to: number) => number; lateMs: number },
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const counts = Object.fromEntries([...faults, "none"].map((name) => [name, 0])) as FaultProxy["counts"];
  const inFlight = new Set<Promise<void>>();

  const forward = ({ path, headers, body }: Arrived): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { connection: _connection, host: _host, ...passed } = headers;
      const outgoing = sendRequest(target + path, { method: "POST", agent, headers: passed });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        readAll(incoming).then((answer) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: answer }), reject);
      });
      outgoing.end(body);
    });

  const pass = (answer: Answer, response: ServerResponse): void => {
    const { connection: _connection, "keep-alive": _keepAlive, ...headers } = answer.headers;
    response.writeHead(answer.status, headers).end(answer.body);
  };

  async function applyFault(fault: Fault | "none", arrived: Arrived, response: ServerResponse): Promise<void> {
    const cut = () => response.socket?.destroy();
    switch (fault) {
      case "none":
        pass(await forward(arrived), response);
        return;
      case "cut_before":
        cut();
        return;
      case "cut_after":
        await forward(arrived);
        cut();
        return;
      case "cut_inside_answer": {
        const { status, headers, body } = await forward(arrived);
        response.writeHead(status, { "content-type": String(headers["content-type"]), "content-length": body.length });
        response.write(body.subarray(0, body.length >> 1), cut);
        return;
      }
      case "refused_by_proxy": {
        const [status, body] = refusals[between(0, refusals.length - 1)]!;
        response.writeHead(status).end(body);
        return;
      }
      case "gateway_timeout_after":
        await forward(arrived);
        response.writeHead(504).end("<html>Gateway Timeout</html>");
        return;
      case "answer_too_late": {
        const answer = await forward(arrived);
        await sleep(lateMs);
        pass(answer, response);
        return;
      }
      case "request_too_late":
        await sleep(lateMs);
        await forward(arrived);
        cut();
        return;
      case "sent_twice": {
        const [, second] = await Promise.all([forward(arrived), forward(arrived)]);
        pass(second, response);
      }
    }
  }

  const server = createServer((request, response) => {
    const work = readAll(request).then((body) => {
      const fault = choose();
      counts[fault] += 1;
      return applyFault(fault, { path: request.url ?? "", headers: request.headers, body: String(body) }, response);
    });
    // The client has gone or the service closed the connection: close this one as well.
    const done = work.catch(() => void response.socket?.destroy());
    inFlight.add(done);
    void done.finally(() => inFlight.delete(done));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const settled = async () => {
    while (inFlight.size > 0) await Promise.all(inFlight);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    settled,
    async close() {
      await settled();
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, "close");
    },
  };
}
