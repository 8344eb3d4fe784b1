// Receivers of webhooks on loopback, each as ill-behaved as its test wants.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export type Receiver = {
  port: number;
  /** How many connections were opened. */
  connections: () => number;
  /** Everything that arrived, as text. */
  received: () => string;
  /** Resolves once every connection so far is closed. */
  whenClosed: () => Promise<void>;
  close: () => void;
};

/** Listens on this machine and does with each connection what `serve` says. It never fails because of its peer. */
export async function openReceiver(serve: (socket: Socket) => void, host = "127.0.0.1"): Promise<Receiver> {
  const sockets: Socket[] = [];
  const chunks: Buffer[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => chunks.push(chunk));
    serve(socket);
  }).listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    received: () => Buffer.concat(chunks).toString(),
    whenClosed: async () => {
      await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => new Promise((resolve) => socket.once("close", resolve))));
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Answers each request with these bytes, and closes. */
export const answering = (answer: string) => (socket: Socket) => {
  socket.once("data", () => socket.end(answer));
};

/** Asks for nothing and joins two sockets, as a proxy does. */
export function join(one: Socket, port: number): void {
  const other = connect({ host: "127.0.0.1", port });
  other.on("error", () => one.destroy());
  one.on("close", () => other.destroy());
  one.pipe(other).pipe(one);
}
