import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { buildOnce } from "./build-once.ts";

const built = join(import.meta.dirname, "..", "..", "apps", "dashboard", "dist", "clients");

/** Path of a package that every installation serves at /clients/, such as `assay-sdk-0.1.0.tgz`. */
export function builtPackage(file: string): string {
  const path = join(built, file);
  if (!existsSync(path)) throw new Error(`${path} is missing: node scripts/build-dashboard.ts builds it`);
  return path;
}

/** Installs npm packages into the folder with an empty cache and without a registry. */
export async function installOffline(folder: string, ...tarballs: readonly string[]): Promise<void> {
  const description = readFileSync(join(folder, "package.json"));
  const inputs = [process.version, description, ...tarballs.map((file) => readFileSync(file))];
  await buildOnce(folder, { name: "npm", inputs }, async (empty) => {
    writeFileSync(join(empty, "package.json"), description);
    const env = { ...process.env, npm_config_cache: join(empty, ".npm"), npm_config_update_notifier: "false" };
    await runOrFail("npm", ["install", "--offline", "--no-save", "--no-audit", "--no-fund", ...tarballs], { cwd: empty, env });
    rmSync(join(empty, ".npm"), { recursive: true });
  });
}
