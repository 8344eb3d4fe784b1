// Runs every command of the README in order. A newcomer's installation has one operator, and no payouts of others.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { runDocument } from "./testing/run-document.ts";
import { type Installation, startInstallation } from "./testing/start-installation.ts";

let installation: Installation;
before(async () => {
  installation = await startInstallation();
});
after(() => installation?.service.kill9());

it("the README works from start to end", async (t) => {
  assert.ok((await runDocument("README.md", installation.reader, (line) => t.diagnostic(line))) > 0);
});
