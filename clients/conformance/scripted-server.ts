import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

export type Fault =
  /** The connection closes without an answer. */
  | "cut"
  /** The answer stops in the middle of its body, and the connection closes. */
  | "cut_inside"
  /** The server never answers. */
  | "silence"
  /** The answer stops in the middle of its body, and the connection stays. */
  | "stall_inside"
  /** The answer arrives byte by byte, for as long as anybody reads. */
  | "drip"
  /** The answer is larger than anything that the service sends. */
  | "flood";

export type Step = Answer | Fault;

export type ScriptedServer = { url: string; seen: Seen[]; close(): Promise<void> };

const json = { "content-type": "application/json" };
const beginning = '{"service_score":';
const dripMs = 50;
const floodBytes = 6 * 1024 * 1024;

const faults: Record<Fault, (response: ServerResponse) => void> = {
  silence: () => {},
  cut: ({ socket }) => socket?.destroy(),
  cut_inside: (response) => response.writeHead(200, { ...json, "content-length": "1000" }).write(beginning, () => response.socket?.destroy()),
  stall_inside: (response) => response.writeHead(200, { ...json, "content-length": "1000" }).write(beginning),
  drip(response) {
    response.writeHead(200, { ...json, "content-length": "100000" });
    const timer = setInterval(() => response.write(" "), dripMs);
    response.on("close", () => clearInterval(timer));
  },
  flood: (response) => response.writeHead(200, json).end(`{"text":"${"a".repeat(floodBytes)}"}`),
};

function play(step: Step, response: ServerResponse): void {
  if (typeof step === "string") {
    faults[step](response);
    return;
  }
  const text = step.body === undefined ? "" : typeof step.body === "string" ? step.body : JSON.stringify(step.body);
  response.writeHead(step.status, { ...json, ...step.headers }).end(text);
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
