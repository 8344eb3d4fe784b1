import assert from "node:assert/strict";
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail, runProgram } from "../../packages/sdk/src/testing/run-program.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { type Seen, startScriptedServer, type Step } from "../conformance/scripted-server.ts";
import { composer, composerEnv, installPackage, php, prepare, whySkipped } from "./prepare.ts";

const body = { service_score: 78.4, trust_level: "high", confidence: 0.91, of_tomorrow: { empty: {}, list: [] } };
const verdict: Step = { status: 200, body, headers: { "assay-receipt": "1.ab" } };

describe("PHP", { skip: whySkipped() }, () => {
  runCorpus("php", () => prepare(makeTestFolder()));

  describe("what the corpus cannot say", () => {
    const folder = makeTestFolder();
    before(async () => {
      await installPackage(folder);
      cpSync(join(import.meta.dirname, "conformance", "habits.php"), join(folder, "habits.php"));
    });

    async function run(habit: string, steps: readonly Step[]): Promise<{ printed: string; seen: Seen[] }> {
      const server = await startScriptedServer(steps);
      try {
        // Stack traces with arguments, as in development: they must not show the key either.
        const args = ["-d", "zend.exception_ignore_args=0", "-d", "error_reporting=-1", "-d", "display_errors=stderr", "habits.php", server.url, habit];
        return { printed: await runOrFail(php, args, { cwd: folder, env: { PATH: process.env.PATH } }), seen: server.seen };
      } finally {
        await server.close();
      }
    }

    it("the key is in nothing that the client or its errors print", async () => {
      const { printed } = await run("print", ["silence"]);
      assert.match(printed, /No complete answer within 300 ms.*apiKey must be.*Serialization/s);
      assert.doesNotMatch(printed, /SECRET/);
    });

    it("a PSR-18 client makes the calls, with the same rules", async () => {
      const { printed, seen } = await run("psr", [{ status: 503 }, "cut", verdict]);
      assert.equal(printed, "78.4 1.ab 3\n");
      assert.deepEqual(new Set(seen.map(({ headers, body: sent }) => [headers["x-api-key"], headers["content-type"], sent].join())).size, 1);
      assert.equal(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
    });

    it("a PSR-18 client is held to the size of an answer, and its exceptions do not show the key", async () => {
      assert.match((await run("psr-failure", ["flood"])).printed, /^closed\nnetwork_failure\n/);
      const { printed } = await run("psr-failure", ["cut"]);
      assert.match(printed, /^network_failure\n/);
      assert.match(printed, /the connection closed/);
      assert.doesNotMatch(printed, /SECRET/);
      assert.equal((await run("psr-incomplete", [])).printed, "InvalidArgumentException\n");
    });

    it("the README's programs run", async (t) => {
      const [use, webhooks, proofs, ...more] = [...readFileSync(join(import.meta.dirname, "README.md"), "utf8").matchAll(/^```php.*\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
      assert.deepEqual(more, []);
      const proof: Step = { status: 200, body: "not a proof" };
      const server = await startScriptedServer([{ ...verdict, headers: { "assay-receipt": `7.${"a".repeat(64)}` } }, proof]);
      t.after(() => server.close());
      writeFileSync(join(folder, "use.php"), `<?php\nrequire 'vendor/autoload.php';\n${use}${proofs}`);
      // On the command line there is no getallheaders.
      writeFileSync(join(folder, "receive.php"), `<?php\nrequire 'vendor/autoload.php';\n${webhooks!.replace("getallheaders()", "[]")}echo http_response_code(), "\\n";\n`);
      const env = { PATH: process.env.PATH, ASSAY_API_KEY: "assay_test_1", ASSAY_URL: server.url, ASSAY_LOG_KEY: "key", WEBHOOK_SECRET: `whsec_${"A".repeat(43)}=` };
      const used = await runProgram(php, ["use.php"], { cwd: folder, env });
      assert.match(used.stdout, /^high: 78\.4$/m);
      assert.match(used.stdout + used.stderr, /Assay\\ProofError: The proof is malformed/);
      assert.equal(await runOrFail(php, ["receive.php"], { cwd: folder, env }), "400\n");
    });

    it("waits as long as the service asks", async () => {
      assert.equal((await run("wait", [{ status: 429, body: { error: "rate_limit_exceeded", retry_after: 0.2 } }, verdict])).printed, "2 waited\n");
    });

    it("answers are read like arrays, cannot be changed, and keep empty objects as JSON", async () => {
      const [fields, change, text] = (await run("answer", [verdict])).printed.trimEnd().split("\n");
      const attestation = { attestation: "asserted", attested: [], attestation_issues: [] };
      assert.deepEqual(JSON.parse(fields!), [true, false, null, { empty: [], list: [] }, { ...body, attribution_confidence: 0.91, ...attestation }]);
      assert.deepEqual([change, text], ["An answer cannot be changed.", "InvalidArgumentException"]);
    });
  });

  it("Packagist would accept the package", async () => {
    const folder = makeTestFolder();
    cpSync(join(import.meta.dirname, "composer.json"), join(folder, "composer.json"));
    await runOrFail(php, [composer, "validate", "--strict", "--no-check-lock", "--no-interaction"], { cwd: folder, env: composerEnv(folder) });
    assert.match(readFileSync(join(import.meta.dirname, "src", "Assay.php"), "utf8"), new RegExp(`VERSION = '${clientVersion}'`));
  });

  it("every file is strict PHP without syntax errors", async () => {
    for (const file of globSync(join(import.meta.dirname, "{src,conformance}", "*.php"))) {
      assert.match(readFileSync(file, "utf8"), /^declare\(strict_types=1\);$/m, file);
      await runOrFail(php, ["-l", file], { cwd: import.meta.dirname });
    }
  });
});
