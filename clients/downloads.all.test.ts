// What docs/integrate.md asks a developer to do, without a checkout: install a client from a running service, and call.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { clientPackages } from "@assay/contract/client-packages.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { runOrFail } from "../packages/sdk/src/testing/run-program.ts";
import { readBlocks, readDocument } from "../scripts/testing/read-document.ts";

const { ASSAY_TEST_PYTHON: python = "/usr/bin/python3", ASSAY_TEST_GO: go = "/usr/bin/go", ASSAY_TEST_PHP: php = "/usr/bin/php", ASSAY_TEST_COMPOSER: composer = "/usr/bin/composer", ASSAY_TEST_JAVAC: javac = "/usr/bin/javac" } = process.env;

/** The compiled standard library is the same in every project, and takes half a minute. */
const goCache = join(import.meta.dirname, "..", "node_modules", ".cache", "go-build");

type Newcomer = {
  id: (typeof clientPackages)[number]["id"];
  /** Of the block in docs/integrate.md. */
  block: string;
  file: string;
  needs: readonly string[];
  /** Commands before the installation: what a project of this language has. */
  project?: string;
  run: string;
};

const newcomers: readonly Newcomer[] = [
  { id: "typescript", block: "js", file: "first.mjs", needs: [], project: "npm init --yes", run: "node first.mjs" },
  { id: "python", block: "python", file: "first.py", needs: [python], project: `${python} -m venv .venv`, run: "python first.py" },
  { id: "go", block: "go", file: "first.go", needs: [go], project: "go mod init example.com/first", run: "go run first.go" },
  // Composer refuses plain HTTP, which only a test on one machine uses.
  { id: "php", block: "php", file: "first.php", needs: [php, composer], project: `composer init --no-interaction --name first/first && composer config secure-http false`, run: "php first.php" },
  { id: "java", block: "java", file: "First.java", needs: [javac], run: "java -cp assay-client-0.1.0.jar First.java" },
];

describe("the clients that an installation serves", () => {
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

  it("no browser guesses the kind of a file, and no shared cache keeps a list that names the asker's address", async () => {
    const listed = await fetch(`${service.url}/clients/php/packages.json`);
    assert.equal(listed.headers.get("x-content-type-options"), "nosniff");
    assert.equal(listed.headers.get("cache-control"), "private, no-cache");
    assert.match(await listed.text(), new RegExp(service.url.replaceAll(".", String.raw`\.`)));
    const source = await fetch(`${service.url}/clients/`);
    assert.equal(source.headers.get("x-content-type-options"), "nosniff");
  });

  for (const { id, block, file, needs, project = "true", run } of newcomers) {
    const missing = needs.find((program) => !existsSync(program));
    it(`${id}: docs/integrate.md's first call works in an empty project`, { skip: missing && `${missing} is not installed` }, async () => {
      const folder = makeTestFolder();
      const program = readBlocks(readDocument("docs/integrate.md")).find(({ language, text }) => language === block && /predict/i.test(text));
      writeFileSync(join(folder, file), program!.text);
      const { install } = clientPackages.find((each) => each.id === id)!;
      const path = [join(folder, ".venv", "bin"), dirname(process.execPath), ...needs.map((each) => dirname(each)), process.env.PATH].join(":");
      const env = {
        PATH: path,
        HOME: folder,
        ASSAY_URL: service.url,
        ASSAY_API_KEY: testKey,
        // Nothing but the installation may be asked.
        GOFLAGS: "-mod=mod -modcacherw",
        GOCACHE: goCache,
        npm_config_registry: "http://127.0.0.1:1",
        npm_config_update_notifier: "false",
        PIP_INDEX_URL: "http://127.0.0.1:1",
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
        COMPOSER_ALLOW_SUPERUSER: "1",
        COMPOSER_DISABLE_NETWORK: "0",
      };
      const script = ["set -e", project, install(service.url), run].join("\n");
      const printed = await runOrFail("/bin/sh", ["-c", script], { cwd: folder, env });
      assert.match(printed, /^high: 9\d(\.\d)?$/m);
    });
  }

  it("have checksums, and a README each", async () => {
    const sums = (await (await fetch(`${service.url}/clients/SHA256SUMS`)).text()).trim().split("\n").map((line) => line.split("  "));
    assert.deepEqual(new Set(sums.map(([, file]) => file)), new Set(clientPackages.map(({ file }) => file)));
    for (const [sum, file] of sums) {
      const answer = await fetch(`${service.url}/clients/${file}`);
      assert.equal(answer.status, 200, file);
      assert.equal(createHash("sha256").update(Buffer.from(await answer.arrayBuffer())).digest("hex"), sum, file);
    }
    for (const { id } of clientPackages) {
      const answer = await fetch(`${service.url}/clients/${id}.md`);
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "text/plain; charset=utf-8"], id);
      assert.match(await answer.text(), /^# /);
    }
  });

  it("are listed on a page with the address of the installation, and nothing below it leads elsewhere", async () => {
    for (const path of ["/clients", "/clients/"]) {
      const answer = await fetch(service.url + path);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers.get("content-security-policy")), /default-src 'none'/);
      const page = await answer.text();
      for (const { install } of clientPackages) assert.ok(page.includes(install(service.url).split("\n")[0]!), install(service.url));
      assert.doesNotMatch(page, /\{\{|<!-- clients/);
    }
    for (const path of ["/clients/none.zip", "/clients/..%2fmanifest.json", "/clients/%2e%2e/manifest.json", "/clients/php"]) assert.equal((await fetch(service.url + path)).status, 404, path);
  });
});
