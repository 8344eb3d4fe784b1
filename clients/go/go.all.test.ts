import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { findOutdatedClientTypes } from "../../scripts/print-client-types.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { buildProgram, go, goEnvironment, prepare, whySkipped } from "./prepare.ts";

describe("Go", { skip: whySkipped() }, () => {
  runCorpus("go", () => prepare(makeTestFolder()));

  describe("the module", () => {
    const folder = makeTestFolder();
    const module = join(folder, "module");
    cpSync(import.meta.dirname, module, { recursive: true });
    const run = (...given: string[]) => runOrFail(go, given, { cwd: module, env: { ...goEnvironment(folder), GOPROXY: "off" } });

    it("does what the corpus cannot say: contexts, connections, nothing secret in print", async () => {
      await run("test", "-count=1", "-timeout=60s", ".");
    });

    it("passes go vet, and is formatted", async () => {
      await run("vet", "./...");
      // Beside the go that is used, which may not be the first in the path.
      const beside = join(dirname(go), "gofmt");
      assert.equal(await runOrFail(existsSync(beside) ? beside : "gofmt", ["-l", "-s", "."], { cwd: module }), "");
    });

    it("is shown in the README as it is", async () => {
      const [use, failures, webhooks, ...more] = [...readFileSync(join(module, "README.md"), "utf8").matchAll(/^```go.*\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
      assert.deepEqual(more, []);
      const imports = ["context", "errors", "io", "log", "net/http", "os"].map((name) => `import "${name}"\n`).join("");
      const functions = `func use(ctx context.Context) error {\n${use}\n_ = verdict\nreturn err\n}\nfunc explain(err error) {\n${failures}}\n${webhooks}`;
      const source = join(folder, "readme.go");
      writeFileSync(source, `package main\n\n${imports}import assay "assay.dev/client"\n\n${functions}\nfunc main() {\n_, _, _ = use, explain, receive\n}\n`);
      await buildProgram(makeTestFolder(), source);
    });

    it("has no dependencies, and says its version in the user agent and the changelog", () => {
      assert.doesNotMatch(readFileSync(join(module, "go.mod"), "utf8"), /require/);
      assert.match(readFileSync(join(module, "client.go"), "utf8"), new RegExp(`^const Version = "${clientVersion}"$`, "m"));
      assert.match(readFileSync(join(module, "CHANGELOG.md"), "utf8"), new RegExp(`^## ${clientVersion}$`, "m"));
    });

    it("has the types of the contract", () => assert.deepEqual(findOutdatedClientTypes().filter((path) => path.endsWith(".go")), []));
  });
});
