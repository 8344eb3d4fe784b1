import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { writeWheel } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";
import { buildOnce, identify } from "../conformance/build-once.ts";

export const python = process.env.ASSAY_TEST_PYTHON ?? "/usr/bin/python3";

export const whySkipped = (): string | false => (existsSync(python) ? false : `there is no ${python}: install python3, or set ASSAY_TEST_PYTHON`);

/** An environment with pip, which Debian's Python has none without. It takes seconds, so it is made once. */
async function findPip(): Promise<string> {
  const environment = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "assay", "python");
  const inside = join(environment, "bin", "python");
  if (existsSync(inside)) return inside;
  mkdirSync(dirname(environment), { recursive: true });
  const made = mkdtempSync(`${environment}-`);
  await runOrFail(python, ["-m", "venv", made], { cwd: made, env: { PATH: process.env.PATH, HOME: made } });
  try {
    renameSync(made, environment);
  } catch {
    // Another test was faster.
    rmSync(made, { recursive: true });
  }
  return inside;
}

/** Installs the built wheel, and returns the folder to import it from. */
export async function installPackage(folder: string): Promise<string> {
  const wheel = writeWheel(folder);
  await buildOnce(folder, { name: "python", inputs: [identify(python), readFileSync(wheel)] }, async (empty) => {
    const args = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "--target", join(empty, "site"), wheel];
    await runOrFail(await findPip(), args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
  });
  return join(folder, "site");
}

/** Installs the package into the empty folder. `kind` is the client that makes the calls. */
export async function prepare(folder: string, kind: "sync" | "async" = "sync"): Promise<Prepared> {
  const site = await installPackage(folder);
  cpSync(join(import.meta.dirname, "conformance", "adapter.py"), join(folder, "adapter.py"));
  // -I would ignore PYTHONPATH; -B and -W: nothing is written, and nothing that goes wrong stays silent.
  const env = { PATH: process.env.PATH, PYTHONPATH: site, ASSAY_ADAPTER: kind };
  return { program: python, args: ["-B", "-W", "error", "adapter.py"], cwd: folder, env };
}
