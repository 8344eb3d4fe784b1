// npm run test:swift: installs a Swift compiler into a folder of its own, and tests the Swift collector with it.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const usage = `npm run test:swift -- [--root DIR]

  --root DIR  where the compiler is, or is to be installed; default: node_modules/.cache/assay/swift-root

Needs Linux, root (for chroot), and mmdebstrap where there is no compiler yet. Debian's Swift is a download of about
450 MB, and 2.5 GB on disk.`;

const root = dirname(import.meta.dirname);
const mirror = "http://deb.debian.org/debian";
/** The first release of Debian with Swift. Nothing but these packages and what they need is installed. */
const release = "trixie";
const packages = ["swiftlang", "libc6-dev", "libstdc++-14-dev"];
const testMsMax = 15 * 60_000;

function stop(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function readRoot(): string {
  try {
    const { values } = parseArgs({ options: { root: { type: "string" }, help: { type: "boolean" } } });
    if (!values.help) return resolve(process.env.INIT_CWD ?? root, values.root ?? join(root, "node_modules", ".cache", "assay", "swift-root"));
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${usage}`);
  }
  process.stdout.write(`${usage}\n`);
  return process.exit(0);
}

/** Leaves nothing at `folder` unless it is complete. */
function install(folder: string): void {
  const half = `${folder}.new`;
  const options = ["--variant=essential", `--include=${packages.join(",")}`, release, half, mirror];
  console.log(`Installing ${packages.join(", ")} of Debian ${release} into ${folder} (a few minutes):\nmmdebstrap ${options.join(" ")}`);
  rmSync(half, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const { status, error } = spawnSync("mmdebstrap", options, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true });
    stop(error ? `mmdebstrap could not be run (apt-get install mmdebstrap): ${error.message}` : `mmdebstrap exited with ${status}.`);
  }
  renameSync(half, folder);
}

const folder = readRoot();
if (process.getuid?.() !== 0) stop("Only root may change the root directory, which this needs.");
if (!existsSync(join(folder, "usr", "bin", "swiftc"))) {
  if (existsSync(folder)) stop(`${folder} exists and has no usr/bin/swiftc. Remove it, or name another folder with --root.`);
  install(folder);
}
const size = execFileSync("du", ["--summarize", "--human-readable", "--one-file-system", folder], { encoding: "utf8" }).split("\t")[0];
console.log(`Swift: ${folder}, ${size}. Remove the folder when you no longer need it.`);
const tests = ["--test", `--test-timeout=${testMsMax}`, join("clients", "swift", "swift.test.ts")];
const { status } = spawnSync(process.execPath, tests, { cwd: root, stdio: "inherit", env: { ...process.env, ASSAY_TEST_SWIFT: folder } });
process.exitCode = status ?? 1;
