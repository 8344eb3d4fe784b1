// Runs one of the project's TypeScript programs on Node 24 or newer with its packages installed:
//   node scripts/bootstrap.mjs [Node's own options …] PROGRAM [arguments …]
// Only this file must run on Node 20, so it is plain JavaScript without dependencies. It writes its
// progress to standard error: standard output belongs to the program.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const nodeMajorMin = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const optionCount = given.findIndex((each) => !each.startsWith("--"));
const nodeOptions = given.slice(0, Math.max(optionCount, 0));
const [program, ...programArguments] = given.slice(nodeOptions.length);

const say = (line) => process.stderr.write(`${line}\n`);

function stop(line) {
  say(line);
  process.exit(1);
}

function runNpm(npmArguments, environment, what) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // npm's output goes to standard error too, so that `--json` output stays one document.
  const result = spawnSync(npm, npmArguments, { cwd: root, env: environment, stdio: ["ignore", 2, 2] });
  if (result.error) stop(`${what} failed: npm could not be run (${result.error.message}).`);
  if (result.status !== 0) stop(`${what} failed: npm exited with ${result.status ?? result.signal}.`);
}

/** Path of a Node that is new enough: this one, or Node 24 for this platform from the npm registry. */
function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= nodeMajorMin) return process.execPath;
  const { platform, arch } = process;
  const runtimePackage = { "linux-x64": 1, "linux-arm64": 1, "darwin-x64": 1 }[`${platform}-${arch}`]
    ? `node-${platform}-${arch}`
    : undefined;
  if (!runtimePackage) {
    stop(
      `Assay needs Node ${nodeMajorMin} or newer; this is ${process.version}, and npm has no Node ` +
        `${nodeMajorMin} for ${platform}-${arch}. Install it from nodejs.org and run this command again.`,
    );
  }
  const prefix = join(root, ".runtime");
  const node = join(prefix, "node_modules", runtimePackage, "bin", "node");
  if (!existsSync(node)) {
    say(`Assay needs Node ${nodeMajorMin} and this is ${process.version}: downloading ${runtimePackage} from npm …`);
    mkdirSync(prefix, { recursive: true });
    writeFileSync(join(prefix, "package.json"), '{ "private": true }\n');
    const npmArguments = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--no-package-lock"];
    runNpm([...npmArguments, `${runtimePackage}@${nodeMajorMin}`], process.env, `Downloading Node ${nodeMajorMin}`);
  }
  return node;
}

/** Installs the locked packages unless they are installed already. */
function installPackages(environment) {
  const lockHash = createHash("sha256").update(readFileSync(join(root, "package-lock.json"))).digest("hex");
  const stamp = join(root, "node_modules", ".installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash) return;
  say("Installing packages (only at the first start and when package-lock.json changes) …");
  // Not `npm ci`: it fails when the registry lacks optional builds for other platforms that the lock lists.
  // `--no-save` installs what the lock says and does not change it.
  // With NODE_ENV=production npm would skip the packages that build the pages.
  runNpm(["install", "--no-save", "--no-audit", "--no-fund", "--include=dev"], environment, "Installing packages");
  writeFileSync(stamp, lockHash);
}

/** The checked-out commit, read without git; empty for an unpacked archive. */
function readRevision() {
  const read = (name) => (existsSync(join(root, ".git", name)) ? readFileSync(join(root, ".git", name), "utf8").trim() : "");
  const head = read("HEAD");
  return head.startsWith("ref: ") ? read(head.slice("ref: ".length)) || head : head;
}

/**
 * Fills the compile cache with one short run of the service. Later starts then neither strip types nor compile,
 * and no thread keeps the type stripper in memory.
 */
function warmUp(node, environment) {
  const stamp = join(environment.NODE_COMPILE_CACHE, ".filled");
  const revision = readRevision();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === revision) return;
  say("Filling the compile cache (once per version) …");
  const result = spawnSync(node, [join(root, "scripts", "warm-up.ts")], { cwd: root, env: environment, stdio: ["ignore", 2, 2] });
  // Without it only speed is lost; a real problem shows with a better message when the program itself starts.
  if (result.status === 0) writeFileSync(stamp, revision);
  else say("Filling the compile cache failed; starting without it.");
}

const servesPages =
  program === "apps/api/src/main.ts" || program === "scripts/test.ts" || (program === "apps/api/src/cli/main.ts" && programArguments[0] === "serve");

/** Builds the pages if they are missing or stale. */
function buildPages(node, environment) {
  const result = spawnSync(node, [join(root, "scripts", "build-dashboard.ts")], { cwd: root, env: environment, stdio: ["ignore", 2, 2] });
  // The API works without the pages, and it is what earns money.
  if (result.status !== 0) say("Building the pages failed; the API starts without new pages.");
}

function runAsChild(node, environment) {
  // The fourth descriptor is an IPC channel. It closes however this process ends, so that the child notices and
  // does not outlive it.
  const child = spawn(node, [...nodeOptions, resolve(root, program), ...programArguments], {
    env: environment,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => stop(`Node ${nodeMajorMin} could not be run: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

if (!program) stop("usage: node scripts/bootstrap.mjs [Node's own options …] PROGRAM [arguments …]");
const node = findNode();
const environment = {
  ...process.env,
  PATH: [dirname(node), process.env.PATH].join(delimiter),
  // By default glibc gives each of Node's threads its own arena and rarely returns memory.
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "compiled"),
};
installPackages({ ...environment, NODE_COMPILE_CACHE: undefined });
if (servesPages) buildPages(node, environment);
warmUp(node, environment);
// On a new enough Node the program replaces this process: no child, no signals to forward.
if (node === process.execPath && process.execve) {
  process.execve(node, [node, ...nodeOptions, resolve(root, program), ...programArguments], environment);
} else {
  runAsChild(node, environment);
}
