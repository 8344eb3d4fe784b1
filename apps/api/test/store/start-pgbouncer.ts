import { spawn, spawnSync } from "node:child_process";
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../find-free-port.ts";
import { waitUntil } from "../send.ts";
import { findOrdinaryIdentity, findReachableFolder } from "../start-postgres.ts";

/** PgBouncer with transaction pooling in front of a server. */
export type TestPgBouncer = {
  port: number;
  /** The same database through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
};

/** For the `skip` option of `node:test`: false if PgBouncer is available, otherwise the reason. */
export const whyPgBouncerIsSkipped = (): string | false => (process.env.ASSAY_TEST_PGBOUNCER ? false : "no PgBouncer: ASSAY_TEST_PGBOUNCER is not set (npm test sets it)");

const settingsFile = join(import.meta.dirname, "../../../../deploy/ha/session-settings.sql");

/** Sets for a role what PgBouncer drops, with the file that operators use. */
export function applySessionSettings(serverUrl: string, role: string): void {
  const psql = join(process.env.ASSAY_TEST_POSTGRES_BIN!, "psql");
  const result = spawnSync(psql, ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", `role=${role}`, "-f", settingsFile, serverUrl], { encoding: "utf8" });
  if (result.status !== 0) throw new Error(`psql failed: ${result.stderr}`);
}

/** `settings` are lines of its section [pgbouncer]. */
export async function startPgBouncer(server: { port: number }, { settings = [], users = ["assay", "assay_service"] }: { settings?: string[]; users?: string[] } = {}): Promise<TestPgBouncer> {
  const identity = findOrdinaryIdentity();
  const folder = mkdtempSync(join(findReachableFolder(), "assay-pgbouncer-"));
  const port = await findFreePort();
  const usersFile = join(folder, "users.txt");
  const configFile = join(folder, "pgbouncer.ini");
  writeFileSync(usersFile, users.map((user) => `"${user}" ""\n`).join(""));
  writeFileSync(
    configFile,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${usersFile}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 1000
server_idle_timeout = 5
server_login_retry = 1
ignore_startup_parameters = options
${settings.join("\n")}
`,
  );
  for (const path of [folder, usersFile, configFile]) if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid ?? identity.uid);
  const logFile = join(folder, "log");
  const log = openSync(logFile, "w");
  const child = spawn(process.env.ASSAY_TEST_PGBOUNCER!, [configFile], { ...identity, cwd: folder, stdio: ["ignore", log, log] });
  closeSync(log);
  const kill = () => void child.kill("SIGKILL");
  process.on("exit", kill);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  await waitUntil(async () => {
    if (hasEnded()) throw new Error(`PgBouncer did not start: ${readFileSync(logFile, "utf8")}`);
    return answers();
  }, "PgBouncer listens");
  return {
    port,
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      if (!hasEnded()) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
