import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runOrFail, runProgram } from "../../packages/sdk/src/testing/run-program.ts";
import { findOutdatedClientTypes } from "../../scripts/print-client-types.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { installPackage, prepare, python, whySkipped } from "./prepare.ts";

const mypy = process.env.ASSAY_TEST_MYPY ?? "/usr/bin/mypy";
const own = (...names: string[]): string => join(import.meta.dirname, ...names);

describe("Python", { skip: whySkipped() }, () => {
  runCorpus("python", () => prepare(makeTestFolder()));
  describe("on asyncio", () => runCorpus("python", () => prepare(makeTestFolder(), "async")));

  describe("the package", () => {
    const folder = makeTestFolder();
    let env: NodeJS.ProcessEnv;
    before(async () => {
      env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: await installPackage(folder) };
      cpSync(own("tests"), join(folder, "tests"), { recursive: true });
    });

    it("does what the corpus cannot say: tasks, framing, certificates, nothing secret in print", async () => {
      await runOrFail(python, ["-B", "-W", "error::ResourceWarning", "tests/test_client.py"], { cwd: folder, env });
    });

    it("is written in Python 3.9", async () => {
      const program = "import ast, sys; [ast.parse(open(each).read(), each, feature_version=(3, 9)) for each in sys.argv[1:]]";
      const files = globSync(own("src", "**", "*.py"));
      assert.ok(files.length > 5);
      await runOrFail(python, ["-c", program, ...files], { cwd: folder, env });
    });

    it("says its version once: in the metadata, the user agent and __version__", async () => {
      const version = /^version = "(.*)"$/m.exec(readFileSync(own("pyproject.toml"), "utf8"))![1]!;
      const program = "import assay, importlib.metadata as installed; print(assay.__version__, installed.version('assay-client'))";
      assert.equal(await runOrFail(python, ["-c", program], { cwd: folder, env }), `${version} ${version}\n`);
      assert.match(readFileSync(own("CHANGELOG.md"), "utf8"), new RegExp(`^## ${version}$`, "m"));
    });

    it("has the types of the contract", () => assert.deepEqual(findOutdatedClientTypes().filter((path) => path.endsWith(".py")), []));

    describe("with mypy", { skip: existsSync(mypy) ? false : `there is no ${mypy}: install mypy, or set ASSAY_TEST_MYPY` }, () => {
      const check = (...given: string[]) => runProgram(mypy, ["--strict", "--warn-unused-ignores", "--python-version", "3.9", "--cache-dir", join(folder, "cache"), ...given], { cwd: folder, env: { ...env, MYPYPATH: env.PYTHONPATH } });

      it("is strictly typed, for its callers too", async () => {
        const { code, stdout } = await check("-p", "assay");
        assert.equal(code, 0, stdout);
        const callers = await check("tests/typed.py");
        assert.equal(callers.code, 0, callers.stdout);
      });

      it("is shown in the README as it is", async () => {
        const blocks = [...readFileSync(own("README.md"), "utf8").matchAll(/^```python.*\n([\s\S]*?)^```$/gm)];
        assert.equal(blocks.length, 3);
        for (const [index, [, code]] of blocks.entries()) {
          writeFileSync(join(folder, `readme_${index}.py`), code!);
          const { code: exit, stdout } = await check(`readme_${index}.py`);
          assert.equal(exit, 0, stdout);
        }
      });
    });
  });
});
