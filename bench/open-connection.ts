import { connect, type Socket } from "node:net";

const statusStart = "HTTP/1.1 ".length;

/** Length of the answer at the start of the text, or undefined while it is incomplete. */
function answerLength(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error("an answer has no Content-Length");
  const total = headEnd + 4 + Number(length);
  return text.length >= total ? total : undefined;
}

export type Connection = { send(text: string): void; end(): void };
type ConnectionEvents = { onOpen(): void; /** `text`: head and body. */ onAnswer(status: number, text: string): void; onClose(isExpected: boolean): void };

/** A keep-alive connection with at most one request under way. It is expected to close only after `end`. */
export function openConnection(url: URL, { onOpen, onAnswer, onClose }: ConnectionEvents): Connection {
  let received = "";
  let isEnded = false;
  const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  socket.setEncoding("latin1");
  socket.on("connect", onOpen);
  socket.on("data", (chunk: string) => {
    received += chunk;
    const length = answerLength(received);
    if (length === undefined) return;
    const text = received.slice(0, length);
    received = received.slice(length);
    onAnswer(Number(text.slice(statusStart, statusStart + 3)), text);
  });
  // "close" follows.
  socket.on("error", () => undefined);
  socket.on("close", () => onClose(isEnded));
  return {
    send: (text) => void socket.write(text, "latin1"),
    end() {
      isEnded = true;
      socket.end();
    },
  };
}
