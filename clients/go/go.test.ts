import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { findOutdatedClientTypes } from "../../scripts/print-client-types.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { go, goEnvironment, prepare, whySkipped } from "./prepare.ts";

describe("Go", { skip: whySkipped() }, () => {
  runCorpus("go", () => prepare(makeTestFolder()));

  describe("the module", () => {
    const folder = makeTestFolder();
    const module = join(folder, "module");
    cpSync(import.meta.dirname, module, { recursive: true });
    const run = (...given: string[]) => runOrFail(go, given, { cwd: module, env: { ...goEnvironment(folder), GOPROXY: "off" } });

    it("does what the corpus cannot say: contexts, connections, nothing secret in print", async () => {
      await run("test", "-count=1", ".");
    });

    it("passes go vet, and is formatted", async () => {
      await run("vet", "./...");
      // Beside the go that is used, which may not be the first in the path.
      const beside = join(dirname(go), "gofmt");
      assert.equal(await runOrFail(existsSync(beside) ? beside : "gofmt", ["-l", "-s", "."], { cwd: module }), "");
    });

    it("has no dependencies, and says its version in the user agent and the changelog", () => {
      assert.doesNotMatch(readFileSync(join(module, "go.mod"), "utf8"), /require/);
      assert.match(readFileSync(join(module, "client.go"), "utf8"), new RegExp(`^const Version = "${clientVersion}"$`, "m"));
      assert.match(readFileSync(join(module, "CHANGELOG.md"), "utf8"), new RegExp(`^## ${clientVersion}$`, "m"));
    });

    it("has the types of the contract", () => assert.deepEqual(findOutdatedClientTypes().filter((path) => path.endsWith(".go")), []));
  });
});
