import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a network, or a proxy on the way, can do to one request. */
export const faults = [
  /** It never arrives: the connection ends. */
  "cut_before",
  /** It is answered, hence billed, and the connection ends before the client hears of it. */
  "cut_after",
  /** The same, in the middle of the answer. */
  "cut_inside_answer",
  /** It never arrives, and somebody on the way says 500, 502, 503, 504 or 429. */
  "refused_on_the_way",
  /** It is answered, hence billed, and somebody on the way says 504. */
  "gateway_timeout_after",
  /** It is answered, but its answer is held until the client has given up. */
  "answer_too_late",
  /** It is held until the client has given up, and only then arrives. */
  "request_too_late",
  /** It arrives twice, as from a proxy that tries again by itself; the second answer is passed on. */
  "sent_twice",
] as const;
export type Fault = (typeof faults)[number];

export type FaultProxy = {
  url: string;
  /** How often each fault was met, and `none` for requests that passed unharmed. */
  counts: Record<Fault | "none", number>;
  /** Resolves when nothing is on its way to the service any more. */
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

async function gather(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An HTTP proxy before the service that harms requests as `choose` says. `lateMs` must outlast the client's patience. */
export async function startFaultProxy(
  target: string,
  { choose, between, lateMs }: { choose: () => Fault | "none"; between: (from: number, to: number) => number; lateMs: number },
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const counts = Object.fromEntries([...faults, "none"].map((name) => [name, 0])) as FaultProxy["counts"];
  const underWay = new Set<Promise<void>>();

  const forward = ({ path, headers, body }: Arrived): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { connection: _connection, host: _host, ...passed } = headers;
      const outgoing = sendRequest(target + path, { method: "POST", agent, headers: passed });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        gather(incoming).then((answer) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: answer }), reject);
      });
      outgoing.end(body);
    });

  const pass = (answer: Answer, response: ServerResponse): void => {
    const { connection: _connection, "keep-alive": _keepAlive, ...headers } = answer.headers;
    response.writeHead(answer.status, headers).end(answer.body);
  };

  async function harm(fault: Fault | "none", arrived: Arrived, response: ServerResponse): Promise<void> {
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
      case "refused_on_the_way": {
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
    const work = gather(request).then((body) => {
      const fault = choose();
      counts[fault] += 1;
      return harm(fault, { path: request.url ?? "", headers: request.headers, body: String(body) }, response);
    });
    // A client that has gone, or a service that cut the connection: the answer is a cut as well.
    const done = work.catch(() => void response.socket?.destroy());
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
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
