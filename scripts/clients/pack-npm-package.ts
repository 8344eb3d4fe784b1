import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** Runs `npm pack`, which builds first, on a copy of the package: the checkout may be read by others at the same time. */
export async function packNpmPackage(name: string, destination: string): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "assay-pack-"));
  try {
    const copy = join(workspace, "packages", name);
    mkdirSync(copy, { recursive: true });
    cpSync(join(root, "packages", name), copy, { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
    cpSync(join(root, "tsconfig.json"), join(workspace, "tsconfig.json"));
    symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
    // The Node that runs this, also for npm's scripts, an empty cache, and no registry.
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), npm_config_cache: join(workspace, ".npm"), npm_config_update_notifier: "false" };
    await run("npm", ["pack", "--pack-destination", destination], { cwd: copy, env });
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
