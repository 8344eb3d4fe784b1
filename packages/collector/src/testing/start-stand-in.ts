import type { BeatRequest, StartRequest } from "@assay/contract/attestation.ts";
import type { Counts } from "@assay/contract/measuring/session-totals.ts";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Request = { name: "start" | "beat"; body: StartRequest & BeatRequest; headers: IncomingHttpHeaders; method: string };

/** What the stand-in does with a request. `lose` counts it and cuts the connection, `hang` never answers. */
export type Behaviour = "answer" | "lose" | "hang" | { status: number; error?: string; retryAfter?: number };

/** Stands in for the service where a test needs it to fail; it credits whatever a page reports. */
export type StandIn = {
  /** Base address of `start` and `beat`. */
  base: string;
  /** Every request so far. */
  requests: Request[];
  names(): string[];
  /** The newest token that was given. */
  newest(): string;
  /** What was credited to the token's session up to this token. */
  creditOf(token: string): Counts;
  behaviour: Behaviour;
  nextMs: number;
  /** The most requests that were under way at once. */
  atOnceMax(): number;
  close(): Promise<void>;
};

const nothingYet: Counts = { view_ms: 0, active_ms: 0, clicks: 0, keys: 0, pages: 0, scroll: null };

const add = (earlier: Counts, d: BeatRequest["d"]): Counts => ({
  view_ms: earlier.view_ms + (d.view_ms ?? 0),
  active_ms: earlier.active_ms + (d.active_ms ?? 0),
  clicks: earlier.clicks + (d.clicks ?? 0),
  keys: earlier.keys + (d.keys ?? 0),
  pages: earlier.pages + (d.pages ?? 0),
  scroll: d.scroll === undefined || d.scroll === null ? earlier.scroll : Math.max(d.scroll, earlier.scroll ?? 0),
});

/** `script` is served beside `start` and `beat`, as an installation does. */
export async function startStandIn(script: string, prefix = "/c/v1/"): Promise<StandIn> {
  const requests: Request[] = [];
  const credits = new Map<string, Counts>();
  let newest = "";
  let underWay = 0;
  let atOnceMax = 0;

  function giveToken(credit: Counts): string {
    newest = `token-${credits.size + 1}`;
    credits.set(newest, credit);
    return newest;
  }

  function answer(request: Request, response: ServerResponse): void {
    const { behaviour } = standIn;
    if (behaviour === "hang") return;
    const headers = { "content-type": "application/json", "access-control-allow-origin": request.headers.origin ?? "*", "access-control-expose-headers": "retry-after" };
    if (typeof behaviour === "object") {
      const { status, error = "internal_error", retryAfter } = behaviour;
      if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
      response.writeHead(status, headers).end(JSON.stringify({ error, message: "as the test wants" }));
      return;
    }
    const credit = request.name === "start" ? nothingYet : add(credits.get(request.body.token)!, request.body.d);
    const token = giveToken(credit);
    // Not before the answer has begun: Chromium repeats by itself what gets no answer at all.
    if (behaviour === "lose") response.writeHead(200, { ...headers, "content-length": "100" }).write("{", () => response.destroy());
    else response.writeHead(request.name === "start" ? 201 : 200, headers).end(JSON.stringify({ token, next_ms: standIn.nextMs }));
  }

  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === `${prefix}collector.js`) return response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    const name = ["start", "beat"].find((each) => path === prefix + each) as Request["name"] | undefined;
    if (!name) return response.writeHead(404).end();
    underWay += 1;
    atOnceMax = Math.max(atOnceMax, underWay);
    response.on("close", () => (underWay -= 1));
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const seen = { name, body: JSON.parse(text || "{}") as Request["body"], headers: request.headers, method: request.method! };
      requests.push(seen);
      answer(seen, response);
    });
    return response;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn: StandIn = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    requests,
    names: () => requests.map(({ name }) => name),
    newest: () => newest,
    creditOf: (token) => credits.get(token)!,
    behaviour: "answer",
    nextMs: 5_000,
    atOnceMax: () => atOnceMax,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return standIn;
}
