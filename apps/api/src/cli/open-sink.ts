import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { Refusal } from "./refusal.ts";

/** Where lines go. Nothing is there under its name before `keep`. */
export type Sink = {
  write(text: string): Promise<void>;
  keep(): Promise<void>;
  discard(): Promise<void>;
};

/** Standard output takes what it is given at once: what is written there cannot be taken back. */
export const standardOutput: Sink = {
  async write(text) {
    if (!process.stdout.write(text, "latin1")) await once(process.stdout, "drain");
  },
  keep: () => Promise.resolve(),
  discard: () => Promise.resolve(),
};

const explain = (error: NodeJS.ErrnoException, path: string) => new Refusal(`${path} cannot be written (${error.code ?? error.message})`);

/** Writes beside the file and moves it into place when all is there: no half-written file ever has its name. */
export async function openFileSink(path: string): Promise<Sink> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const stream = createWriteStream(unfinished, { encoding: "latin1", flags: "wx" });
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
    async keep() {
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
