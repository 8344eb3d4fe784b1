import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { waitUntil } from "../../apps/api/test/send.ts";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { type Seen, startScriptedServer, type Step } from "../conformance/scripted-server.ts";
import { buildJar, compileWith, jdkProgram, prepare, unpackSources, whySkipped } from "./prepare.ts";

const verdict: Step = { status: 200, body: { service_score: 78.4, trust_level: "high", confidence: 0.91, of_tomorrow: true }, headers: { "assay-receipt": "1.ab" } };

describe("Java", { skip: whySkipped() }, () => {
  runCorpus("java", () => prepare(makeTestFolder()));

  describe("what the corpus cannot say", () => {
    const folder = makeTestFolder();
    let classPath: string;
    before(async () => {
      classPath = await compileWith(await buildJar(folder), join(import.meta.dirname, "conformance", "Habits.java"), folder);
    });

    async function run(habit: string, steps: readonly Step[], ...more: readonly string[]): Promise<{ lines: string[]; seen: Seen[] }> {
      const server = await startScriptedServer(steps);
      const whenAsked = steps[0] === "silence" ? waitUntil(() => server.seen.length > 0, "the server has a request").then(() => "", () => "") : "";
      try {
        const printed = await runOrFail(jdkProgram("java"), ["-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-cp", classPath, "Habits", server.url, habit, ...more], { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" }, input: whenAsked });
        return { lines: printed.trimEnd().split("\n"), seen: server.seen };
      } finally {
        await server.close();
      }
    }

    it("the key is in nothing that the client prints, not even in stack traces", async () => {
      const { lines } = await run("print", ["silence"]);
      assert.match(lines.join("\n"), /Assay\[http.*AssayException: No complete answer within 300 ms.*apiKey must be/s);
      assert.doesNotMatch(lines.join("\n"), /SECRET/);
    });

    it("JSON is read and written as everywhere else", async () => {
      const numbers = ["0", "-0.5", "1e3", "12.50", "123456789012345678", "01", "1.", ".5", "+1", "-", "1e", "NaN", "0x1", "--1"];
      const texts = ['"é ✓ 😀"', '"\\u00e9\\n\\/\\\\"', '"\\x"', '"\\u12g4"', '"a\nb"', '"open', "'a'", "\"\\u0001\"", "\"\u2028\""];
      const others = [' { "a" : [ 1 , { } ] , "b" : null } ', "{}x", "{} {}", "[1,]", "[,1]", '{"a":1,}', "{a:1}", '{"a" 1}', '{"a":1 "b":2}', "[1 2]", "tru", "nulll", "", " ", "[", "}", "[".repeat(600) + "]".repeat(600), '{"a":1,"a":2}'];
      const all = [...numbers, ...texts, ...others];
      const { lines } = await run("json", [], JSON.stringify(all));
      const rewrite = (text: string) => {
        try {
          // Java's limit on nesting aside.
          return text.startsWith("[[") ? "refused" : JSON.stringify(JSON.parse(text));
        } catch {
          return "refused";
        }
      };
      // Whole numbers stay exact in Java where JavaScript rounds them.
      assert.deepEqual(lines, all.map((text) => (text === "123456789012345678" ? text : rewrite(text))));
    });

    it("the README's programs compile", async () => {
      const [use, webhooks, proofs, ...more] = [...readFileSync(join(import.meta.dirname, "README.md"), "utf8").matchAll(/^```java.*\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
      assert.deepEqual(more, []);
      const statements = `${use!.replace(/^import .*\n/m, "")}${proofs}`;
      const receiver = `void receive(byte[] body, com.sun.net.httpserver.HttpExchange exchange) throws java.io.IOException {\n${webhooks}}\n`;
      writeFileSync(join(folder, "Readme.java"), `import dev.assay.*;\nimport java.util.List;\n\nclass Readme {\nvoid use() {\n${statements}}\n${receiver}}\n`);
      await compileWith(join(folder, "assay-client-0.1.0.jar"), join(folder, "Readme.java"), folder);
    });

    it("getters have the types of the contract, and answers cannot be changed", async () => {
      const { lines, seen } = await run("getters", [verdict]);
      assert.deepEqual(lines, ["78.4 high [] 1.ab true", "true", "true", "true 78.4"]);
      assert.equal(seen[0]?.headers["idempotency-key"], "order-17");
      assert.equal(seen[2]?.body, '{"format":"native","user_context":{"app_category":"shopping"}}');
    });

    it("interrupting the thread ends a call, which no fallback hides", async () => {
      const { lines, seen } = await run("interrupt", ["silence"]);
      assert.deepEqual([lines, seen.length], [["true true"], 1]);
    });

    it("cancelling a future interrupts its call", async () => {
      const refused = { status: 401, body: { error: "invalid_api_key" } };
      assert.deepEqual((await run("async", ["silence", verdict, refused])).lines, ["78.4", "invalid_api_key"]);
    });

    it("an HttpClient of the caller's is used, unless it follows redirects", async () => {
      assert.deepEqual((await run("own-client", [{ status: 200, body: { some: "body" } }])).lines, ["body"]);
      assert.match((await run("redirects", [])).lines.join(), /IllegalArgumentException: httpClient must not follow redirects/);
    });
  });

  it("everything public is documented", async () => {
    const folder = makeTestFolder();
    const sources = unpackSources(folder);
    await runOrFail(jdkProgram("javadoc"), ["-quiet", "-encoding", "UTF-8", "-Xdoclint:all", "-Werror", "--release", "11", "-d", "javadoc", ...sources], { cwd: folder, env: { PATH: process.env.PATH } });
  });

  it("the description has what Maven Central demands", () => {
    const pom = readFileSync(join(import.meta.dirname, "pom.xml"), "utf8");
    for (const element of ["groupId", "artifactId", "version", "name", "description", "url", "licenses", "developers", "scm"]) assert.match(pom, new RegExp(`^ {2}<${element}>`, "m"), element);
    const version = /^ {2}<version>(.*)<\/version>$/m.exec(pom)?.[1];
    assert.match(readFileSync(join(import.meta.dirname, "src/main/java/dev/assay/Assay.java"), "utf8"), new RegExp(`VERSION = "${version}"`));
  });
});
