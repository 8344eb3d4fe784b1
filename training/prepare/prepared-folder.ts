import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { InputFault } from "./input-fault.ts";
import type { Prepared } from "./prepare-data.ts";
import type { InputFile } from "./read-table.ts";
import { inputBytesMax } from "./read-table.ts";

export function readInput(path: string): InputFile {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new InputFault(`${path} does not exist`);
  if (!stats.isFile()) throw new InputFault(`${path} is not a file; give the CSV file, not its folder`);
  // The raw log next to the features has 3 GB: refused before it is read into memory.
  if (stats.size > inputBytesMax) throw new InputFault(`${path} has ${stats.size} bytes; the originals have less than ${inputBytesMax}`);
  return { name: basename(path), bytes: readFileSync(path) };
}

/** Writes the training file and where it came from, each at once or not at all. Returns their paths. */
export function writePrepared({ csv, sources }: Prepared, { folder, replace }: { folder: string; replace: boolean }): string[] {
  const trainPath = join(folder, "train.csv");
  if (!replace && existsSync(trainPath) && readFileSync(trainPath, "utf8") !== csv) {
    throw new InputFault(`${trainPath} exists and differs; choose another folder, or pass --replace`);
  }
  const train = { name: "train.csv", sha256: createHash("sha256").update(csv).digest("hex"), rows: csv.split("\n").length - 2 };
  const files: Record<string, string> = {
    "train.csv": csv,
    "prepared.json": `${JSON.stringify({ train, sources }, undefined, 2)}\n`,
  };
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
    return path;
  });
}
