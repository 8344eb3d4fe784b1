// Supply-chain checks that need package-lock.json only, no registry.

type LockedPackage = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};
export type Lock = { packages: Record<string, LockedPackage> };

/** Licences that ask for nothing but to be named, or that hold for the package's own files only. */
const knownLicences = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "LGPL-3.0-or-later", "MIT", "MIT-0", "MPL-2.0", "OFL-1.1", "Python-2.0", "Unlicense"]);
/** They say nothing in their package.json; a person has looked into their files. */
const readByHand: Record<string, string> = { "png-js": "MIT" };
/** They may be used under either of two licences: which one we chose. */
const chosen: Record<string, string> = { ibantools: "MIT" };

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

export const licenceOf = (name: string, text: string | undefined): string => chosen[name] ?? text ?? readByHand[name] ?? "none";

export const splitLicence = (text: string): string[] => text.split(/[()\s]+|\bAND\b|\bOR\b/).filter((part) => part !== "" && part !== "AND" && part !== "OR");

/** Findings that need a review before the packages are installed. */
export function findLockFaults({ packages }: Lock): string[] {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  if (installed.length === 0) return ["package-lock.json lists no packages"];
  return installed.flatMap(([path, { integrity, resolved, hasInstallScript, license }]) => {
    const name = nameOf(path);
    const unknown = splitLicence(licenceOf(name, license)).filter((each) => !knownLicences.has(each));
    return [
      ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [] : [`${path} has no SHA-512, so its contents cannot be verified`]),
      ...(resolved === undefined ? [] : [`${path} is pinned to ${URL.parse(resolved)?.host ?? "a URL"}; the installation chooses the registry`]),
      ...(hasInstallScript ? [`${path} has an install script`] : []),
      ...(unknown.length > 0 ? [`${path} has the unknown licence ${unknown.join(", ")}: review it and add it to scripts/check-lock.ts`] : []),
    ];
  });
}
