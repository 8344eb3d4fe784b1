import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeededRandom } from "./seeded-random.ts";

/** What a disk has written by itself before the power fails, of all that nobody asked it to sync: nothing, or a random part. */
export type Unsynced = "lost" | "partly lost";

export type Loss = {
  /** Blocks that the cut reset to an earlier state or removed. */
  blocks: number;
  /** Names that were not on the disk yet, or were still there. */
  names: number;
};

/** A disk whose power can be cut: see platter.c for what it keeps. */
export type PowerCutDisk = {
  /** For the processes that write to the folder; all of them must have it. */
  env: Record<string, string>;
  /** How often the processes have synced a file or a folder. */
  countSyncs(): number;
  /** After every process has been killed: leaves in the folder only what was on the disk, and puts the power back on. */
  cutPower(unsynced: Unsynced): Loss;
};

const blockBytes = 4_096;
const source = new URL("./platter.c", import.meta.url).pathname;
const compiler = process.env.ASSAY_TEST_CXX || "g++";

/** For the `skip` option of `node:test`. */
export const whyPowerIsNotCut = (): string | false => (spawnSync(compiler, ["--version"]).status === 0 ? false : "no g++: ASSAY_TEST_CXX is not set (npm test sets it)");

function compilePlatter(library: string): void {
  const { status, stderr } = spawnSync(compiler, ["-x", "c", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`platter.c cannot be compiled:\n${stderr}`);
}

type Name = { kind: "f" | "d"; inode: string; name: string };

const formatName = ({ kind, inode, name }: Name): string => `${kind} ${inode} ${name}\n`;

function readNames(list: string): Name[] {
  if (!existsSync(list)) return [];
  return readFileSync(list, "utf8").split("\n").filter(Boolean).map((line) => {
    const [, kind, inode, name] = /^([fd]) (\d+) (.+)$/.exec(line)!;
    return { kind: kind as "f" | "d", inode: inode!, name: name! };
  });
}

function listFolder(folder: string): Name[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ kind: entry.isDirectory() ? "d" : "f", inode: String(statSync(join(folder, entry.name)).ino), name: entry.name }));
}

function countDifferences(some: readonly Name[], others: readonly Name[]): number {
  const lines = new Set(some.map(formatName));
  return others.filter((each) => !lines.delete(formatName(each))).length + lines.size;
}

/** All files and folders below, each once, by inode. */
function findInodes(folder: string, found = new Map<string, string>()): Map<string, string> {
  found.set(String(statSync(folder).ino), folder);
  for (const { kind, inode, name } of listFolder(folder)) {
    if (kind === "d") findInodes(join(folder, name), found);
    else found.set(inode, join(folder, name));
  }
  return found;
}

const readIfThere = (path: string | undefined): Buffer => (path !== undefined && existsSync(path) ? readFileSync(path) : Buffer.alloc(0));

/** `folder` and `beside`, a new folder that the platter is kept in, are on one file system. */
export function insertDisk(folder: string, { beside, random }: { beside: string; random: SeededRandom }): PowerCutDisk {
  const owner = statSync(folder);
  const platter = join(beside, "platter");
  const library = join(beside, "platter.so");
  mkdirSync(beside, { recursive: true });
  compilePlatter(library);
  for (const path of [beside, library]) chmodSync(path, 0o755);

  const on = (name: string): string => join(platter, name);
  const own = (path: string, mode: number): void => {
    chmodSync(path, mode);
    chownSync(path, owner.uid, owner.gid);
  };

  /** Whatever is in the folder now has been synced. */
  function powerOn(): void {
    rmSync(platter, { recursive: true, force: true });
    mkdirSync(platter);
    for (const [inode, path] of findInodes(folder)) {
      const isFolder = statSync(path).isDirectory();
      if (isFolder) writeFileSync(on(`${inode}.names`), listFolder(path).map(formatName).join(""));
      else copyFileSync(path, on(inode));
    }
    for (const name of readdirSync(platter)) own(on(name), 0o600);
    own(platter, 0o700);
  }

  /** The blocks of a file after the cut. */
  function settleFile(synced: Buffer, written: Buffer, unsynced: Unsynced, loss: Loss): Buffer {
    const isKept = () => unsynced === "partly lost" && random.isTrue(0.5);
    const size = isKept() ? written.length : synced.length;
    const settled = Buffer.alloc(size);
    synced.copy(settled);
    for (let at = 0; at < Math.max(synced.length, written.length); at += blockBytes) {
      const block = written.subarray(at, at + blockBytes);
      if (block.equals(synced.subarray(at, at + blockBytes))) continue;
      if (at < size && block.length > 0 && isKept()) block.copy(settled, at);
      else loss.blocks += 1;
    }
    return settled;
  }

  function settleFolder(inode: string, to: string, live: ReadonlyMap<string, string>, unsynced: Unsynced, loss: Loss): void {
    const synced = readNames(on(`${inode}.names`));
    const now = live.has(inode) ? listFolder(live.get(inode)!) : [];
    const isKept = unsynced === "partly lost" && random.isTrue(0.5);
    if (!isKept) loss.names += countDifferences(synced, now);
    mkdirSync(to);
    for (const { kind, inode: child, name } of isKept ? now : synced) {
      const path = join(to, name);
      if (kind === "d") {
        settleFolder(child, path, live, unsynced, loss);
        continue;
      }
      const written = readIfThere(live.get(child) ?? on(`${child}.kept`));
      writeFileSync(path, settleFile(readIfThere(on(child)), written, unsynced, loss));
      own(path, 0o600);
    }
    own(to, 0o700);
  }

  function cutPower(unsynced: Unsynced): Loss {
    const loss: Loss = { blocks: 0, names: 0 };
    const settled = join(beside, "settled");
    settleFolder(String(owner.ino), settled, findInodes(folder), unsynced, loss);
    // The folder itself stays, and with it its inode.
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    for (const name of readdirSync(settled)) renameSync(join(settled, name), join(folder, name));
    rmdirSync(settled);
    powerOn();
    return loss;
  }

  powerOn();
  return {
    env: { LD_PRELOAD: library, ASSAY_TEST_DISK: realpathSync(folder), ASSAY_TEST_PLATTER: platter },
    countSyncs: () => (existsSync(on("syncs")) ? statSync(on("syncs")).size : 0),
    cutPower,
  };
}
