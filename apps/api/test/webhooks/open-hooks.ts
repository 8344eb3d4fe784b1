// An HTTP receiver of webhooks on loopback that remembers what it got.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Hook = { path: string; id: string; headers: IncomingHttpHeaders; body: string };
/** Returns the status to answer with; undefined if it has done what it wants with the response itself. */
export type Answering = (hook: Hook, response: ServerResponse) => number | undefined | Promise<number | undefined>;

export type Hooks = { url: (path?: string) => string; received: Hook[]; idsAt: (path: string) => string[]; answer: (answering: Answering) => void; close: () => void };

export async function openHooks(first: Answering = () => 200): Promise<Hooks> {
  let answering = first;
  const received: Hook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
    request.on("end", () => {
      const hook = { path: request.url!, id: String(request.headers["webhook-id"]), headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(hook);
      void Promise.resolve(answering(hook, response)).then((status) => {
        if (status !== undefined && !response.destroyed) response.writeHead(status).end();
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: (path = "/") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    idsAt: (path) => received.filter((hook) => hook.path === path).map(({ id }) => id),
    answer(next) {
      answering = next;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
