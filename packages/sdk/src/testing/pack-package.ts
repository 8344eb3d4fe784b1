import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { makeTestFolder } from "../../../../apps/api/test/start-service.ts";
import { runOrFail } from "./run-program.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** No registry, and an empty cache instead of this machine's. */
const npmEnvironment = (folder: string): NodeJS.ProcessEnv => ({ ...process.env, npm_config_cache: join(folder, ".npm"), npm_config_update_notifier: "false" });

/** Runs `npm pack`, which builds first, on a copy of the package, so that concurrent tests do not interfere. */
export async function packPackage(name: "sdk" | "collector" | "react-native", destination: string): Promise<void> {
  const workspace = makeTestFolder();
  const copy = join(workspace, "packages", name);
  mkdirSync(copy, { recursive: true });
  cpSync(join(root, "packages", name), copy, { recursive: true, filter: (path) => !["dist", "node_modules"].includes(basename(path)) });
  cpSync(join(root, "tsconfig.json"), join(workspace, "tsconfig.json"));
  symlinkSync(join(root, "node_modules"), join(workspace, "node_modules"));
  await runOrFail("npm", ["pack", "--pack-destination", destination], { cwd: copy, env: npmEnvironment(workspace) });
}

export async function installOffline(project: string, tarballs: readonly string[]): Promise<void> {
  await runOrFail("npm", ["install", "--offline", "--no-save", "--no-audit", "--no-fund", ...tarballs], { cwd: project, env: npmEnvironment(project) });
}
