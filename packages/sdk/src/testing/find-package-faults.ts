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
/** Run on the machines of those who install. */
const installScripts = ["preinstall", "install", "postinstall"];

const pathsIn = (exported: Exports | string): string[] => (typeof exported === "string" ? [exported] : Object.values(exported).flatMap(pathsIn));

/** TypeScript and bundlers take the first condition that fits, so the types stand before the code. */
const hasTypesFirst = (exported: Exports | string): boolean =>
  typeof exported === "string" || (!("types" in exported) || Object.keys(exported)[0] === "types") && Object.values(exported).every(hasTypesFirst);

function findEntryFaults(folder: string, description: Description): (string | false)[] {
  const sideEffects = Array.isArray(description.sideEffects) ? description.sideEffects : [];
  const { types, unpkg, jsdelivr } = description;
  const named = [...pathsIn(description.exports ?? {}), ...sideEffects, ...[types, unpkg, jsdelivr].filter((path) => path !== undefined)];
  const main = description.exports?.["."];
  return [
    ...named.map((path) => !existsSync(join(folder, path)) && `${path} is named and not there`),
    ...named.map((path) => !path.startsWith("./") && `${path} does not begin with ./`),
    !hasTypesFirst(description.exports ?? {}) && "types are not the first condition",
    typeof main !== "object" || !("types" in main) ? "the main entry has no types" : main.types !== types && "types differ from those of the main entry",
    description.exports?.["./package.json"] !== "./package.json" && "tools cannot read its package.json",
  ];
}

/** What a publisher's checklist would say of an unpacked package: like publint's, as far as it concerns ours. */
export function findPackageFaults(folder: string, expected: { version: string; license: string; files: readonly string[] }): string[] {
  const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Description;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
  const readme = existsSync(join(folder, "README.md")) ? readFileSync(join(folder, "README.md"), "utf8") : "";
  const faults = [
    description.private === true && "it is private",
    description.version !== expected.version && `its version is ${description.version}`,
    description.license !== expected.license && `its licence is ${description.license}`,
    !description.description && "it has no description",
    (description.keywords ?? []).length < keywordsMin && "it has no keywords",
    description.type !== "module" && "it does not say that it is ESM",
    description.sideEffects === undefined && "it does not say whether it has side effects",
    description.publishConfig?.access === undefined && "it does not say who may install it",
    (description.dependencies ?? description.peerDependencies ?? description.bundleDependencies) !== undefined && "it needs other packages",
    installScripts.some((name) => name in (description.scripts ?? {})) && "it runs a script when it is installed",
    !readme.startsWith(`# ${description.name}\n`) && "its README is not its own",
    !/^## Install$/m.test(readme) && "its README does not say how to install it",
    files.join(" ") !== expected.files.toSorted().join(" ") && `it holds ${files.join(", ")}`,
    ...findEntryFaults(folder, description),
  ];
  return faults.filter((fault) => fault !== false);
}
