import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A way between two machines. It keeps its port whatever happens to it, so that it can be an address in a
 * configuration.
 */
export type WayBetween = {
  port: number;
  /** Nothing gets through in either direction, and nothing is closed: cables are pulled, or a firewall drops packets. */
  hold(): void;
  /** What was held arrives late, as TCP delivers it after a partition. */
  letThrough(): void;
  /** Closes all connections; new ones work. */
  cut(): void;
  close(): Promise<void>;
};

type Pair = { near: Socket; far: Socket | undefined };

export async function openWay(targetPort: number): Promise<WayBetween> {
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
