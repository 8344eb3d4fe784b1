import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { writeWheel } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";

export const python = process.env.ASSAY_TEST_PYTHON ?? "/usr/bin/python3";

export const whySkipped = (): string | false => (existsSync(python) ? false : `there is no ${python}: install python3, or set ASSAY_TEST_PYTHON`);

/** Installs the built wheel with the pip of an environment of its own, which Debian's Python has none without, and returns the folder to import it from. */
export async function installPackage(folder: string): Promise<string> {
  const site = join(folder, "site");
  const env = { PATH: process.env.PATH, HOME: folder };
  await runOrFail(python, ["-m", "venv", "environment"], { cwd: folder, env });
  const args = ["install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "--target", site, writeWheel(folder)];
  await runOrFail(join("environment", "bin", "pip"), args, { cwd: folder, env });
  return site;
}

/** Installs the package into the empty folder. `kind` is the client that makes the calls. */
export async function prepare(folder: string, kind: "sync" | "async" = "sync"): Promise<Prepared> {
  const site = await installPackage(folder);
  cpSync(join(import.meta.dirname, "conformance", "adapter.py"), join(folder, "adapter.py"));
  // -I would ignore PYTHONPATH; -B and -W: nothing is written, and nothing that goes wrong stays silent.
  const env = { PATH: process.env.PATH, PYTHONPATH: site, ASSAY_ADAPTER: kind };
  return { program: python, args: ["-B", "-W", "error", "adapter.py"], cwd: folder, env };
}
