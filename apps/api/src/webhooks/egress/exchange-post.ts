import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { headerBytesMax } from "./connect-pinned.ts";
import { EgressTrouble, toTrouble } from "./egress-trouble.ts";
import type { Target } from "./read-endpoint-url.ts";

/** The status, whatever it is, how the body begins, and how long the receiver asks to be left alone. */
export type Answer = { status: number; body: string; retryAfter: string | undefined };

/** Enough to see what the receiver complains about. */
const bodyBytesMax = 4 * 1_024;

/** Text that any column takes: a cut character at the end is dropped, what is not UTF-8, and NUL, become U+FFFD. */
const toText = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");

/** The body up to its end or its bound, whichever comes first. What is beyond is never read. */
function readHead(response: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < bodyBytesMax) return;
    resolve(toText(Buffer.concat(chunks).subarray(0, bodyBytesMax)));
    response.destroy();
  });
  response.on("end", () => resolve(toText(Buffer.concat(chunks))));
  response.on("error", (error) => reject(toTrouble(error)));
  response.on("close", () => reject(new EgressTrouble("closed_early")));
  return promise;
}

/** Sends one POST over the connection and reads the answer. Redirects are answers like any other, and no coding is undone. */
export async function exchangePost(socket: Socket, target: Target, { headers, body }: { headers: Readonly<Record<string, string>>; body: string | Uint8Array }): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = httpRequest({
    method: "POST",
    path: target.path,
    headers: { ...given, host: target.authority, connection: "close", "accept-encoding": "identity", "content-length": Buffer.byteLength(body) },
    setHost: false,
    maxHeaderSize: headerBytesMax,
    createConnection: () => socket,
  });
  request.on("response", resolve).on("error", (error) => reject(toTrouble(error)));
  request.on("close", () => reject(new EgressTrouble("closed_early")));
  request.end(body);
  const response = await promise;
  return { status: response.statusCode ?? 0, body: await readHead(response), retryAfter: response.headers["retry-after"] };
}
