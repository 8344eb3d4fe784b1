import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeReferencePage } from "../../apps/api/scripts/write-reference-page.ts";
import { licenceOf } from "../check-lock.ts";
import type { Notice } from "./format-notices.ts";
import { readLicenceTexts } from "./read-licence-texts.ts";

/** The package that contains the page's script as one text, so that its parts are not in our lockfile. */
export const referencePackage = "@scalar/fastify-api-reference";
const bundledPackage = "@scalar/api-reference";

/** What the page's script contains, for one build of it. */
export type ReferenceRecord = { integrity: string; packages: { name: string; version: string; licence: string; texts: number[] }[]; texts: string[] };

export const toNotices = ({ packages, texts }: ReferenceRecord, place: string): Notice[] =>
  packages.map((each) => ({ ...each, places: [place], texts: each.texts.map((index) => texts[index] ?? "") }));

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

function install(folder: string, dependencies: Record<string, string>): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const options = ["--ignore-scripts", "--legacy-peer-deps", "--omit=optional", "--no-audit", "--no-fund", "--no-package-lock"];
  const { status } = spawnSync("npm", ["install", ...options], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm install in ${folder} exited with ${status}`);
}

/** Source maps name every module of a bundle, with versions: `node_modules/.pnpm/name@1.0.0…/node_modules/name/file`. */
const pnpmPath = /node_modules\/\.pnpm\/(?:@[^/@+]+\+)?[^/@]+@([^/_(]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const ownPath = /^(?:\.\.\/)+([a-z-]+)\/(dist\/.+)$/;

/** Name and version of all packages in a bundle. Scalar's own packages are bundles too, with maps of their own. */
function listParts(mapFile: string, modules: string): Map<string, { name: string; version: string }> {
  const parts = new Map<string, { name: string; version: string }>();
  const add = (name: string, version: string) => parts.set(`${name}@${version}`, { name, version });
  const seen = new Set<string>();
  const read = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    for (const source of readJson<{ sources: string[] }>(file).sources) {
      const [, version, name] = pnpmPath.exec(source) ?? [];
      const [, own, path] = ownPath.exec(source) ?? [];
      if (name !== undefined && version !== undefined) add(name, version);
      else if (own !== undefined && path !== undefined) {
        const folder = join(modules, "@scalar", own);
        add(`@scalar/${own}`, readJson<{ version: string }>(join(folder, "package.json")).version);
        read(join(folder, `${path}.map`));
      } else if (source.includes("node_modules")) throw new Error(`${source} in ${file} has no version`);
    }
  };
  read(mapFile);
  return parts;
}

/** Finds out from the registry what the installed page's script is made of. */
export async function recordReferencePage(root: string, integrity: string): Promise<ReferenceRecord> {
  const folder = mkdtempSync(join(tmpdir(), "assay-notices-"));
  try {
    const version = readJson<{ devDependencies: Record<string, string> }>(join(root, "node_modules", referencePackage, "package.json")).devDependencies[bundledPackage]!;
    install(join(folder, "bundle"), { [bundledPackage]: version });
    const modules = join(folder, "bundle", "node_modules");
    const script = join(modules, bundledPackage, "dist", "browser", "standalone.js");
    await writeReferencePage(join(folder, "page"));
    if (!readFileSync(script).equals(readFileSync(join(folder, "page", "js", "scalar.js")))) throw new Error(`${bundledPackage} ${version} is not the script of the page`);
    const parts = [...listParts(`${script}.map`, modules).values(), { name: bundledPackage, version }];
    install(join(folder, "parts"), Object.fromEntries(parts.map(({ name, version: wanted }, index) => [`part-${index}`, `npm:${name}@${wanted}`])));
    const texts: string[] = [];
    const place = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
    const packages = parts.map(({ name, version: wanted }, index) => {
      const part = join(folder, "parts", "node_modules", `part-${index}`);
      const { license } = readJson<{ license?: string }>(join(part, "package.json"));
      return { name, version: wanted, licence: licenceOf(name, license), texts: readLicenceTexts(part).map(place) };
    });
    return { integrity, packages, texts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
