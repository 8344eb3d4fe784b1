import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../start-service.ts";

/** A place for a store whose disk can be filled and freed. */
export type SmallDisk = {
  kind: "a small file system" | "a limit on SQLite's pages";
  folder: string;
  /** For the service that uses it. */
  env: Record<string, string>;
  fill(): void;
  free(): void;
  close(): void;
};

const chunk = Buffer.alloc(64 * 1024, 1);

/** Undefined if this process may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = makeTestFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "assay-test", folder]);
  if (mounted.status !== 0) return undefined;
  const filler = join(folder, "filler");
  const close = () => {
    spawnSync("umount", ["--lazy", folder]);
    process.off("exit", close);
  };
  process.on("exit", close);
  return {
    kind: "a small file system",
    folder,
    env: {},
    fill() {
      const file = openSync(filler, "a");
      try {
        // Halve the size after each failed write until not even a byte fits.
        for (let size = chunk.length; size > 0; ) {
          try {
            writeSync(file, chunk, 0, size);
          } catch {
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    close,
  };
}

/** Needs no permission: SQLite refuses to grow the database, with the same error as on a full disk. */
export function limitPages(): SmallDisk {
  const mark = join(makeTestFolder(), "full");
  return {
    kind: "a limit on SQLite's pages",
    folder: makeTestFolder(),
    env: { ASSAY_TEST_DISK_IS_FULL: mark, NODE_OPTIONS: `--import ${new URL("./limit-pages.ts", import.meta.url).href}` },
    fill: () => writeFileSync(mark, ""),
    free: () => rmSync(mark, { force: true }),
    close: () => {},
  };
}
