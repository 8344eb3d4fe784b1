import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { waitUntil } from "../../send.ts";
import { makeTestFolder } from "../../start-service.ts";

const example = new URL("../../../../../deploy/nginx.conf", import.meta.url).pathname;
const logCharactersShownMax = 4_000;

/** For `skip`: false if nginx is available, otherwise the reason. */
export const whyNginxIsSkipped = (): string | false =>
  process.env.ASSAY_TEST_NGINX ? false : "no nginx: ASSAY_TEST_NGINX is not set (npm test sets it)";

export type Nginx = {
  url: string;
  /** Its error log so far. */
  errors(): string;
  stop(): Promise<void>;
};

/** Replaces a pattern that must occur exactly once. */
function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  const found = text.match(new RegExp(pattern, `${pattern.flags}g`)) ?? [];
  if (found.length !== 1) throw new Error(`deploy/nginx.conf contains ${pattern.source} ${found.length} times`);
  return text.replace(pattern, replacement);
}

/** The example configuration with other ports, nodes and folder. */
export function adaptExample(options: { port: number; nodePorts: readonly number[]; folder: string }): string {
  let text = readFileSync(example, "utf8").replaceAll("/tmp/", `${options.folder}/`);
  text = replaceOnce(text, /listen 8000;/, `listen 127.0.0.1:${options.port};`);
  text = replaceOnce(text, /access_log \/dev\/stdout/, `access_log ${options.folder}/access.log`);
  const nodes = options.nodePorts.map((port) => `server 127.0.0.1:${port} $1;`);
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

/** Starts nginx with deploy/nginx.conf on loopback. */
export const startNginx = (options: { port: number; nodePorts: readonly number[] }): Promise<Nginx> =>
  startNginxWith(options.port, (folder) => adaptExample({ ...options, folder }));

/** A server with this location and nothing else. */
export const startProxyOf = (options: { port: number; location: string }): Promise<Nginx> =>
  startNginxWith(options.port, (folder) => {
    const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n    ");
    return `pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
    ${temporaryPaths}
    access_log off;
    server {
        listen 127.0.0.1:${options.port};
        ${options.location}
    }
}
`;
  });

/** A proxy to one port, with these lines in its only location. */
const startProxyWith = ({ port, nodePort }: { port: number; nodePort: number }, lines: readonly string[]): Promise<Nginx> =>
  startProxyOf({ port, location: ["location / {", `proxy_pass http://127.0.0.1:${nodePort};`, ...lines, "}"].join("\n            ") });

/** The least that somebody writes: no forwarding header, and the Host of the node. */
export const startBareProxy = (options: { port: number; nodePort: number }): Promise<Nginx> => startProxyWith(options, ["proxy_set_header Host 127.0.0.1;"]);

/** What guides say: it passes on whom it heard from. `address`: its own, of this machine. */
export const startRelayingProxy = (options: { port: number; nodePort: number; address: string }): Promise<Nginx> =>
  startProxyWith(options, ["proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;", "proxy_set_header Host $proxy_host;", `proxy_bind ${options.address};`]);

/** Writes to a temporary folder only. */
async function startNginxWith(port: number, makeConfig: (folder: string) => string): Promise<Nginx> {
  const folder = makeTestFolder();
  // If root starts it, its workers run as another system user and must be able to reach their folders.
  chmodSync(folder, 0o711);
  const config = join(folder, "nginx.conf");
  writeFileSync(config, makeConfig(folder));
  const child = spawn(process.env.ASSAY_TEST_NGINX!, ["-p", folder, "-c", config, "-g", "daemon off;"], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-logCharactersShownMax);
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = () => void child.kill("SIGTERM");
  process.once("exit", kill);
  await waitUntil(async () => child.exitCode !== null || (await accepts(port)), "nginx listens");
  if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`);
  return {
    url: `http://127.0.0.1:${port}`,
    errors: () => errors,
    async stop() {
      process.removeListener("exit", kill);
      kill();
      await ended;
    },
  };
}
