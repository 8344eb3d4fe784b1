import type { Lock } from "../check-lock.ts";

/** What deploy/Dockerfile builds on: Debian with glibc, on either processor. */
const image = { os: "linux", cpus: ["x64", "arm64"], libc: "glibc" };

type Packages = Lock["packages"];

function runsInImage({ os, cpu, libc }: Packages[string]): boolean {
  return (os?.includes(image.os) ?? true) && (cpu?.some((each) => image.cpus.includes(each)) ?? true) && (libc?.includes(image.libc) ?? true);
}

/** Where Node would find the package from this place, as a path of the lockfile. */
function resolvePackage(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const found = packages[path];
    if (found) return found.link ? found.resolved : path;
    if (folder === "") return undefined;
  }
}

/** The packages that `npm install --omit=dev` puts into the image for this workspace, on all of its processors. */
export function listImagePackages({ packages }: Lock, workspace: string): string[] {
  const found = new Set<string>();
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const described = packages[path];
    if (found.has(path) || !described || !runsInImage(described)) continue;
    found.add(path);
    const peers = Object.keys(described.peerDependencies ?? {}).filter((name) => !described.peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys(described.dependencies ?? {}), ...peers, ...Object.keys(described.optionalDependencies ?? {})]) {
      const resolved = resolvePackage(packages, path, name);
      if (resolved !== undefined) waiting.push(resolved);
      else if (!(name in (described.optionalDependencies ?? {}))) throw new Error(`package-lock.json has no ${name}, which ${path} needs`);
    }
  }
  return [...found].filter((path) => path.includes("node_modules/"));
}
