import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { waitUntil } from "../../send.ts";
import { makeTestFolder } from "../../start-service.ts";

const example = new URL("../../../../../deploy/nginx.conf", import.meta.url).pathname;
const logCharactersShownMax = 4_000;

/** For `skip`: false when nginx is at hand, else the reason it is not. */
export const whyNginxIsSkipped = (): string | false =>
  process.env.ASSAY_TEST_NGINX ? false : "no nginx: ASSAY_TEST_NGINX is not set (npm test sets it)";

export type Nginx = {
  url: string;
  /** What it has complained about so far. */
  errors(): string;
  stop(): Promise<void>;
};

/** Puts what is of this test in the place of exactly one piece of the example. */
function replaceOnce(text: string, piece: RegExp, by: string): string {
  const found = text.match(new RegExp(piece, `${piece.flags}g`)) ?? [];
  if (found.length !== 1) throw new Error(`deploy/nginx.conf has ${found.length} times ${piece.source}`);
  return text.replace(piece, by);
}

/** The example with other ports, nodes and folder, and otherwise as it is. */
export function adaptExample(to: { port: number; nodePorts: readonly number[]; folder: string }): string {
  let text = readFileSync(example, "utf8").replaceAll("/tmp/", `${to.folder}/`);
  text = replaceOnce(text, /listen 8000;/, `listen 127.0.0.1:${to.port};`);
  text = replaceOnce(text, /access_log \/dev\/stdout/, `access_log ${to.folder}/access.log`);
  const nodes = to.nodePorts.map((port) => `server 127.0.0.1:${port} $1;`);
  return replaceOnce(text, /(?:server node-\d:8080 ([^;]+);\s+)+/, `${nodes.join("\n        ")}\n        `);
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

/** nginx as deploy/nginx.conf describes it, on loopback, with everything it writes in a throw-away folder. */
export async function startNginx(to: { port: number; nodePorts: readonly number[] }): Promise<Nginx> {
  const folder = makeTestFolder();
  // Started by root, its workers are somebody else, and must be able to reach their folders.
  chmodSync(folder, 0o711);
  const config = join(folder, "nginx.conf");
  writeFileSync(config, adaptExample({ ...to, folder }));
  const child = spawn(process.env.ASSAY_TEST_NGINX!, ["-p", folder, "-c", config, "-g", "daemon off;"], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-logCharactersShownMax);
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
  await waitUntil(async () => child.exitCode !== null || (await accepts(to.port)), "nginx listens");
  if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`);
  return {
    url: `http://127.0.0.1:${to.port}`,
    errors: () => errors,
    async stop() {
      process.removeListener("exit", kill);
      kill();
      await ended;
    },
  };
}
