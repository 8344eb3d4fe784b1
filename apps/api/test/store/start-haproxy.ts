import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../find-free-port.ts";
import { waitUntil } from "../send.ts";
import { killWithParent } from "./kill-with-parent.ts";
import { makeTestFolder } from "../start-service.ts";

/** For the `skip` option of `node:test`: false if HAProxy is available, otherwise the reason. */
export const whyHaproxyIsSkipped = (): string | false => (process.env.ASSAY_TEST_HAPROXY ? false : "no HAProxy: ASSAY_TEST_HAPROXY is not set (npm test sets it)");

/** HAProxy that asks, as it would ask Patroni, which of the servers is the primary. */
export type TestHaproxy = {
  port: number;
  /** What each server answers to GET /primary from now on. */
  setPrimaries(areThey: readonly boolean[]): void;
  stop(): Promise<void>;
};

/** Answers GET /primary as Patroni's REST does: 200 on the leader, 503 elsewhere. */
async function startHealth(isPrimary: () => boolean): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/primary" && isPrimary() ? 200 : 503;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });

export async function startHaproxy(servers: readonly { port: number }[]): Promise<TestHaproxy> {
  let primaries = servers.map((_, index) => index === 0);
  const health = await Promise.all(servers.map((_, index) => startHealth(() => primaries[index]!)));
  const folder = makeTestFolder();
  const port = await findFreePort();
  const configFile = join(folder, "haproxy.cfg");
  writeFileSync(
    configFile,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 10m
  timeout server 10m
  timeout check 1s
listen postgres
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth GET uri /primary
  http-check expect status 200
  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((each, index) => `  server s${index} 127.0.0.1:${each.port} check port ${health[index]!.port}\n`).join("")}`,
  );
  const logFile = join(folder, "log");
  const log = openSync(logFile, "w");
  const child = spawn(process.env.ASSAY_TEST_HAPROXY!, ["-db", "-f", configFile], { stdio: ["ignore", log, log] });
  closeSync(log);
  const cleanUp = killWithParent(child, folder);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(async () => {
    if (hasEnded()) throw new Error(`HAProxy did not start: ${readFileSync(logFile, "utf8")}`);
    return isOpen(port);
  }, "HAProxy listens");
  return {
    port,
    setPrimaries(areThey) {
      primaries = [...areThey];
    },
    async stop() {
      if (!hasEnded()) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      cleanUp();
      for (const { server } of health) server.close().closeAllConnections();
    },
  };
}
