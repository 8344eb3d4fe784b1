import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type Step =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection closes without an answer. */
  | "cut"
  /** The answer stops in the middle of its body. */
  | "cut_inside"
  /** The server never answers. */
  | "silence";

export type ScriptedServer = { url: string; seen: Seen[]; close(): Promise<void> };

function play(step: Step, response: ServerResponse): void {
  if (step === "silence") return;
  if (step === "cut") {
    response.socket?.destroy();
    return;
  }
  if (step === "cut_inside") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"service_score":', () => response.socket?.destroy());
    return;
  }
  const text = step.body === undefined ? "" : typeof step.body === "string" ? step.body : JSON.stringify(step.body);
  response.writeHead(step.status, { "content-type": "application/json", "x-request-id": "req_1", ...step.headers }).end(text);
}

/** A real HTTP server that answers each request with the next step; the last one repeats. */
export async function startScriptedServer(steps: readonly Step[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const step = steps[Math.min(seen.length, steps.length - 1)]!;
      seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
      play(step, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
