import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, openSync, closeSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { migrateAsOwner } from "../src/store/migrate.ts";
import { migrations } from "../src/store/migrations/list.ts";
import { grantStatement } from "../src/store/service-rights.ts";
import { findFreePort } from "./find-free-port.ts";

export type TestPostgres = {
  /** URL of the initial database; use `newDatabase` for anything that writes. */
  url: string;
  port: number;
  /** Creates an empty database and returns its URL: of one role, which may do everything. */
  newDatabase(): Promise<string>;
  /** Creates a migrated database with the two roles that docs/operating.md recommends. */
  newMigratedDatabase(): Promise<RoleUrls>;
  /** Stops the server and deletes its files; may be called twice. */
  stop(): Promise<void>;
  /** Where the server keeps its data. */
  dataFolder: string;
  /** The user that the server runs as; empty if that is this process's own. */
  identity: Identity;
  /** Stops the server and keeps its files; `restart` brings it back. */
  halt(): Promise<void>;
  /** Kills the server without flushing or closing anything; what it wrote stays in the page cache. `restart` brings it back. */
  kill9(): void;
  /** Resolves when no process of a server that was killed is left. */
  whenGone(): Promise<void>;
  /** Starts the server again on the same port and files, after stopping it if it still runs. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** Suspends the server and all its backends (SIGSTOP); connections stay open and silent. */
  pause(): void;
  /** Continues the suspended processes. */
  resume(): void;
};

/** One database as its two roles reach it. */
export type RoleUrls = { databaseUrl: string; databaseOwnerUrl: string };

export type Identity = { uid?: number; gid?: number };

const startMsMax = 120_000;
const stopMsMax = 20_000;
const pollMs = 25;
const startAttemptsMax = 5;
const logCharactersShownMax = 2_000;

/** For the `skip` option of `node:test`: false if PostgreSQL is available, otherwise the reason. */
export function whyPostgresIsSkipped(): string | false {
  return process.env.ASSAY_TEST_POSTGRES_BIN ? false : "no PostgreSQL: ASSAY_TEST_POSTGRES_BIN is not set (npm test sets it)";
}

/** Uses the server of the whole test run if there is one: starting one per test file takes seconds. */
export async function joinPostgres(): Promise<Pick<TestPostgres, "newDatabase" | "newMigratedDatabase" | "stop">> {
  const url = process.env.ASSAY_TEST_POSTGRES_URL;
  if (url === undefined) return startPostgres();
  // Only the service goes through a pooler: owners migrate, which needs a session of their own.
  const pooler = process.env.ASSAY_TEST_POSTGRES_POOLER;
  const newMigratedDatabase = async () => {
    const urls = await createMigratedDatabase(url);
    return pooler === undefined ? urls : { ...urls, databaseUrl: Object.assign(new URL(urls.databaseUrl), { host: pooler }).href };
  };
  return { newDatabase: () => createDatabase(url), newMigratedDatabase, stop: () => Promise.resolve() };
}

/** For initdb, and for the server's `-c`. A standby is copied from the server that it follows, instead of by initdb. */
type PostgresOptions = { initdb?: string[]; settings?: string[]; standbyOf?: { port: number } };

