/** Building blocks for attacks on the connection level. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { connectionsMaxOf, parseOpenFiles } from "../../../src/http/server-limits.ts";
import { openConnection } from "../../exchange-bytes.ts";

type Service = { url: string };
export type Ended = { received: string; isClosed: boolean };

const connectAtOnce = 250;
/** Reserve of file descriptors for everything else in this process. */
const ownFilesMax = 500;

/** The wanted number of connections, bounded by the file limit that this process and the service have. */
export function affordableConnections(wanted: number): number {
  const openFiles = parseOpenFiles(readFileSync("/proc/self/limits", "utf8"));
  return Math.min(wanted, (openFiles ?? Number.POSITIVE_INFINITY) - ownFilesMax, connectionsMaxOf(openFiles) - ownFilesMax);
}

/** Opens many connections, in groups because the accept queue is short. `onOpen` gets each one as soon as it is open. */
export async function openConnections(service: Service, count: number, onOpen: (socket: Socket) => void = () => {}): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Math.min(connectAtOnce, count - sockets.length);
    const opened = await Promise.all(Array.from({ length: some }, () => openConnection(service)));
    for (const socket of opened) onOpen(socket);
    sockets.push(...opened);
  }
  return sockets;
}

/** Number of open descriptors of a process. */
export const countFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Number of sockets of a process, in any state. */
export function countConnections(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const linkOf = (name: string) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return "";
    }
  };
  return readdirSync(folder).filter((name) => linkOf(name).startsWith("socket:")).length;
}

/** Resolves when the server closes the connection, or after `msMax` with `isClosed` false. */
export async function watchEnd(socket: Socket, msMax: number): Promise<Ended> {
  let received = "";
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  socket.once("close", () => resolve(true));
  const timer = setTimeout(() => resolve(false), msMax);
  const isClosed = await promise;
  clearTimeout(timer);
  socket.destroy();
  return { received, isClosed };
}

/** Sends the text one character at a time until the connection is closed. */
export function dribble(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, everyMs);
  socket.once("close", () => clearInterval(timer));
}
