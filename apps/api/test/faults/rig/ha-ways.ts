import { Worker } from "node:worker_threads";

/**
 * A way between two machines. It keeps its port whatever happens to it, so that it can be an address in a
 * configuration.
 */
export type WayBetween = {
  port: number;
  /** Nothing gets through in either direction, and nothing is closed: cables are pulled, or a firewall drops packets. */
  hold(): Promise<void>;
  /** What was held arrives late, as TCP delivers it after a partition. */
  letThrough(): Promise<void>;
  /** Closes all connections; new ones work. */
  cut(): Promise<void>;
  close(): Promise<void>;
};

/** For the thread of the ways, which answers with the port. */
export type WayOrder = { do: "open"; targetPort: number } | { do: "hold" | "letThrough" | "cut" | "close"; port: number };

/** A thread of their own: a test that is busy must not look like a network that is slow. */
let thread: Worker | undefined;
const waiting = new Map<number, (port: number) => void>();
let ordered = 0;

function startThread(): Worker {
  const started = new Worker(new URL("./ha-relay.ts", import.meta.url));
  started.unref();
  started.on("message", ({ id, port }: { id: number; port: number }) => {
    waiting.get(id)?.(port);
    waiting.delete(id);
    // An order that is under way keeps the process alive; an idle thread does not.
    if (waiting.size === 0) started.unref();
  });
  return started;
}

function order(what: WayOrder): Promise<number> {
  thread ??= startThread();
  thread.ref();
  ordered += 1;
  const id = ordered;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    thread!.postMessage({ id, order: what });
  });
}

export async function openWay(targetPort: number): Promise<WayBetween> {
  const port = await order({ do: "open", targetPort });
  const tell = (action: "hold" | "letThrough" | "cut" | "close") => async () => void (await order({ do: action, port }));
  return { port, hold: tell("hold"), letThrough: tell("letThrough"), cut: tell("cut"), close: tell("close") };
}
