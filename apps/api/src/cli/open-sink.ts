import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { Refusal } from "./refusal.ts";

/** A destination for text. A file has its name only after `commit`. */
export type Sink = {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
};

/** Standard output cannot be rolled back. */
export const standardOutput: Sink = {
  async write(text) {
    if (!process.stdout.write(text, "latin1")) await once(process.stdout, "drain");
  },
  commit: () => Promise.resolve(),
  discard: () => Promise.resolve(),
};

const explain = ({ code, message }: NodeJS.ErrnoException, path: string) =>
  new Refusal(`${path} cannot be written${code === "ENOSPC" ? ": the disk is full" : ` (${code ?? message})`}`);

/** Writes to a temporary file and renames it when it is complete: a partial file never has the final name. */
export async function openFileSink(path: string, options: { encoding: "latin1" | "utf8"; mode?: number; flush?: boolean }): Promise<Sink> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const stream = createWriteStream(unfinished, { ...options, flags: "wx" });
  let failure: NodeJS.ErrnoException | undefined;
  stream.on("error", (error) => {
    failure ??= error;
  });
  await once(stream, "open").catch((error: NodeJS.ErrnoException) => {
    throw explain(error, path);
  });
  return {
    async write(text) {
      if (failure) throw explain(failure, path);
      if (stream.write(text)) return;
      await once(stream, "drain").catch((error: NodeJS.ErrnoException) => {
        throw explain(error, path);
      });
    },
    async commit() {
      stream.end();
      try {
        await finished(stream);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw explain(error as NodeJS.ErrnoException, path);
      }
    },
    async discard() {
      stream.destroy();
      await rm(unfinished, { force: true });
    },
  };
}
