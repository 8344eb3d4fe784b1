import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  /** From now on no sync ends: what is written next is written, and lost at the cut. */
  stall(): void;
  /** Whether a process waits for a sync that does not end. */
  isAwaited(): boolean;
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

type Cut = {
  unsynced: Unsynced;
  loss: Loss;
  /** Where each inode of the folder is. */
  live: ReadonlyMap<string, string>;
  removed: string[];
  made: string[];
  written: Map<string, Buffer>;
};

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

  /** Whatever is in the folder now has been synced. What the platter has of a file is left as it is. */
  function powerOn(): void {
    const inodes = findInodes(folder);
    for (const name of readdirSync(platter).filter((each) => !inodes.has(each))) rmSync(on(name));
    for (const [inode, path] of inodes) {
      const copy = on(statSync(path).isDirectory() ? `${inode}.names` : inode);
      if (existsSync(copy)) continue;
      if (copy.endsWith(".names")) writeFileSync(copy, listFolder(path).map(formatName).join(""));
      else copyFileSync(path, copy);
      own(copy, 0o600);
    }
  }

  /** What is in a file after the cut. */
  function settleFile(synced: Buffer, written: Buffer, { unsynced, loss }: Cut): Buffer {
    const isKept = () => unsynced === "partly lost" && random.isTrue(0.5);
    if (synced.equals(written)) return written;
    const settled = Buffer.alloc(isKept() ? written.length : synced.length);
    synced.copy(settled);
    for (let at = 0; at < Math.max(synced.length, written.length); at += blockBytes) {
      const block = written.subarray(at, at + blockBytes);
      if (block.equals(synced.subarray(at, at + blockBytes))) continue;
      if (at < settled.length && block.length > 0 && isKept()) block.copy(settled, at);
      else loss.blocks += 1;
    }
    return settled;
  }

  /** Finds out what the cut changes in a folder and below, and changes nothing yet: a file may be needed under another name. */
  function settleFolder(inode: string, path: string, cut: Cut): void {
    const synced = readNames(on(`${inode}.names`));
    const now = existsSync(path) ? listFolder(path) : [];
    const isKept = cut.unsynced === "partly lost" && random.isTrue(0.5);
    const left = isKept ? now : synced;
    const [leftLines, nowLines] = [left, now].map((names) => new Set(names.map(formatName)));
    const gone = now.filter((each) => !leftLines!.has(formatName(each)));
    const back = left.filter((each) => !nowLines!.has(formatName(each)));
    cut.loss.names += gone.length + back.length;
    cut.removed.push(...gone.map(({ name }) => join(path, name)));
    for (const each of left) {
      const place = join(path, each.name);
      if (each.kind === "d") {
        if (back.includes(each)) cut.made.push(place);
        settleFolder(each.inode, place, cut);
        continue;
      }
      const written = readIfThere(cut.live.get(each.inode) ?? on(`${each.inode}.kept`));
      // SQLite's shared memory is a file that nobody syncs or misses.
      const loss = each.name.endsWith("-shm") ? { blocks: 0, names: 0 } : cut.loss;
      const settled = settleFile(readIfThere(on(each.inode)), written, { ...cut, loss });
      if (settled !== written || back.includes(each)) cut.written.set(place, settled);
    }
  }

  function cutPower(unsynced: Unsynced): Loss {
    const cut: Cut = { unsynced, loss: { blocks: 0, names: 0 }, live: findInodes(folder), removed: [], made: [], written: new Map() };
    settleFolder(String(owner.ino), folder, cut);
    for (const path of cut.removed) rmSync(path, { recursive: true });
    for (const path of cut.made) {
      mkdirSync(path);
      own(path, 0o700);
    }
    for (const [path, content] of cut.written) {
      writeFileSync(path, content);
      own(path, 0o600);
      rmSync(on(String(statSync(path).ino)), { force: true });
    }
    powerOn();
    return cut.loss;
  }

  mkdirSync(platter);
  own(platter, 0o700);
  powerOn();
  return {
    env: { LD_PRELOAD: [library, process.env.LD_PRELOAD].filter(Boolean).join(":"), ASSAY_TEST_DISK: realpathSync(folder), ASSAY_TEST_PLATTER: platter },
    countSyncs: () => (existsSync(on("syncs")) ? statSync(on("syncs")).size : 0),
    stall: () => writeFileSync(on("failing"), "", { mode: 0o644 }),
    isAwaited: () => existsSync(on("waiting")),
    cutPower,
  };
}