/** Starts a separate PostgreSQL server with temporary files, durable commits and no password. */
export async function startPostgres(binFolder = process.env.ASSAY_TEST_POSTGRES_BIN, options: PostgresOptions = {}): Promise<TestPostgres> {
  if (!binFolder) throw new Error("ASSAY_TEST_POSTGRES_BIN is not set: run the suite through npm test.");
  const identity = findOrdinaryIdentity();
  const folder = mkdtempSync(join(findReachableFolder(), "assay-postgres-"));
  const dataFolder = join(folder, "data");
  const watchdog = startWatchdog(folder, dataFolder);
  let server: ChildProcess | undefined;
  let port = 0;
  let environment: Record<string, string> = {};

  const kill9 = (): void => {
    if (server && isRunning(server)) killWithChildren(server);
  };
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  const onExit = (): void => {
    kill9();
    removeFolder();
  };
  process.on("exit", onExit);

  /** By SIGINT, PostgreSQL disconnects clients and writes what it has in memory; by SIGQUIT, it exits at once. */
  const end = async (signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> => {
    if (!server || !isRunning(server)) return;
    server.kill(signal);
    const killTimer = setTimeout(kill9, stopMsMax);
    await whenEnded(server);
    clearTimeout(killTimer);
  };
  const stop = async (): Promise<void> => {
    // Its files are deleted: a last checkpoint would sync every file of every database for nothing, which takes seconds.
    await end("SIGQUIT");
    process.off("exit", onExit);
    removeFolder();
    watchdog.stdin?.end();
  };
  const start = async (): Promise<void> => {
    const deadline = Date.now() + startMsMax;
    // After `kill9` the old backends may hold the shared memory for a moment, so retry.
    while (true) {
      server = spawnServer({ binFolder, dataFolder, folder, port, identity, settings: options.settings ?? [], environment });
      if (await acceptsConnections(server, port, deadline)) return;
      kill9();
      await whenEnded(server);
      if (Date.now() >= deadline) throw new Error(`PostgreSQL did not start.\n${readLogEnd(folder)}`);
      await sleep(pollMs);
      if (isPortTaken(folder)) throw new PortTaken(readLogEnd(folder));
    }
  };

  try {
    if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
    if (options.standbyOf) copyServer({ binFolder, dataFolder, folder, identity, from: options.standbyOf });
    else initialise({ binFolder, dataFolder, folder, identity, initdb: options.initdb ?? [] });
    for (let attempt = 1; ; attempt += 1) {
      port = await findFreePort();
      try {
        await start();
        break;
      } catch (error) {
        if (!(error instanceof PortTaken) || attempt === startAttemptsMax) throw error;
      }
    }
  } catch (error) {
    kill9();
    await stop();
    throw error;
  }

  const urlOf = (database: string): string => `postgres://assay@127.0.0.1:${port}/${database}`;
  return {
    url: urlOf("postgres"),
    port,
    dataFolder,
    identity,
    halt: () => end(),
    kill9,
    async whenGone() {
      while (isInUse(dataFolder)) await sleep(pollMs);
    },
    stop,
    // The server itself first, so that it starts no new backends meanwhile.
    pause: () => server && signalAll([server.pid!, ...childrenOf(server)], "SIGSTOP"),
    resume: () => server && signalAll([...childrenOf(server), server.pid!], "SIGCONT"),
    newDatabase: () => createDatabase(urlOf("postgres")),
    newMigratedDatabase: () => createMigratedDatabase(urlOf("postgres")),
    async restart(given = {}) {
      environment = given;
      await end();
      if (server) await whenEnded(server);
      await start();
    },
  };
}

async function runOnServer<Result>(serverUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const urlWith = (serverUrl: string, parts: { pathname: string; username?: string }): string => Object.assign(new URL(serverUrl), parts).href;

async function createDatabase(serverUrl: string): Promise<string> {
  const database = `assay_${randomBytes(8).toString("hex")}`;
  await runOnServer(serverUrl, (client) => client.query(`create database ${database}`));
  return urlWith(serverUrl, { pathname: database });
}

const ownerRole = "assay_owner";
const serviceRole = "assay_service";
/** Any number: the process that holds this lock makes the template. */
const templateLock = 16_001;

/** Named after what it was made of: the copies of the tree that mutants run in share a server. */
function nameTemplate(): string {
  const statements = [...migrations.flatMap((each) => [...each.statements("postgres"), JSON.stringify(each.indexes ?? [])]), grantStatement(serviceRole)];
  return `assay_template_${createHash("sha256").update(statements.join("\n")).digest("hex").slice(0, 16)}`;
}

function urlsOf(serverUrl: string, database: string): RoleUrls {
  return {
    databaseUrl: urlWith(serverUrl, { pathname: database, username: serviceRole }),
    databaseOwnerUrl: urlWith(serverUrl, { pathname: database, username: ownerRole }),
  };
}

/** Migrates one database per server: copying it takes a tenth of the time of migrating another. */
async function makeTemplate(serverUrl: string, client: Client, template: string): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [templateLock]);
  try {
    const has = async (text: string, name: string) => (await client.query(text, [name])).rowCount! > 0;
    for (const role of [ownerRole, serviceRole]) {
      if (!(await has("select 1 from pg_roles where rolname = $1", role))) await client.query(`create role ${role} login`);
    }
    if (await has("select 1 from pg_database where datname = $1", template)) return;
    await client.query(`drop database if exists ${template}_unfinished`);
    await client.query(`create database ${template}_unfinished owner ${ownerRole}`);
    const { databaseUrl: serviceUrl, databaseOwnerUrl: ownerUrl } = urlsOf(serverUrl, `${template}_unfinished`);
    await migrateAsOwner({ serviceUrl, ownerUrl }, Date.now());
    await client.query(`alter database ${template}_unfinished rename to ${template}`);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [templateLock]);
  }
}

async function createMigratedDatabase(serverUrl: string): Promise<RoleUrls> {
  const database = `assay_${randomBytes(8).toString("hex")}`;
  await runOnServer(serverUrl, async (client) => {
    const template = nameTemplate();
    await makeTemplate(serverUrl, client, template);
    await client.query(`create database ${database} template ${template} owner ${ownerRole}`);
  });
  return urlsOf(serverUrl, database);
}

class PortTaken extends Error {}

/** initdb and postgres refuse to run as root, so root runs them as another system user. */
export function findOrdinaryIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => Number(spawnSync("id", [option, name], { encoding: "utf8" }).stdout || Number.NaN));
    if (uid && gid && Number.isInteger(uid) && Number.isInteger(gid)) return { uid, gid };
  }
  throw new Error("PostgreSQL does not run as root, and neither a user postgres nor a user nobody exists.");
}

