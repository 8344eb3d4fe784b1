import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/**
 * A copy of the packages, with everything else that is installed. Bundles name the files that they were made of: outside of a
 * copy that would be the path of this checkout, and another one on every machine.
 */
function copyPackages(workspace: string): void {
  cpSync(join(root, "packages"), join(workspace, "packages"), { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
  cpSync(join(root, "tsconfig.json"), join(workspace, "tsconfig.json"));
  const own = join(workspace, "node_modules", "@assay");
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(join(workspace, "packages"))) symlinkSync(join(workspace, "packages", name), join(own, name));
  const installed = readdirSync(join(root, "node_modules")).filter((name) => name !== "@assay");
  for (const name of installed) symlinkSync(join(root, "node_modules", name), join(workspace, "node_modules", name));
}

/** Runs `npm pack`, which builds first, on a copy of the package: the checkout may be read by others at the same time. */
export async function packNpmPackage(name: string, destination: string): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "assay-pack-"));
  try {
    copyPackages(workspace);
    const copy = join(workspace, "packages", name);
    // The Node that runs this, also for npm's scripts, an empty cache, and no registry.
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), npm_config_cache: join(workspace, ".npm"), npm_config_update_notifier: "false" };
    await run("npm", ["pack", "--pack-destination", destination], { cwd: copy, env });
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
