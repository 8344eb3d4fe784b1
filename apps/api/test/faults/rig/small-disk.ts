import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../start-service.ts";

/** A separate file system that can be filled to the last byte. */
export type SmallDisk = { folder: string; fill(): void; free(): void; unmount(): void };

const chunk = Buffer.alloc(64 * 1024, 1);

/** Undefined if this process may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = makeTestFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "assay-test", folder]);
  if (mounted.status !== 0) return undefined;
  const filler = join(folder, "filler");
  const unmount = () => {
    spawnSync("umount", ["--lazy", folder]);
    process.off("exit", unmount);
  };
  process.on("exit", unmount);
  return {
    folder,
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
    unmount,
  };
}
