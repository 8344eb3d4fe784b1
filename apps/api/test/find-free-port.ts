import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range from which Linux and macOS take ports for outgoing connections: nobody's connection
// can sit on the port of a server while that server is down.
const portMin = 20_000;
const portMax = 32_000;

/** A port of loopback that was free a moment ago, and that a server can come back to. */
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
