// The samples of the API reference and the playground, run as they are shown, with the built packages against a real service.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { routesOf, type OpenApi } from "../apps/dashboard/build/reference/openapi.ts";
import { sampleCallOf } from "../apps/dashboard/build/reference/render-samples.ts";
import { clientCalls, type ClientLanguage, webhookSamples } from "../apps/dashboard/src/samples/client-calls.ts";
import { writeSample } from "../apps/dashboard/src/samples/write-sample.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { runOrFail } from "../packages/sdk/src/testing/run-program.ts";
import { builtPackage, installOffline } from "./conformance/built-packages.ts";
import { buildProgram, whySkipped as whyGoIsSkipped } from "./go/prepare.ts";
import { buildJar, compileWith, jdkProgram, whySkipped as whyJavaIsSkipped } from "./java/prepare.ts";
import { installPackage as installPhp, php, whySkipped as whyPhpIsSkipped } from "./php/prepare.ts";
import { installPackage as installPython, python, whySkipped as whyPythonIsSkipped } from "./python/prepare.ts";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "..", "docs", "openapi.json"), "utf8")) as OpenApi;
const names = Object.keys(clientCalls);
let service: TestService;
let key: string;
let sessionId: string;

before(async () => {
  service = await startService();
  key = /assay_test_[0-9A-Za-z]+/.exec(service.logs())![0];
  const body = JSON.stringify({ session_data: { user_engagement: 0.5, session_duration: 60 } });
  const answer = await fetch(`${service.url}/api/ml/predict`, { method: "POST", headers: { "x-api-key": key, "content-type": "application/json" }, body });
  sessionId = ((await answer.json()) as { session_id: string }).session_id;
});
after(() => service?.stop());

/** As on the page, but for ids that exist. */
function sampleOf(language: ClientLanguage, operationId: string): string {
  const call = sampleCallOf(routesOf(document).find(({ operation }) => operation.operationId === operationId)!);
  const month = new Date().toISOString().slice(0, 7);
  return writeSample(language, { ...call, path: { ...call.path, ...("session_id" in call.path && { session_id: sessionId }), ...("month" in call.path && { month }) } }, { address: service.url });
}

/** An account without a billed call has no entry to prove. What a webhook's sample gets here is not signed. */
function checkOutcomes(printed: string): void {
  const outcomes = Object.fromEntries(printed.trim().split("\n").map((line) => line.split(" ") as [string, string]));
  assert.deepEqual(outcomes, { ...Object.fromEntries(names.map((name) => [name, "ok"])), ledgerProof: "not_found", webhook: "missing_header" });
}

