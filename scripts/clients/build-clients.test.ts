import assert from "node:assert/strict";
import { globSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { writeGoModule, writePhpPackage, writeSources, writeWheel } from "./build-clients.ts";

const timeZone = process.env.TZ;

function writeAll(): Map<string, Buffer> {
  const folder = makeTestFolder();
  writeWheel(folder);
  writeGoModule(folder);
  writePhpPackage(folder);
  writeSources(folder, "java");
  writeSources(folder, "kotlin");
  writeSources(folder, "swift");
  return new Map(globSync("**/*.{whl,zip,json,info,mod}", { cwd: folder }).toSorted().map((file) => [file, readFileSync(join(folder, file))]));
}

describe("packages of clients", () => {
  after(() => {
    if (timeZone === undefined) delete process.env.TZ;
    else process.env.TZ = timeZone;
  });

  it("have the same bytes wherever and whenever they are packed", () => {
    const first = writeAll();
    assert.ok(first.size >= 8, [...first.keys()].join());
    process.env.TZ = "Pacific/Auckland";
    utimesSync(join(import.meta.dirname, "..", "..", "clients", "python", "LICENSE"), new Date(), new Date());
    assert.deepEqual([...writeAll()].filter(([file, bytes]) => !first.get(file)?.equals(bytes)).map(([file]) => file), []);
  });

  it("contain no test, adapter or file of another language", () => {
    for (const [file, bytes] of writeAll()) {
      const text = bytes.toString("latin1");
      for (const stranger of ["adapter.", "prepare.ts", ".test.ts", "__pycache__"]) assert.ok(!text.includes(stranger), `${file} contains ${stranger}`);
    }
  });
});
