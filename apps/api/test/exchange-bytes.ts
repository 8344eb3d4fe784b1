import { once } from "node:events";
import { connect, type Socket } from "node:net";

const exchangeMsMax = 30_000;

/** A connection to a service, for whoever does not speak HTTP properly. */
export async function openConnection(service: { url: string }): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, "connect");
  // What the server cuts off is no failure here; whoever cares is told by "close".
  socket.on("error", () => {});
  return socket;
}

/** What comes back for these bytes until it is enough, the server is done, or nothing can be hoped for any more. */
export async function exchangeBytes(service: { url: string }, bytes: string | Buffer, isEnough: (received: string) => boolean): Promise<string> {
  const socket = await openConnection(service);
  let received = "";
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    if (isEnough(received)) resolve();
  });
  socket.on("close", () => resolve());
  socket.write(bytes);
  const giveUp = setTimeout(resolve, exchangeMsMax);
  await promise;
  clearTimeout(giveUp);
  socket.destroy();
  return received;
}

/** The statuses of all answers in these bytes, in order. */
export const statusesIn = (received: string): number[] => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
