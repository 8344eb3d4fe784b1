import assert from "node:assert/strict";
import fs, { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeTestFolder } from "../../../test/start-service.ts";
import { dropStaged, finishPlacing, isPlacingDue, placeStaged, stageStore } from "./place-store.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const names = ["assay.sqlite", "assay.sqlite-wal", "secret.key", "outbox/mail_1.eml"];
const changing = ["renameSync", "mkdirSync", "rmdirSync", "fsyncSync"] as const;

/** Every call that changes the folder from the given one on fails: to the files that is a power cut. */
function withPowerFor<Result>(calls: number, work: () => Result): { result: Result | undefined; wasCut: boolean } {
  const originals = changing.map((name) => [name, fs[name]] as const);
  let left = calls;
  let wasCut = false;
  for (const [name, original] of originals) {
    fs[name] = ((...args: unknown[]) => {
      if (left-- <= 0) {
        wasCut = true;
        throw new Error("the power is gone");
      }
      return (original as (...all: unknown[]) => unknown)(...args);
    }) as never;
  }
  syncBuiltinESMExports();
  try {
    return { result: work(), wasCut };
  } catch (error) {
    if (!wasCut) throw error;
    return { result: undefined, wasCut };
  } finally {
    for (const [name, original] of originals) fs[name] = original as never;
    syncBuiltinESMExports();
  }
}

/** A store that is old in all its files, with a new one staged beside it. */
function makeFolder(): string {
  const dataDir = makeTestFolder();
  mkdirSync(join(dataDir, "outbox"));
  for (const name of names) writeFileSync(join(dataDir, name), "old");
  const staged = stageStore(dataDir);
  for (const name of ["assay.sqlite", "secret.key"]) writeFileSync(join(staged, name), "new");
  return dataDir;
}

const read = (folder: string, name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined);

describe("a store that takes another one's place", () => {
  it("is there whole, or the old one is, wherever the power is cut and however often", () => {
    let cuts = 0;
    let keptOld = 0;
    for (let calls = 0; ; calls += 1) {
      const dataDir = makeFolder();
      const { wasCut } = withPowerFor(calls, () => placeStaged(dataDir, nowMs));
      if (!wasCut) break;
      cuts += 1;
      // The next start is cut off, too, wherever it may be; the one after it comes through.
      withPowerFor(calls % 5, () => finishPlacing(dataDir));
      finishPlacing(dataDir);
      dropStaged(dataDir);
      const inPlace = names.map((name) => read(dataDir, name));
      const isOld = inPlace.every((content) => content === "old");
      if (isOld) keptOld += 1;
      else assert.deepEqual(inPlace, ["new", undefined, "new", undefined], `cut after ${calls} calls`);
      const aside = join(dataDir, "replaced-2026-01-01T00-00-00.000Z");
      if (!isOld) assert.deepEqual(names.map((name) => read(aside, name)), names.map(() => "old"), "the old one is kept, all of it");
      assert.equal(isPlacingDue(dataDir), false);
    }
    assert.ok(cuts > 10 && keptOld > 0 && keptOld < cuts, `${cuts} cuts, ${keptOld} before it was decided`);
  });

  it("is never placed while it is still open or not complete", () => {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, "restore.part", "assay.sqlite-wal"), "not in the file yet");
    assert.throws(() => placeStaged(dataDir, nowMs), /closed and complete/);
    assert.deepEqual(names.map((name) => read(dataDir, name)), names.map(() => "old"));
  });
});
