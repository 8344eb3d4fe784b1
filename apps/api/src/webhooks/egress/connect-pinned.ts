import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressTrouble, toTrouble } from "./egress-trouble.ts";
import { normalizeAddress } from "./judge-address.ts";

/** Opens a TCP connection: node:net's own, but for tests. */
export type Connect = (to: { host: string; port: number }) => Socket;

/** The sockets of one exchange, which end with it. */
export type Line = {
  /** Adds a socket; after the end it is destroyed at once, and the exchange goes no further. */
  add: <Kind extends Socket>(socket: Kind) => Kind;
  end: () => void;
};

export type Proxy = { host: string; port: number; authorization: string | undefined };

/** Also of the proxy's answer: more is not read. */
export const headerBytesMax = 8 * 1_024;

export function openLine(): Line {
  const sockets: Socket[] = [];
  let isOver = false;
  return {
    add: (socket) => {
      // An error without a listener would end the process, also one that comes after the exchange.
      socket.on("error", () => {});
      sockets.push(socket);
      if (!isOver) return socket;
      socket.destroy();
      throw new EgressTrouble("timeout");
    },
    end: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads EGRESS_PROXY, which the settings have checked. */
export function readProxy(given: string): Proxy {
  const url = new URL(given);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ""),
    port: url.port === "" ? 80 : Number(url.port),
    authorization: credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}

/** Resolves with the event; an error, and a close without one, become trouble. */
function whenReady(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve).once("error", (error) => reject(toTrouble(error))).once("close", () => reject(new EgressTrouble("closed_early")));
  return promise;
}

export async function connectDirectly(connect: Connect, line: Line, to: { address: string; port: number }): Promise<Socket> {
  const socket = line.add(connect({ host: to.address, port: to.port }));
  await whenReady(socket, "connect");
  // Whatever happened in between: nothing is sent to another address than the one that was judged.
  const isPinned = normalizeAddress(socket.remoteAddress ?? "") === normalizeAddress(to.address);
  if (!isPinned) throw new EgressTrouble("unreachable");
  return socket;
}

/** Asks the proxy for a tunnel to the address, never to the name: the proxy would resolve it again. */
export async function connectThroughProxy(connect: Connect, line: Line, { proxy, address, port }: { proxy: Proxy; address: string; port: number }): Promise<Socket> {
  const socket = line.add(connect({ host: proxy.host, port: proxy.port }));
  try {
    await whenReady(socket, "connect");
  } catch {
    throw new EgressTrouble("proxy_unreachable");
  }
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const headers = { host: authority, ...(proxy.authorization !== undefined && { "proxy-authorization": proxy.authorization }) };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = httpRequest({ method: "CONNECT", path: authority, headers, setHost: false, maxHeaderSize: headerBytesMax, createConnection: () => socket });
  request.on("error", () => reject(new EgressTrouble("proxy_refused")));
  request.on("connect", (response: IncomingMessage, _socket: Socket, head: Buffer) => {
    // A receiver of TLS never speaks first: what comes here is not from it.
    if (response.statusCode === 200 && head.length === 0) resolve();
    else reject(new EgressTrouble("proxy_refused"));
  });
  request.end();
  await promise;
  return socket;
}

/** TLS with the name of the URL, for SNI and for the certificate, whatever address the connection goes to. */
export async function secure(line: Line, socket: Socket, { host, ca }: { host: string; ca: string[] | undefined }): Promise<Socket> {
  const isLiteral = isIP(host) !== 0;
  const secured = line.add(
    connectTls({
      socket,
      // Without a server name the certificate is compared with `host`, as it must be for an address.
      host,
      ...(!isLiteral && { servername: host }),
      ...(ca && { ca }),
      ALPNProtocols: ["http/1.1"],
      minVersion: "TLSv1.2",
      // Said, so that no environment variable says otherwise.
      rejectUnauthorized: true,
    }),
  );
  try {
    await whenReady(secured, "secureConnect");
  } catch {
    throw new EgressTrouble("tls");
  }
  return secured;
}

export const connectByTcp: Connect = ({ host, port }) => connectTcp({ host, port });
