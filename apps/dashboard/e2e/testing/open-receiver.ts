import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { headers: Record<string, string>; body: string };
/** A developer's server: it keeps what it gets and answers as it is told. */
export type Receiver = { url: string; received: Received[]; answer: { status: number; body: string }; server: Server };

export async function openReceiver(): Promise<Receiver> {
  const receiver = { received: [] as Received[], answer: { status: 200, body: "thank you" } };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      receiver.received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(receiver.answer.status).end(receiver.answer.body);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return Object.assign(receiver, { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` });
}
