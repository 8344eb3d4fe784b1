import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP relay in front of a database. It can hold back what the database answers, and cut every connection. */
export type Relay = {
  /** The database through this relay. */
  url: string;
  /** Statements still arrive; from now on no answer does. */
  holdAnswers(): void;
  /** Closes all connections. New ones work, and get answers. */
  cut(): void;
  close(): Promise<void>;
};

export async function startRelay(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isHeld = false;

  const listener = createServer({ noDelay: true }, (node) => {
    const database = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const [from, to, passes] of [[node, database, () => true], [database, node, () => !isHeld]] as const) {
      sockets.add(from);
      from.on("data", (chunk) => {
        if (passes()) to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    isHeld = false;
  };

  return {
    url: url.href,
    holdAnswers() {
      isHeld = true;
    },
    cut,
    async close() {
      listener.close();
      cut();
      await once(listener, "close");
    },
  };
}
