import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installOffline, packPackage } from "../../packages/sdk/src/testing/pack-package.ts";
import type { Prepared } from "../conformance/adapter.ts";

/** Installs the packed SDK into the empty folder. */
export async function prepare(folder: string): Promise<Prepared> {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await packPackage("sdk", folder);
  await installOffline(folder, ["./assay-sdk-0.1.0.tgz"]);
  cpSync(join(import.meta.dirname, "adapter.mjs"), join(folder, "adapter.mjs"));
  return { program: process.execPath, args: ["adapter.mjs"], cwd: folder, env: { PATH: process.env.PATH } };
}
