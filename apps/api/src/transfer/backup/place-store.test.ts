import assert from "node:assert/strict";
import fs, { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeTestFolder } from "../../../test/start-service.ts";
import { deleteStagedStore, finishPlacement, isPlacementPending, placeStagedStore, stageStore } from "./place-store.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const names = ["assay.sqlite", "assay.sqlite-wal", "secret.key", "outbox/mail_1.eml"];
const changing = ["renameSync", "mkdirSync", "rmdirSync", "fsyncSync"] as const;

/** After `calls` changes to the folder every further one fails, as in a power failure. */
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

/** A store whose files all say "old", with a new one staged beside it. */
function makeFolder(): string {
  const dataDir = makeTestFolder();
  mkdirSync(join(dataDir, "outbox"));
  for (const name of names) writeFileSync(join(dataDir, name), "old");
  const staged = stageStore(dataDir);
  for (const name of ["assay.sqlite", "secret.key"]) writeFileSync(join(staged, name), "new");
  return dataDir;
}

const read = (folder: string, name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined);

describe("replacing a store", () => {
  it("leaves the old store or the new one, complete, wherever and however often the power fails", () => {
    let cuts = 0;
    let keptOld = 0;
    for (let calls = 0; ; calls += 1) {
      const dataDir = makeFolder();
      const { wasCut } = withPowerFor(calls, () => placeStagedStore(dataDir, nowMs));
      if (!wasCut) break;
      cuts += 1;
      // The next start is cut off too; the one after it completes.
      withPowerFor(calls % 5, () => finishPlacement(dataDir));
      finishPlacement(dataDir);
      deleteStagedStore(dataDir);
      const inPlace = names.map((name) => read(dataDir, name));
      const isOld = inPlace.every((content) => content === "old");
      if (isOld) keptOld += 1;
      else assert.deepEqual(inPlace, ["new", undefined, "new", undefined], `cut after ${calls} calls`);
      const aside = join(dataDir, "replaced-2026-01-01T00-00-00.000Z");
      if (!isOld) assert.deepEqual(names.map((name) => read(aside, name)), names.map(() => "old"), "all of the old store is kept");
      assert.equal(isPlacementPending(dataDir), false);
    }
    assert.ok(cuts > 10 && keptOld > 0 && keptOld < cuts, `${cuts} cuts, ${keptOld} before the commit point`);
  });

  it("refuses a staged store that is still open or incomplete", () => {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, "restore.part", "assay.sqlite-wal"), "not in the file yet");
    assert.throws(() => placeStagedStore(dataDir, nowMs), /closed and complete/);
    assert.deepEqual(names.map((name) => read(dataDir, name)), names.map(() => "old"));
  });
});