/** The folder for temporary files; for root, /tmp if other system users cannot enter that one. */
export function findReachableFolder(): string {
  const othersMayEnter = 0o001;
  if (process.getuid?.() !== 0) return tmpdir();
  for (let folder = tmpdir(); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & othersMayEnter) === 0) return "/tmp";
    if (folder === dirname(folder)) return tmpdir();
  }
}

/** The environment without libpq's variables, which would change the server's behaviour. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("PG") && !name.startsWith("LC_"));
  return { ...Object.fromEntries(entries), LC_ALL: "C", TZ: "UTC" };
}

/** Copies a running server; the copy follows it from its first start on. */
function copyServer({ binFolder, dataFolder, folder, identity, from }: { binFolder: string; dataFolder: string; folder: string; identity: Identity; from: { port: number } }): void {
  const source = ["-h", "127.0.0.1", "-p", String(from.port), "-U", "assay"];
  const result = spawnSync(join(binFolder, "pg_basebackup"), [...source, "-D", dataFolder, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"], {
    ...identity,
    cwd: folder,
    env: cleanEnvironment(),
    encoding: "utf8",
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`pg_basebackup failed:\n${result.stderr.slice(-logCharactersShownMax)}`);
}

function initialise(options: { binFolder: string; dataFolder: string; folder: string; identity: Identity; initdb: string[] }): void {
  const initdbArguments = ["--no-sync", "-A", "trust", "-U", "assay", "-E", "UTF8", "--locale=C", ...options.initdb, "-D", options.dataFolder];
  const result = spawnSync(join(options.binFolder, "initdb"), initdbArguments, {
    ...options.identity,
    cwd: options.folder,
    env: cleanEnvironment(),
    encoding: "utf8",
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`initdb failed:\n${result.stderr.slice(-logCharactersShownMax)}`);
}

type ServerOptions = { binFolder: string; dataFolder: string; folder: string; port: number; identity: Identity; settings: string[]; environment: Record<string, string> };

function spawnServer(options: ServerOptions): ChildProcess {
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300", ...options.settings];
  // A file rather than a pipe: an unread pipe would block the server and keep this process alive.
  const log = openSync(logPathOf(options.folder), "w");
  try {
    const child = spawn(
      join(options.binFolder, "postgres"),
      ["-D", options.dataFolder, "-p", String(options.port), ...settings.flatMap((setting) => ["-c", setting])],
      // Detached, so that Ctrl-C reaches only the test, which then stops its server in order.
      { ...options.identity, cwd: options.folder, env: { ...cleanEnvironment(), ...options.environment }, stdio: ["ignore", log, log], detached: true },
    );
    child.on("error", () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/**
 * A shell that briefly outlives this process. When this process exits, in whatever way, the pipe closes; the
 * shell then kills the server that still runs in `dataFolder` and deletes the files.
 */
function startWatchdog(folder: string, dataFolder: string): ChildProcess {
  const script = 'read -r _; if [ -f "$1/postmaster.pid" ]; then kill -9 "$(head -n 1 "$1/postmaster.pid")"; sleep 1; fi; rm -rf "$0"';
  const watchdog = spawn("/bin/sh", ["-c", script, folder, dataFolder], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  watchdog.on("error", () => undefined);
  watchdog.unref();
  // The pipe must not keep the test process alive; only sockets support unref.
  if (watchdog.stdin && "unref" in watchdog.stdin && typeof watchdog.stdin.unref === "function") watchdog.stdin.unref();
  return watchdog;
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function whenEnded(child: ChildProcess): Promise<void> {
  while (isRunning(child)) await sleep(pollMs);
}

/** The server's backends; empty if the system does not list child processes. */
function childrenOf(server: ChildProcess): number[] {
  const listed = `/proc/${server.pid}/task/${server.pid}/children`;
  return existsSync(listed) ? readFileSync(listed, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has exited since.
    }
  }
}

/** Whether a process works in this folder, as a PostgreSQL server and its backends do in theirs. */
function isInUse(folder: string): boolean {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).some((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // The process has exited, or belongs to somebody else.
      return false;
    }
  });
}

/** Kills the server and its backends; backends that cannot be listed notice by themselves. */
function killWithChildren(server: ChildProcess): void {
  const children = childrenOf(server);
  server.kill("SIGKILL");
  signalAll(children, "SIGKILL");
}

async function acceptsConnections(server: ChildProcess, port: number, deadline: number): Promise<boolean> {
  while (isRunning(server) && Date.now() < deadline) {
    const client = new Client({ host: "127.0.0.1", port, user: "assay", database: "postgres", connectionTimeoutMillis: 1_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
      return isRunning(server);
    } catch {
      await sleep(pollMs);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

function logPathOf(folder: string): string {
  return join(folder, "postgres.log");
}

function readLogEnd(folder: string): string {
  return readFileSync(logPathOf(folder), "utf8").slice(-logCharactersShownMax);
}

function isPortTaken(folder: string): boolean {
  return readLogEnd(folder).includes("Address already in use");
}
