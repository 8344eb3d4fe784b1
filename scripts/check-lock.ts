// What can be known about the packages from package-lock.json alone, without asking anybody.

type LockedPackage = { version?: string; integrity?: string; resolved?: string; link?: boolean; hasInstallScript?: boolean; license?: string; dev?: boolean };
export type Lock = { packages: Record<string, LockedPackage> };

/** Licences that ask for nothing but to be named, or that hold for the package's own files only. */
const knownLicences = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "LGPL-3.0-or-later", "MIT", "MIT-0", "MPL-2.0", "OFL-1.1", "Python-2.0", "Unlicense"]);
/** They say nothing in their package.json; a person has looked into their files. */
const readByHand: Record<string, string> = { "png-js": "MIT" };

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const licencesOf = (name: string, text: string | undefined): string[] => (text ?? readByHand[name] ?? "none").split(/[()\s]+|\bAND\b|\bOR\b/).filter((part) => part !== "" && part !== "AND" && part !== "OR");

/** Everything that should make a person look before such a package is installed; empty when there is nothing. */
export function findLockFaults({ packages }: Lock): string[] {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  if (installed.length === 0) return ["the lock file names no package"];
  return installed.flatMap(([path, { integrity, resolved, hasInstallScript, license }]) => {
    const name = nameOf(path);
    const unknown = licencesOf(name, license).filter((each) => !knownLicences.has(each));
    return [
      ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [] : [`${path} has no SHA-512: what is installed could be anything`]),
      ...(resolved === undefined ? [] : [`${path} is tied to ${URL.parse(resolved)?.host ?? "an address"}: a registry is the installation's to choose`]),
      ...(hasInstallScript ? [`${path} runs a script when it is installed`] : []),
      ...(unknown.length > 0 ? [`${path} has the licence ${unknown.join(", ")}: read it, and add it to scripts/check-lock.ts`] : []),
    ];
  });
}