const environment = () => ({ PATH: process.env.PATH, ASSAY_API_KEY: key, WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}` });
const write = (folder: string, file: string, text: string): string => {
  writeFileSync(join(folder, file), text);
  return join(folder, file);
};

describe("the samples of the reference", () => {
  it("work in TypeScript", async () => {
    const folder = makeTestFolder();
    write(folder, "package.json", '{ "private": true, "type": "module" }\n');
    await installOffline(folder, builtPackage("assay-sdk-0.1.0.tgz"));
    for (const name of names) write(folder, `${name}.mjs`, sampleOf("TypeScript", name));
    write(folder, "webhook.mjs", `const request = new Request("http://localhost", { method: "POST", body: "{}" });\n${webhookSamples.TypeScript}`);
    write(folder, "all.mjs", `for (const name of ${JSON.stringify([...names, "webhook"])}) console.log(name, await import(\`./\${name}.mjs\`).then(() => "ok", (error) => error.code ?? String(error)));`);
    checkOutcomes(await runOrFail(process.execPath, ["all.mjs"], { cwd: folder, env: environment() }));
  });

  it("work in Python", { skip: whyPythonIsSkipped() }, async () => {
    const folder = makeTestFolder();
    const site = await installPython(folder);
    for (const name of names) write(folder, `${name}.py`, sampleOf("Python", name));
    write(folder, "webhook.py", `body, headers = b"{}", {}\n${webhookSamples.Python}`);
    write(folder, "all.py", `for name in ${JSON.stringify([...names, "webhook"])}:\n    try:\n        exec(compile(open(name + ".py").read(), name, "exec"), {})\n        print(name, "ok")\n    except Exception as error:\n        print(name, getattr(error, "code", repr(error)))\n`);
    checkOutcomes(await runOrFail(python, ["-B", "-W", "error::DeprecationWarning", "all.py"], { cwd: folder, env: { ...environment(), PYTHONPATH: site } }));
  });

  it("work in PHP", { skip: whyPhpIsSkipped() }, async () => {
    const folder = makeTestFolder();
    await installPhp(folder);
    for (const name of names) write(folder, `${name}.php`, `<?php\n${sampleOf("PHP", name)}`);
    // On the command line there is no getallheaders.
    write(folder, "webhook.php", `<?php\n${webhookSamples.PHP.replace("getallheaders()", "[]")}`);
    write(folder, "all.php", `<?php require 'vendor/autoload.php';\nforeach (${JSON.stringify([...names, "webhook"])} as $name) {\n try { (function () use ($name) { require "$name.php"; })(); echo "$name ok\\n"; }\n catch (\\Throwable $error) { echo $name, ' ', $error->errorCode ?? $error, "\\n"; }\n}\n`);
    checkOutcomes(await runOrFail(php, ["-d", "error_reporting=-1", "all.php"], { cwd: folder, env: environment() }));
  });

  it("work in Go", { skip: whyGoIsSkipped() }, async () => {
    const folder = makeTestFolder();
    const body = (code: string, result: string) => `${code.replace(/^import .*\n/, "")}\n_ = ${result}\nreturn err\n}`;
    const functions = names.map((name) => `func ${name}(ctx context.Context) error {\n${body(sampleOf("Go", name), clientCalls[name]!.result)}`);
    const webhook = `func webhook(ctx context.Context) error {\nbody, request := []byte("{}"), &http.Request{Header: http.Header{}}\n${body(webhookSamples.Go, "event")}`;
    const calls = [...names, "webhook"].map((name) => `report("${name}", ${name}(context.Background()))`);
    const report = `func report(name string, err error) {\n\tvar failure *assay.Error\n\tvar refusal *assay.WebhookError\n\tswitch {\n\tcase err == nil:\n\t\tfmt.Println(name, "ok")\n\tcase errors.As(err, &failure):\n\t\tfmt.Println(name, failure.Code)\n\tcase errors.As(err, &refusal):\n\t\tfmt.Println(name, refusal.Code)\n\tdefault:\n\t\tfmt.Println(name, err)\n\t}\n}`;
    const source = write(folder, "source.go", ["package main", 'import (\n"context"\n"errors"\n"fmt"\n"net/http"\n"os"\n\nassay "assay.dev/client"\n)', report, ...functions, webhook, `func main() {\n${calls.join("\n")}\n}`].join("\n"));
    checkOutcomes(await runOrFail(await buildProgram(folder, source), [], { cwd: folder, env: environment() }));
  });

  it("work in Java", { skip: whyJavaIsSkipped() }, async () => {
    const folder = makeTestFolder();
    const body = (code: string) => code.replace(/^import .*\n/, "");
    const methods = names.map((name) => `static void ${name}() {\n${body(sampleOf("Java", name))}\n}`);
    const webhook = `static void webhook() {\nbyte[] body = {};\nMap<String, String> headers = Map.of();\n${body(webhookSamples.Java)}\n}`;
    const report = `static void report(String name, Runnable call) {\ntry { call.run(); System.out.println(name + " ok"); }\ncatch (AssayException e) { System.out.println(name + " " + e.getCode()); }\ncatch (WebhookVerificationException e) { System.out.println(name + " " + e.getCode()); }\n}`;
    const calls = [...names, "webhook"].map((name) => `report("${name}", Samples::${name});`);
    mkdirSync(join(folder, "program"));
    const source = write(folder, "program/Samples.java", `import dev.assay.*;\nimport java.util.*;\npublic class Samples {\n${[...methods, webhook, report].join("\n")}\npublic static void main(String[] given) {\n${calls.join("\n")}\n}\n}\n`);
    const classPath = await compileWith(await buildJar(folder), source, folder);
    checkOutcomes(await runOrFail(jdkProgram("java"), ["-cp", classPath, "Samples"], { cwd: folder, env: environment() }));
  });
});
