import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeAccount } from "../apps/api/src/testing/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/src/testing/start-service.ts";
import { runOrFail } from "../packages/sdk/src/testing/run-program.ts";
import { findBrokenPromise, readBlocks } from "./testing/read-guide.ts";

const root = join(import.meta.dirname, "..");
const guide = join(root, "docs", "integrate.md");

describe("docs/integrate.md", () => {
  const project = makeTestFolder();
  let service: TestService;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    service = await startService();
    const { testKey } = await makeAccount({ dataDir: service.dataDir, databaseUrl: undefined });
    const npm = { npm_config_cache: join(project, ".npm"), npm_config_offline: "true", npm_config_update_notifier: "false" };
    environment = { PATH: process.env.PATH, HOME: project, ...npm, PROJECT: project, ASSAY_URL: service.url, ASSAY_API_KEY: testKey };
  });
  after(() => service.stop());

  it("asks for the settings that its commands use, and marks every command to be run", () => {
    const blocks = readBlocks(guide);
    const settings = blocks.filter(({ words }) => words.includes("settings")).flatMap(({ text }) => [...text.matchAll(/^export (\w+)=/gm)].map(([, name]) => name));
    assert.deepEqual(settings, ["ASSAY_URL", "ASSAY_API_KEY"]);
    const unmarked = blocks.filter(({ language, words }) => language === "sh" && !words.includes("run") && !words.includes("settings"));
    assert.deepEqual(unmarked, []);
  });

  it("works from its first line to its last", async (t) => {
    let printed = "";
    let ran = 0;
    for (const block of readBlocks(guide)) {
      const file = block.words.find((word) => word.startsWith("file="))?.slice("file=".length);
      if (file) writeFileSync(join(project, file), block.text);
      if (block.words.includes("run")) {
        printed = await runOrFail("/bin/sh", ["-euc", block.text], { cwd: block.words.includes("in-checkout") ? root : project, env: environment });
        ran += 1;
        t.diagnostic(`${block.text.split("\n")[0]} → ${printed.trim().slice(0, 100)}`);
        if (block.text.includes("first.mjs")) assert.match(printed, /^high: \d/);
        if (block.text.includes("/api/usage")) assert.equal((JSON.parse(printed) as { calls: number }).calls, 0, "a test key's calls are free");
      }
      if (block.words.includes("answer")) assert.equal(findBrokenPromise(block, printed), undefined);
    }
    assert.ok(ran >= 8, `only ${ran} commands were run`);
  });
});
