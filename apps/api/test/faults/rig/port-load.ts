import { Agent, type AgentOptions } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestAccount } from "../../make-account.ts";
import type { CallBook } from "./call-book.ts";
import { attemptCall } from "./load.ts";
import type { SeededRandom } from "./seeded-random.ts";

const pauseAfterFailureMs = 20;
/** A worker that starts again needs the processor, too. */
const thinkMsMax = 20;

/** One keep-alive connection at a time, whose own port is known. */
class PortAgent extends Agent {
  port = 0;

  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection(options: AgentOptions, done?: (error: Error | null, socket: Socket) => void): Socket {
    const socket = super.createConnection(options, done as never) as Socket;
    socket.once("connect", () => (this.port = socket.localPort ?? 0));
    return socket;
  }
}

/** A call without a 200: the port of its connection, and what it got instead. */
export type Trouble = { port: number; got: string; requestId?: string | undefined };

export type PortLoad = { troubles: Trouble[]; stop(): Promise<void> };

/** Clients that make one call after another and note which of their connections was in trouble. */
export function startPortLoad(settings: { url: string; book: CallBook; random: SeededRandom; accounts: readonly TestAccount[]; connections: number }): PortLoad {
  const { url, book, random, accounts } = settings;
  const troubles: Trouble[] = [];
  const state = { stopped: false };

  async function runClient(): Promise<void> {
    const agent = new PortAgent();
    while (!state.stopped) {
      const account = accounts[random.between(0, accounts.length - 1)]!;
      const attempt = await attemptCall(agent, url, book.open(account, random.isTrue(0.5)));
      const isGood = attempt.kind === "answered" && attempt.status === 200;
      if (attempt.kind !== "answered") troubles.push({ port: agent.port, got: attempt.kind });
      else if (!isGood) troubles.push({ port: agent.port, got: String(attempt.status), requestId: attempt.requestId });
      await sleep(isGood ? random.between(0, thinkMsMax) : pauseAfterFailureMs);
    }
    agent.destroy();
  }

  const ended = Promise.all(Array.from({ length: settings.connections }, runClient));
  return {
    troubles,
    async stop() {
      state.stopped = true;
      await ended;
    },
  };
}
