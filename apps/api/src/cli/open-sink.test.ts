import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { makeTestFolder } from "../../test/start-service.ts";
import { openFileSink } from "./open-sink.ts";

const utf8 = { encoding: "utf8" } as const;

it("a file has its name, its content and its mode once it is committed, and nothing is left beside it", async () => {
  const folder = makeTestFolder();
  const sink = await openFileSink(join(folder, "export.csv"), { ...utf8, mode: 0o600 });
  await sink.write("one\n");
  assert.doesNotMatch(readdirSync(folder).join(), /^export/, "not before");
  // More than a stream takes at once.
  await sink.write("ä".repeat(100_000));
  await sink.commit();
  assert.deepEqual(readdirSync(folder), ["export.csv"]);
  assert.equal(readFileSync(join(folder, "export.csv"), "utf8"), `one\n${"ä".repeat(100_000)}`);
  assert.equal(statSync(join(folder, "export.csv")).mode & 0o777, 0o600);
});

it("a discarded file leaves nothing", async () => {
  const folder = makeTestFolder();
  const sink = await openFileSink(join(folder, "export.csv"), utf8);
  await sink.write("one\n");
  await sink.discard();
  assert.deepEqual(readdirSync(folder), []);
});

it("a place that cannot be written to is refused before anything is asked of the service, by its name", async () => {
  const path = join(makeTestFolder(), "missing", "export.csv");
  await assert.rejects(openFileSink(path, utf8), { name: "Refusal", message: `${path} cannot be written (ENOENT)` });
});
