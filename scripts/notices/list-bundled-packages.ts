import { join } from "node:path";
import { build } from "tsdown";
import { listModules } from "../../apps/dashboard/build/list-modules.ts";
import type { Lock } from "../check-lock.ts";

/** The package of a module as a path of the lockfile, or undefined for our own. */
export function packageOfModule(id: string, { root, lock }: { root: string; lock: Lock }): string | undefined {
  // A bundler's own functions have ids such as "\0vite/preload-helper.js".
  const file = id.startsWith("\0") ? join(root, "node_modules", id.slice(1)) : id.split("?")[0]!;
  if (!file.startsWith(join(root, "/"))) throw new Error(`the bundle contains ${JSON.stringify(id)}, whose package is unknown`);
  const path = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.slice(root.length + 1))?.[0];
  if (path !== undefined && !(path in lock.packages)) throw new Error(`the bundle contains ${JSON.stringify(id)}, whose package the lockfile does not list`);
  return path;
}

/** The packages that are bundled into the pages, and into what is published. */
export async function listBundledPackages(root: string, lock: Lock): Promise<{ pages: string[]; published: string[] }> {
  const packagesOf = (ids: readonly string[]): string[] => [...new Set(ids.flatMap((id) => packageOfModule(id, { root, lock }) ?? []))];
  const chunks = [];
  for (const name of ["collector", "sdk"]) {
    for (const bundle of await build({ cwd: join(root, "packages", name), write: false, dts: false, logLevel: "warn" })) chunks.push(...bundle.chunks);
  }
  const published = chunks.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
  // The bundler's runtime is listed even where none of it is used.
  return { pages: packagesOf(await listModules()), published: packagesOf(published.filter((id) => !id.startsWith("\0"))) };
}
