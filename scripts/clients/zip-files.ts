import { zipSync } from "fflate";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Files = Record<string, Uint8Array>;

/** The same files give the same bytes on every day and machine. */
export function zipFiles(files: Files): Uint8Array {
  const sorted = Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1));
  // The earliest time that a zip can state, in local time, as zips do.
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: new Date(1980, 0, 1) });
}

/** The files of a folder that the patterns name, by their path within it. */
export function readFiles(folder: string, patterns: readonly string[]): Files {
  const names = globSync([...patterns], { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  if (names.length === 0) throw new Error(`${folder} has none of ${patterns.join(", ")}`);
  return Object.fromEntries(names.map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length + 1), new Uint8Array(readFileSync(join(parentPath, name)))]));
}

export const prefixNames = (files: Files, prefix: string): Files => Object.fromEntries(Object.entries(files).map(([name, bytes]) => [prefix + name, bytes]));
