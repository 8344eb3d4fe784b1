import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./refusal.ts";

const answerMsMax = 30_000;
/** A page of entries; everything else is much smaller. */
const answerBytesMax = 4 * 1024 * 1024;
const attemptsMax = 8;
const waitSecondsMax = 3_600;
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Reads an installation from outside, as anybody could. */
export type PublishedLog = {
  /** `undefined` for 404. */
  readText(path: string, accept?: string): Promise<string | undefined>;
  readBytes(path: string): Promise<Uint8Array | undefined>;
};

async function readBody(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Refusal(`${answer.url} answered with more than ${answerBytesMax} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function explain(answer: Response, body: Uint8Array): Refusal {
  let message = "";
  try {
    message = (JSON.parse(Buffer.from(body).toString("utf8")) as { message?: string }).message ?? "";
  } catch {
    // The answer of a proxy, for example; its status says enough.
  }
  const needsKey = answer.status === 401 ? " This log is for developers: pass --key with an API key." : "";
  return new Refusal(`${answer.url} answered ${answer.status}${message === "" ? "" : `: ${message}`}.${needsKey}`.replace("..", "."));
}

/** `url`: of the installation, which may lie under a path. Waits as long as the service asks when a limit is reached. */
export function openPublishedLog(url: string, options: { apiKey: string | undefined; onWait: (seconds: number) => void }): PublishedLog {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol)) throw new Refusal(`"${url}" is not the address of an installation, such as https://assay.example.com`);
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/, "")}`;
  const headers: Record<string, string> = options.apiKey === undefined ? {} : { "x-api-key": options.apiKey };

  async function get(path: string, accept: string): Promise<Uint8Array | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      let answer: Response;
      let body: Uint8Array;
      try {
        // Redirects are not followed: they would send the key to another host.
        answer = await fetch(prefix + path, { headers: { ...headers, accept }, redirect: "manual", signal: AbortSignal.timeout(answerMsMax) });
        body = await readBody(answer);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        throw new Refusal(`${prefix}${path} cannot be reached (${String((error as Error).cause ?? error)})`);
      }
      if (answer.status === 200) return body;
      if (answer.status === 404) return undefined;
      const seconds = Number(answer.headers.get("retry-after") ?? attempt);
      if (!retried.has(answer.status) || attempt >= attemptsMax || !(seconds <= waitSecondsMax)) throw explain(answer, body);
      options.onWait(seconds);
      await sleep(seconds * 1_000);
    }
  }

  return {
    readBytes: (path) => get(path, "*/*"),
    async readText(path, accept = "text/plain") {
      const body = await get(path, accept);
      return body && Buffer.from(body).toString("utf8");
    },
  };
}
