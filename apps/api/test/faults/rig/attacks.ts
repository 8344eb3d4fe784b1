/** Connections that mean no good. Each attack tells what became of its connections once the server has dealt with them. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { parseOpenFiles } from "../../../src/http/server-limits.ts";
import { openConnection } from "../../exchange-bytes.ts";

type Service = { url: string };
export type Ended = { received: string; isClosed: boolean };

const connectAtOnce = 250;
/** Files that this process needs for everything else. */
const ownFilesMax = 500;

/** As many connections as this process may open files, up to the number that is wished for. */
export function affordableConnections(wished: number): number {
  const openFiles = parseOpenFiles(readFileSync("/proc/self/limits", "utf8")) ?? Number.POSITIVE_INFINITY;
  return Math.min(wished, openFiles - ownFilesMax);
}

/** Opens many connections, some hundred at a time: the queue of those that knock is short. `greet` gets each as soon as it is there. */
export async function openConnections(service: Service, count: number, greet: (socket: Socket) => void = () => {}): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Math.min(connectAtOnce, count - sockets.length);
    const opened = await Promise.all(Array.from({ length: some }, () => openConnection(service)));
    for (const socket of opened) greet(socket);
    sockets.push(...opened);
  }
  return sockets;
}

/** Connections that a process holds, whatever state they are in. */
export function countConnections(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const linkOf = (name: string) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return "closed meanwhile";
    }
  };
  return readdirSync(folder).filter((name) => linkOf(name).startsWith("socket:")).length;
}

/** Resolves when the server has closed the connection; who is still waiting after `msMax` is told so. */
export async function watchEnd(socket: Socket, msMax: number): Promise<Ended> {
  let received = "";
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  socket.once("close", () => resolve(true));
  const giveUp = setTimeout(() => resolve(false), msMax);
  const isClosed = await promise;
  clearTimeout(giveUp);
  socket.destroy();
  return { received, isClosed };
}

/** Sends the text one character at a time, for as long as anybody listens. */
export function dribble(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, everyMs);
  socket.once("close", () => clearInterval(timer));
}
