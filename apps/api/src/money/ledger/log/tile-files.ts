/**
 * Complete tiles of the log, as files of this process: they never change. The database has them all, so a file that is
 * missing, cut short or damaged costs a query and nothing else, and every start begins without files: a database may have
 * been put back.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** 140 MB, or the tiles of a log of four million entries. Beyond it the one that was written first is deleted. */
export const tileFilesMax = 16_384;
const sumBytes = 32;

export type TileFiles = {
  /** Undefined if there is no such file, or it is not as it was written. */
  read(name: string): Promise<Buffer | undefined>;
  /** Never fails: without a file the next one who asks waits for a query. Tells the first of several errors in a row. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Forgets the files whose names begin so. */
  forget(prefix: string): void;
};

/** With the name, so that no file is taken for another. */
const sumOf = (name: string, bytes: Uint8Array): Buffer => createHash("sha256").update(`${name}\n`).update(bytes).digest();

export const tileFolderOf = (dataDir: string, worker?: number): string => join(dataDir, worker === undefined ? "log-tiles" : `log-tiles-${worker}`);

export async function openTileFiles(folder: string, { onError, filesMax = tileFilesMax }: { onError: (error: unknown) => void; filesMax?: number }): Promise<TileFiles> {
  // A folder that cannot be emptied is no reason not to start: only files that were written since are read.
  await rm(folder, { recursive: true, force: true }).catch(onError);
  /** In the order in which they were written. */
  const written = new Set<string>();
  let hasFailed = false;
  const pathOf = (name: string) => join(folder, name);

  async function deleteOldest(): Promise<void> {
    for (const oldest of written) {
      if (written.size <= filesMax) return;
      written.delete(oldest);
      await rm(pathOf(oldest), { force: true });
    }
  }

  return {
    async read(name) {
      if (!written.has(name)) return undefined;
      const file = await readFile(pathOf(name)).catch(() => Buffer.alloc(0));
      const bytes = file.subarray(sumBytes);
      if (file.length > sumBytes && sumOf(name, bytes).equals(file.subarray(0, sumBytes))) return bytes;
      written.delete(name);
      return undefined;
    },
    async write(name, bytes) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(pathOf(`${name}.new`), Buffer.concat([sumOf(name, bytes), bytes]), { mode: 0o600 });
        await rename(pathOf(`${name}.new`), pathOf(name));
        written.add(name);
        await deleteOldest();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) onError(error);
        hasFailed = true;
      }
    },
    forget(prefix) {
      for (const name of written) if (name.startsWith(prefix)) written.delete(name);
    },
  };
}
