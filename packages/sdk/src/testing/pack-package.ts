import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { makeTestFolder } from "../../../../apps/api/test/start-service.ts";
import { runOrFail } from "./run-program.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** Nothing is asked of a registry, and nothing is taken from what this machine has fetched before. */
const npmEnvironment = (folder: string): NodeJS.ProcessEnv => ({ ...process.env, npm_config_cache: join(folder, ".npm"), npm_config_update_notifier: "false" });

/** `npm pack` of a copy of the package, as its publisher would: it builds first. Tests that run at once do not meet. */
export async function packPackage(name: "sdk" | "collector", destination: string): Promise<void> {
  const house = makeTestFolder();
  const copy = join(house, "packages", name);
  mkdirSync(copy, { recursive: true });
  cpSync(join(root, "packages", name), copy, { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
  cpSync(join(root, "tsconfig.json"), join(house, "tsconfig.json"));
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
  await runOrFail("npm", ["pack", "--pack-destination", destination], { cwd: copy, env: npmEnvironment(house) });
}

export async function installOffline(project: string, tarballs: readonly string[]): Promise<void> {
  await runOrFail("npm", ["install", "--offline", "--no-save", "--no-audit", "--no-fund", ...tarballs], { cwd: project, env: npmEnvironment(project) });
}
