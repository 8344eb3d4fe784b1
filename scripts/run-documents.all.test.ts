// Runs every command of every document but the README's in order, in a folder like a fresh clone, with a running service.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createAccount } from "../apps/api/src/people/create-account.ts";
import type { NpmStart } from "../apps/api/test/faults/rig/npm-start.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeCharge, makeCharger } from "../apps/api/test/make-charge.ts";
import { namePayee, settleDayOf } from "../apps/api/test/money/make-earner.ts";
import { send } from "../apps/api/test/send.ts";
import { listDocuments, readBlocks, readDocument, readInlineCode, readTableRows, root } from "./testing/read-document.ts";
import { isCommand, runDocument } from "./testing/run-document.ts";
import { type Installation, startInstallation } from "./testing/start-installation.ts";

/** Enough to reach the payout minimum, earned in a closed month. */
const earnedCalls = 2_000;
const earnedMsAgo = 90 * 24 * 3_600_000;

/** The account with payable earnings that docs/payouts.md presupposes. */
async function makeEarner(dataDir: string): Promise<void> {
  const nowMs = Date.now() - earnedMsAgo;
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  const outcome = await createAccount(store, { email: "ada@example.com", tier: "Starter", verified: true, operator: false, password: undefined }, nowMs);
  assert.equal(outcome.kind, "created");
  const { id: accountId } = outcome.account;
  const charger = makeCharger(store, { nowMs });
  await Promise.all(Array.from({ length: earnedCalls }, () => charger.charge(makeCharge({ accountId, atMs: nowMs }))));
  await settleDayOf(store, accountId, nowMs);
  await namePayee(store, accountId);
  await store.close();
}

describe("the documents", { concurrency: 2 }, () => {
  const documents = listDocuments().filter((document) => document !== "README.md" && readBlocks(readDocument(document)).some(isCommand));
  let installation: Installation;
  let service: NpmStart;

  before(async () => {
    installation = await startInstallation();
    ({ service } = installation);
    await makeEarner(service.dataDir);
  });
  after(() => service?.kill9());

  for (const document of documents) {
    it(`${document} works from start to end`, async (t) => {
      assert.ok((await runDocument(document, installation.reader, (line) => t.diagnostic(line))) > 0);
    });
  }

  it("list exactly the metrics that the service exposes", async () => {
    const printed = [...(await send(service, "/metrics")).text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const rows = readTableRows(readDocument("docs/operating.md").split("## Metrics")[1]!.split("\n## ")[0]!);
    const listedIn = (some: string[][]) => some.flatMap(([names, type]) => readInlineCode(names!).map((name) => `${name} ${type}`));
    const isConditional = ([, , description]: string[]) => /^(?:PostgreSQL only|with `LOG_WITNESSES`|with `DATABASE_REPORT_URL`):/.test(description!);
    assert.deepEqual(listedIn(rows.filter((row) => !isConditional(row))).toSorted(), printed.toSorted());
    const source = globSync("apps/api/src/operations/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8")).join("");
    for (const metric of listedIn(rows.filter(isConditional))) assert.ok(source.includes(`name: "${metric.split(" ")[0]}"`), metric);
  });

  it("and pages link to paths that the service has", async () => {
    const linksOf = (html: string) => [...html.matchAll(/\b(?:href|src)="(\/[^"#]*)"/g)].map(([, link]) => link!);
    const landing = await send(service, "/");
    const dashboard = globSync("apps/dashboard/src/**/*.tsx", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8")).join("");
    const links = new Set([...linksOf(landing.text), ...linksOf((await send(service, "/model-card")).text), ...linksOf(dashboard)]);
    assert.ok(links.size > 5, [...links].join(" "));
    for (const link of links) {
      const { status } = await send(service, link);
      assert.ok(status < 400, `${link} is ${status}`);
    }
    const shown = JSON.stringify((await send(service, "/openapi.json")).json());
    for (const [, path] of shown.matchAll(/\bSee (\/[a-z/]+)/g)) assert.ok((await send(service, path!)).status < 400, path);
  });
});
