import { type Connection, openConnection } from "./open-connection.ts";

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; errors: number; calls: number };

/** `headers`: lines of each request in place of the key and the content type; each line ends with a line break. */
export type LoadTarget = { path: string; body: string; headers?: () => string };

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
  const { path, body, headers } = settings.target ?? scoring;
  const headWith = (lines: string) => `POST ${path} HTTP/1.1\r\nHost: ${url.host}\r\n${lines}Content-Length: ${body.length}\r\n`;
  if (headers) return () => `${headWith(headers())}\r\n${body}`;
  const head = headWith(`X-API-Key: ${settings.apiKey}\r\nContent-Type: application/json\r\n`);
  const plain = `${head}\r\n${body}`;
  return settings.uniqueKeys ? () => `${head}Idempotency-Key: ${run}-${(keys += 1)}\r\n\r\n${body}` : () => plain;
}

function summarise(latenciesMs: readonly number[], elapsedMs: number, errors: number): Load {
  const sorted = Float64Array.from(latenciesMs).toSorted();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { perSecond: (sorted.length * 1_000) / elapsedMs, p50Ms: quantile(0.5), p99Ms: quantile(0.99), errors, calls: sorted.length };
}

/**
 * Closed loop: each connection sends its next request when its last one is answered. Uses raw sockets: on two cores, a load
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
      let isHandedOver = false;
      const send = () => {
        sentMs = performance.now();
        connection.send(makeRequest());
      };
      const connection = openConnection(url, {
        onOpen: send,
        onAnswer(status, text) {
          const nowMs = performance.now();
          if (status === 200) latenciesMs.push(nowMs - sentMs);
          else errors += 1;
          // A worker asks some of its callers to connect anew.
          isHandedOver = nowMs < endMs && /\r\nconnection: close\r\n/i.test(text.slice(0, text.indexOf("\r\n\r\n") + 2));
          if (nowMs >= endMs || isHandedOver) connection.end();
          else send();
        },
        onClose(isExpected) {
          if (!isExpected) errors += 1;
          resolve(isHandedOver ? drive() : undefined);
        },
      });
    });

  await Promise.all(Array.from({ length: settings.connections }, drive));
  return summarise(latenciesMs, performance.now() - startedMs, errors);
}

/**
 * Open loop: calls are due at even intervals, whatever the server does. A call that finds every connection busy waits for the
 * next free one, and its latency counts from when it was due: a server that falls behind cannot hide it by slowing its callers.
 */
export async function measureAtRate(address: string, { perSecond, ...settings }: LoadSettings & { perSecond: number }): Promise<Load> {
  const url = new URL(address);
  const makeRequest = requestText(url, settings);
  const callCount = Math.max(1, Math.floor(perSecond * settings.seconds));
  const latenciesMs: number[] = [];
  const free: ((dueMs: number) => void)[] = [];
  let startedMs = Number.POSITIVE_INFINITY;
  let [sent, answered, errors] = [0, 0, 0];
  const isOver = Promise.withResolvers<void>();

  function sendDue(): void {
    const nowMs = performance.now();
    while (sent < callCount && free.length > 0) {
      const dueMs = startedMs + (sent * 1_000) / perSecond;
      if (dueMs > nowMs) return;
      sent += 1;
      free.shift()!(dueMs);
    }
  }

  const open = (): Promise<Connection> =>
    new Promise((resolve, reject) => {
      let dueMs = 0;
      const take = (givenMs: number) => {
        dueMs = givenMs;
        connection.send(makeRequest());
      };
      const connection = openConnection(url, {
        onOpen() {
          free.push(take);
          resolve(connection);
        },
        onAnswer(status) {
          if (status === 200) latenciesMs.push(performance.now() - dueMs);
          else errors += 1;
          answered += 1;
          free.push(take);
          if (answered === callCount) isOver.resolve();
          else sendDue();
        },
        onClose(isExpected) {
          const error = new Error(`${address} closed a connection`);
          reject(error);
          if (!isExpected) isOver.reject(error);
        },
      });
    });

  const connections = await Promise.all(Array.from({ length: settings.connections }, open));
  startedMs = performance.now();
  const timer = setInterval(sendDue, 1);
  try {
    await isOver.promise;
  } finally {
    clearInterval(timer);
    for (const connection of connections) connection.end();
  }
  return summarise(latenciesMs, performance.now() - startedMs, errors);
}
