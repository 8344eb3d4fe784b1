import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openConnection } from "../exchange-bytes.ts";

/** One answer as it arrived: status line, headers in order, body. */
export type RawAnswer = { status: number; head: string; body: string };

/** The complete answers at the start of these bytes (in latin1), and what follows them. */
export function splitAnswers(received: string): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    if (end < 0 || Number.isNaN(status)) return { answers, rest };
    const head = rest.slice(0, end + 4);
    const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0);
    if (rest.length < head.length + length) return { answers, rest };
    answers.push({ status, head, body: rest.slice(head.length, head.length + length) });
    rest = rest.slice(head.length + length);
  }
}

const isFinal = ({ status }: RawAnswer): boolean => status >= 200;

export type Conversation = {
  socket: Socket;
  received(): string;
  answers(): RawAnswer[];
  isClosed(): boolean;
  /** Resolves when this many final answers have arrived or the connection is closed. */
  untilAnswers(count: number): Promise<void>;
  untilClosed(): Promise<void>;
};

/** A raw connection whose bytes are kept. */
export async function openConversation(service: { url: string }): Promise<Conversation> {
  const socket = await openConnection(service);
  let received = "";
  let isClosed = false;
  let change = Promise.withResolvers<void>();
  const noteChange = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    noteChange();
  });
  for (const end of ["end", "close"]) {
    socket.on(end, () => {
      isClosed = true;
      noteChange();
    });
  }
  const hasClosed = () => isClosed;
  const answers = () => splitAnswers(received).answers.filter(isFinal);
  return {
    socket,
    received: () => received,
    answers,
    isClosed: hasClosed,
    async untilAnswers(count) {
      while (!hasClosed() && answers().length < count) await change.promise;
    },
    async untilClosed() {
      while (!hasClosed()) await change.promise;
    },
  };
}

/** Lets a server in this process read what was written to it: its sockets are polled once per turn. */
export async function letRead(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

/** Ends a conversation, and shows that the bytes before it were read as a whole request. */
export const goodbye = "GET /health/live HTTP/1.1\r\nHost: goodbye\r\nConnection: close\r\n\r\n";

/**
 * Sends the requests one after the other on one connection, each after the answer to the one before, and then says
 * goodbye. Returns everything that was received until the server closed the connection.
 */
export async function converse(service: { url: string }, requests: readonly (string | Buffer)[]): Promise<string> {
  const conversation = await openConversation(service);
  const { socket } = conversation;
  for (const [index, bytes] of requests.entries()) {
    if (conversation.isClosed()) break;
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    await conversation.untilAnswers(index + 1);
  }
  if (!conversation.isClosed()) socket.write(goodbye);
  await conversation.untilClosed();
  socket.destroy();
  return conversation.received();
}
