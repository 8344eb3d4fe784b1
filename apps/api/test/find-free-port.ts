import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the ephemeral port range of Linux and macOS, so that no outgoing connection can take the port of a server
// while that server is down.
const portMin = 20_000;
const portMax = 32_000;

/** A loopback port that was free a moment ago, and that a restarted server can reuse. */
export async function findFreePort(): Promise<number> {
  while (true) {
    const port = randomInt(portMin, portMax);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen({ host: "127.0.0.1", port }, () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
