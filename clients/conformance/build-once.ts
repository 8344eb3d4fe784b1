import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "assay", "built");
const unusedMsMax = 7 * 86_400_000;

/** Changes when another version of a program is installed. */
export function identify(program: string): string {
  const path = realpathSync(program);
  const { size, mtimeMs } = statSync(path);
  return `${path} ${size} ${mtimeMs}`;
}

/** Everything that the result depends on. */
type Inputs = { name: string; inputs: readonly (string | Uint8Array)[] };

function hashOf(inputs: Inputs["inputs"]): string {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${input.length} `).update(input);
  return hash.digest("hex").slice(0, 32);
}

/** The time that files get. A test's clock may be another one: `npm test -- --at`. */
function fileTimeMs(): number {
  const made = mkdtempSync(join(cache, "time-"));
  const { mtimeMs } = statSync(made);
  rmSync(made, { recursive: true });
  return mtimeMs;
}

/** Fills the folder with what `build` makes in an empty one. The result is kept: the next test or run that has the same inputs gets a copy. */
export async function buildOnce(folder: string, { name, inputs }: Inputs, build: (empty: string) => Promise<void>): Promise<void> {
  const kept = join(cache, `${name}-${hashOf(inputs)}`);
  if (existsSync(kept)) {
    const now = new Date(fileTimeMs());
    utimesSync(kept, now, now);
  } else {
    mkdirSync(cache, { recursive: true });
    const made = mkdtempSync(join(cache, "unfinished-"));
    try {
      await build(made);
      deleteUnused();
      renameSync(made, kept);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      // Another test may have been faster.
      if (!existsSync(kept)) throw error;
    }
  }
  cpSync(kept, folder, { recursive: true, verbatimSymlinks: true });
}

function deleteUnused(): void {
  const nowMs = fileTimeMs();
  for (const name of readdirSync(cache)) {
    const { mtimeMs } = statSync(join(cache, name), { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < nowMs - unusedMsMax) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
