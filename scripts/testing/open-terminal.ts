import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

const printedCharactersMax = 1024 * 1024;
const patienceMs = 60_000;

export type Terminal = {
  printed: () => string;
  /** Waits until what was printed fulfils it; throws if the program ends before, or takes too long. */
  waitUntil: (isFulfilled: (printed: string) => boolean, what: string) => Promise<void>;
  close: () => Promise<void>;
};

/** A terminal of its own, for a program that runs until it is closed. */
export function openTerminal(text: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Terminal {
  // With a group of its own, so that what the shell starts ends with it.
  const child = spawn("/bin/sh", ["-euc", text], { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let printed = "";
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      if (printed.length < printedCharactersMax) printed += chunk;
    });
  }
  child.on("close", () => {
    hasEnded = true;
  });
  return {
    printed: () => printed,
    async waitUntil(isFulfilled, what) {
      const untilMs = Date.now() + patienceMs;
      while (!isFulfilled(printed)) {
        if (hasEnded || Date.now() > untilMs) throw new Error(`${hasEnded ? "it ended" : "it took too long"} before ${what}; it printed\n${printed}`);
        await wait(50);
      }
    },
    async close() {
      if (!hasEnded) process.kill(-child.pid!, "SIGKILL");
      await closed;
    },
  };
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
