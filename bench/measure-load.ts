import { connect, type Socket } from "node:net";

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; errors: number; calls: number };

export type LoadTarget = { path: string; body: string };

export type LoadSettings = { apiKey: string; seconds: number; connections: number; uniqueKeys: boolean; target?: LoadTarget };

const scoringBody = JSON.stringify({
  session_data: {
    user_engagement: 0.75,
    session_duration: 180,
    scroll_depth: 0.8,
    interaction_count: 12,
    page_views: 5,
    return_visitor: true,
  },
});

const scoring: LoadTarget = { path: "/api/ml/predict", body: scoringBody };

const run = `${Date.now()}-${process.pid}`;
let keys = 0;

function requestText(url: URL, settings: LoadSettings): () => string {
  const { path, body } = settings.target ?? scoring;
  const head =
    `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\nX-API-Key: ${settings.apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const plain = `${head}\r\n${body}`;
  return settings.uniqueKeys ? () => `${head}Idempotency-Key: ${run}-${(keys += 1)}\r\n\r\n${body}` : () => plain;
}

/** Length of the answer at the start of the text, or undefined while it is incomplete. */
function answerLength(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error("an answer has no Content-Length");
  const total = headEnd + 4 + Number(length);
  return text.length >= total ? total : undefined;
}

/**
 * Sends requests over keep-alive connections, one at a time on each. Uses raw sockets: on two cores, a load
 * generator as expensive as the server would mostly measure itself.
 */
export async function measureLoad(address: string, settings: LoadSettings): Promise<Load> {
  const url = new URL(address);
  const makeRequest = requestText(url, settings);
  const latenciesMs: number[] = [];
  let errors = 0;
  const startedMs = performance.now();
  const endMs = startedMs + settings.seconds * 1_000;

  const drive = (): Promise<void> =>
    new Promise((resolve) => {
      let sentMs = 0;
      let received = "";
      let isDone = false;
      const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      const send = () => {
        sentMs = performance.now();
        socket.write(makeRequest(), "latin1");
      };
      socket.setEncoding("latin1");
      socket.on("connect", send);
      socket.on("data", (chunk: string) => {
        received += chunk;
        const length = answerLength(received);
        if (length === undefined) return;
        if (received.startsWith("HTTP/1.1 200")) latenciesMs.push(performance.now() - sentMs);
        else errors += 1;
        received = received.slice(length);
        if (performance.now() < endMs) send();
        else {
          isDone = true;
          socket.end();
        }
      });
      // "close" follows.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!isDone) errors += 1;
        resolve();
      });
    });

  await Promise.all(Array.from({ length: settings.connections }, drive));
  const seconds = (performance.now() - startedMs) / 1_000;
  const sorted = Float64Array.from(latenciesMs).toSorted();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    perSecond: sorted.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    errors,
    calls: sorted.length,
  };
}
