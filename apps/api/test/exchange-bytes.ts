import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A deadline, not an expectation: a machine that is busy with other tests is slow. */
const exchangeMsMax = 120_000;

/** A raw connection to a service, for tests that violate HTTP. */
export async function openConnection(service: { url: string }): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await once(socket, "connect");
  // A reset by the server is not a failure here; "close" follows anyway.
  socket.on("error", () => {});
  return socket;
}

/** Sends the bytes and returns what is received until `isEnough`, the end of the connection, or the timeout. */
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
  const timer = setTimeout(resolve, exchangeMsMax);
  await promise;
  clearTimeout(timer);
  socket.destroy();
  return received;
}

/** The statuses of all answers in these bytes, in order. */
export const statusesIn = (received: string): number[] => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
