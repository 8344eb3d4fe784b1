import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Prepared } from "../conformance/adapter.ts";
import { builtPackage, installOffline } from "../conformance/built-packages.ts";

/** Installs the built SDK into the empty folder. */
export async function prepare(folder: string): Promise<Prepared> {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await installOffline(folder, builtPackage("assay-sdk-0.1.0.tgz"));
  cpSync(join(import.meta.dirname, "adapter.mjs"), join(folder, "adapter.mjs"));
  return { program: process.execPath, args: ["adapter.mjs"], cwd: folder, env: { PATH: process.env.PATH } };
}
