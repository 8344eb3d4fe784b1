// The samples of the API reference, compiled and run with the clients that they show.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { routesOf, type OpenApi } from "../apps/dashboard/build/reference/openapi.ts";
import { sampleCallOf } from "../apps/dashboard/build/reference/render-samples.ts";
import { clientCalls, type ClientLanguage, webhookSamples } from "../apps/dashboard/src/samples/client-calls.ts";
import { writeSample } from "../apps/dashboard/src/samples/write-sample.ts";
import { runOrFail } from "../packages/sdk/src/testing/run-program.ts";
import { builtPackage, installOffline } from "./conformance/built-packages.ts";
import * as go from "./go/prepare.ts";
import * as java from "./java/prepare.ts";
import * as php from "./php/prepare.ts";
import * as python from "./python/prepare.ts";

const mypy = process.env.ASSAY_TEST_MYPY ?? "/usr/bin/mypy";
const document = JSON.parse(readFileSync(join(import.meta.dirname, "..", "docs", "openapi.json"), "utf8")) as OpenApi;
const calls = routesOf(document).map(sampleCallOf).filter(({ operationId }) => operationId in clientCalls);

describe("the samples of the API reference", () => {
  let service: TestService;
  let testKey: string;
  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
    ({ testKey } = await makeAccount(store));
    await store.close();
    service = await startService(settings);
  });
  after(() => service?.stop());

  const samplesIn = (language: ClientLanguage) => calls.map((call) => ({ name: call.operationId, result: clientCalls[call.operationId]!.result, code: writeSample(language, call, { address: service.url }) }));
  const env = () => ({ PATH: process.env.PATH, ASSAY_API_KEY: testKey, WEBHOOK_SECRET: `whsec_${"A".repeat(43)}=` });
  const indent = (code: string, by: string) => code.replaceAll(/^(?=.)/gm, by);

  it("are there for every method of the clients", () => assert.equal(calls.length, Object.keys(clientCalls).length));

  it("run in TypeScript", async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    await installOffline(folder, builtPackage("assay-sdk-0.1.0.tgz"));
    for (const { name, code } of samplesIn("TypeScript")) {
      // What the examples name does not exist here; a wrong name would be a TypeError.
      writeFileSync(join(folder, `${name}.mjs`), code.replace(/^(const \w+ = )await (assay\.[\s\S]*);$/m, '$1await ($2).catch((error) => error.name === "AssayError" ? error : Promise.reject(error));'));
      await runOrFail(process.execPath, [`${name}.mjs`], { cwd: folder, env: env() });
    }
  });

  it("have the types of the Python client", { skip: python.whySkipped() || (!existsSync(mypy) && "mypy is not installed") }, async () => {
    const folder = makeTestFolder();
    const site = await python.installPackage(folder);
    const samples = samplesIn("Python");
    for (const { name, code } of samples) writeFileSync(join(folder, `${name}_sample.py`), `${code}\n`);
    writeFileSync(join(folder, "webhook_sample.py"), `import os\nfrom typing import Dict\n\nclass Request:\n    body: bytes\n    headers: Dict[str, str]\n\nrequest = Request()\n${webhookSamples.Python}\n`);
    await runOrFail(mypy, ["--strict", "--no-incremental", ...[...samples.map(({ name }) => name), "webhook"].map((name) => `${name}_sample.py`)], { cwd: folder, env: { ...env(), MYPYPATH: site } });
  });

  it("compile in Go", { skip: go.whySkipped() }, async () => {
    const folder = makeTestFolder();
    const functions = samplesIn("Go").map(({ name, result, code }) => `func ${name}(ctx context.Context) error {\n${indent(code, "\t")}\n\t_ = ${result}\n\treturn err\n}\n`);
    const webhook = `func webhook(body []byte, request *http.Request) error {\n\t${webhookSamples.Go}\n\t_ = event\n\treturn err\n}\n`;
    const source = join(folder, "samples.go");
    writeFileSync(source, `package main\n\nimport (\n\t"context"\n\t"net/http"\n\t"os"\n\n\tassay "assay.dev/client"\n)\n\n${[...functions, webhook].join("\n")}\nfunc main() {}\n`);
    await go.buildProgram(folder, source);
  });

  it("run in PHP", { skip: php.whySkipped() }, async () => {
    const folder = makeTestFolder();
    await php.installPackage(folder);
    const tried = samplesIn("PHP").map(({ code }) => `try {\n${indent(code, "    ")}\n} catch (\\Assay\\AssayError) {\n}\n`);
    const webhook = `function getallheaders(): array { return []; }\ntry {\n    ${webhookSamples.PHP}\n} catch (\\Assay\\WebhookVerificationError) {\n}\n`;
    writeFileSync(join(folder, "samples.php"), `<?php\nrequire 'vendor/autoload.php';\n${[...tried, webhook].join("")}echo "done\\n";\n`);
    assert.equal(await runOrFail(php.php, ["-d", "error_reporting=-1", "-d", "display_errors=stderr", "samples.php"], { cwd: folder, env: env() }), "done\n");
  });

  it("compile in Java", { skip: java.whySkipped() }, async () => {
    const folder = makeTestFolder();
    const methods = samplesIn("Java").map(({ name, code }) => `    static void ${name}() {\n${indent(code, "        ")}\n    }\n`);
    const webhook = `    static void webhook(byte[] body, Map<String, List<String>> headers) {\n        ${webhookSamples.Java}\n    }\n`;
    const source = join(folder, "Samples.java");
    writeFileSync(source, `import dev.assay.*;\nimport java.util.List;\nimport java.util.Map;\n\nclass Samples {\n${[...methods, webhook].join("\n")}}\n`);
    await java.compileWith(await java.buildJar(folder), source, folder);
  });
});
