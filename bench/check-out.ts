import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./start-child.ts";

type Lock = { packages: Record<string, { link?: boolean }> };

/**
 * Writes the files of a commit to `folder`/tree, with packages to run them, and returns its path and full name. An index of its own leaves the
 * repository as it is: there is nothing to undo but deleting the folder.
 */
export function checkOut(commit: string, folder: string): { tree: string; revision: string } {
  const tree = join(folder, "tree");
  const environment = { ...process.env, GIT_INDEX_FILE: join(folder, "index") };
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  const revision = git("rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`);
  git("read-tree", revision);
  git("checkout-index", "--all", `--prefix=${tree}/`);
  if (installedPackages(tree) === installedPackages(root)) linkPackages(tree);
  else installPackages(tree);
  return { tree, revision };
}

/** What the lockfile installs, without the project's own packages. */
function installedPackages(tree: string): string {
  const { packages } = JSON.parse(readFileSync(join(tree, "package-lock.json"), "utf8")) as Lock;
  return JSON.stringify(Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link));
}

/** As at the first start of a fresh clone: see scripts/bootstrap.mjs. */
function installPackages(tree: string): void {
  process.stderr.write("installing the packages of the other commit, because its lockfile differs\n");
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--include=dev"];
  execFileSync("npm", words, { cwd: tree, env: { ...process.env, NODE_COMPILE_CACHE: undefined }, stdio: ["ignore", 2, 2] });
}

/** Links each package to ours. One link to the whole folder would not do: the project's own packages would be ours too, not the commit's. */
function linkPackages(tree: string): void {
  linkEach("node_modules", tree);
  for (const workspaces of ["apps", "packages"]) {
    for (const name of readdirSync(join(tree, workspaces))) {
      const folder = join(workspaces, name, "node_modules");
      if (existsSync(join(root, folder))) linkEach(folder, tree);
    }
  }
}

function linkEach(folder: string, tree: string): void {
  mkdirSync(join(tree, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name);
    // A package of the project is a relative link, which leads to the same place in the other tree.
    if (lstatSync(join(root, path)).isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), join(tree, path));
    else if (name.startsWith("@")) linkEach(path, tree);
    else if (!name.startsWith(".")) symlinkSync(join(root, path), join(tree, path));
  }
}
