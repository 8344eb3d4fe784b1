// The thread of the ways: see ha-ways.ts.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import type { WayOrder } from "./ha-ways.ts";

type Relay = { port: number; hold(): void; letThrough(): void; cut(): void; close(): Promise<void> };

type Pair = { near: Socket; far: Socket | undefined };

async function openRelay(targetPort: number): Promise<Relay> {
  const pairs = new Set<Pair>();
  let isHeld = false;

  function join(pair: Pair): void {
    const far = connect({ host: "127.0.0.1", port: targetPort, noDelay: true });
    pair.far = far;
    far.on("error", () => {});
    pair.near.on("close", () => far.destroy());
    far.on("close", () => pair.near.destroy());
    pair.near.pipe(far);
    far.pipe(pair.near);
  }

  const listener = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    const pair: Pair = { near, far: undefined };
    pairs.add(pair);
    near.on("error", () => {});
    near.on("close", () => pairs.delete(pair));
    // While held, a connection is accepted and stays silent: the same as packets that are dropped.
    if (!isHeld) join(pair);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const cut = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far?.destroy();
    }
  };

  return {
    port: (listener.address() as AddressInfo).port,
    hold() {
      isHeld = true;
      for (const { near, far } of pairs) {
        if (!far) continue;
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    letThrough() {
      if (!isHeld) return;
      isHeld = false;
      for (const pair of pairs) {
        if (!pair.far) join(pair);
        else {
          pair.near.pipe(pair.far);
          pair.far.pipe(pair.near);
        }
      }
    },
    cut,
    async close() {
      listener.close();
      cut();
      await once(listener, "close");
    },
  };
}

const relays = new Map<number, Relay>();

async function obey(order: WayOrder): Promise<number> {
  if (order.do === "open") {
    const relay = await openRelay(order.targetPort);
    relays.set(relay.port, relay);
    return relay.port;
  }
  const relay = relays.get(order.port);
  await relay?.[order.do]();
  if (order.do === "close") relays.delete(order.port);
  return order.port;
}

parentPort!.on("message", ({ id, order }: { id: number; order: WayOrder }) => {
  void obey(order).then((port) => parentPort!.postMessage({ id, port }));
});
