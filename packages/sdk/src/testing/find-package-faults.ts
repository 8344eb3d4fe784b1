import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Exports = { [condition: string]: string | Exports };
type Description = {
  name?: string;
  version?: string;
  private?: boolean;
  description?: string;
  keywords?: string[];
  license?: string;
  type?: string;
  sideEffects?: boolean | string[];
  exports?: Exports;
  types?: string;
  unpkg?: string;
  jsdelivr?: string;
  files?: string[];
  publishConfig?: { access?: string };
  dependencies?: object;
  peerDependencies?: object;
  bundleDependencies?: unknown;
  scripts?: Record<string, string>;
};

const keywordsMin = 3;
/** These would run on every machine that installs the package. */
const installScripts = ["preinstall", "install", "postinstall"];

const pathsIn = (exported: Exports | string): string[] => (typeof exported === "string" ? [exported] : Object.values(exported).flatMap(pathsIn));

/** TypeScript and bundlers take the first matching condition, so types must come before code. */
const hasTypesFirst = (exported: Exports | string): boolean =>
  typeof exported === "string" || (!("types" in exported) || Object.keys(exported)[0] === "types") && Object.values(exported).every(hasTypesFirst);

function findEntryFaults(folder: string, description: Description): (string | false)[] {
  const sideEffects = Array.isArray(description.sideEffects) ? description.sideEffects : [];
  const { types, unpkg, jsdelivr } = description;
  const named = [...pathsIn(description.exports ?? {}), ...sideEffects, ...[types, unpkg, jsdelivr].filter((path) => path !== undefined)];
  const main = description.exports?.["."];
  return [
    ...named.map((path) => !existsSync(join(folder, path)) && `${path} does not exist`),
    ...named.map((path) => !path.startsWith("./") && `${path} does not start with ./`),
    !hasTypesFirst(description.exports ?? {}) && "types is not the first condition of an export",
    typeof main !== "object" || !("types" in main) ? "the main export has no types" : main.types !== types && "types differs from that of the main export",
    description.exports?.["./package.json"] !== "./package.json" && "./package.json is not exported",
  ];
}

/** Checks an unpacked package before publishing: the part of publint's checks that applies to ours. */
export function findPackageFaults(folder: string, expected: { version: string; license: string; files: readonly string[] }): string[] {
  const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Description;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
  const readme = existsSync(join(folder, "README.md")) ? readFileSync(join(folder, "README.md"), "utf8") : "";
  const faults = [
    description.private === true && "it is marked private",
    description.version !== expected.version && `its version is ${description.version}`,
    description.license !== expected.license && `its licence is ${description.license}`,
    !description.description && "it has no description",
    (description.keywords ?? []).length < keywordsMin && `it has fewer than ${keywordsMin} keywords`,
    description.type !== "module" && "type is not module",
    description.sideEffects === undefined && "sideEffects is not set",
    description.publishConfig?.access === undefined && "publishConfig.access is not set",
    (description.dependencies ?? description.peerDependencies ?? description.bundleDependencies) !== undefined && "it has dependencies",
    installScripts.some((name) => name in (description.scripts ?? {})) && "it has an install script",
    !readme.startsWith(`# ${description.name}\n`) && "its README does not start with its name",
    !/^## Install$/m.test(readme) && "its README has no Install section",
    files.join(" ") !== expected.files.toSorted().join(" ") && `it contains ${files.join(", ")}`,
    ...findEntryFaults(folder, description),
  ];
  return faults.filter((fault) => fault !== false);
}
