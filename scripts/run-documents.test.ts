// Every document is followed from its first line to its last, in a folder like a fresh clone, with its service running.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createAccount } from "../apps/api/src/people/create-account.ts";
import { npmStart, type NpmStart, onThisNode } from "../apps/api/test/faults/rig/npm-start.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeCharge, makeCharger } from "../apps/api/test/make-charge.ts";
import { send } from "../apps/api/test/send.ts";
import { listDocuments, readBlocks, readDocument, readInlineCode, readTableRows, root } from "./testing/read-document.ts";
import { isCommand, makeCheckout, type Place, placePicture, runDocument } from "./testing/run-document.ts";

/** Enough to reach the least sum that is paid out, earned in a month that is over. */
const earnedCalls = 2_000;
const earnedMsAgo = 90 * 24 * 3_600_000;

/** What docs/payouts.md takes for granted: an account with something to be paid. A month cannot be waited for. */
async function makeEarner(dataDir: string): Promise<void> {
  const nowMs = Date.now() - earnedMsAgo;
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  const outcome = await createAccount(store, { email: "ada@example.com", tier: "Starter", verified: true, operator: false, password: undefined }, nowMs);
  assert.equal(outcome.kind, "created");
  const { id: accountId } = outcome.account;
  const charger = makeCharger(store, { nowMs });
  await Promise.all(Array.from({ length: earnedCalls }, () => charger.charge(makeCharge({ accountId, atMs: nowMs }))));
  const payee = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "bank_transfer" as const, account: "GB00", bank_code: null };
  await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...payee, updated_at: nowMs }).execute();
  await store.close();
}

/** Notes about the past and the data of others: their commands were true when they were written. */
const isFollowed = (document: string): boolean => !document.startsWith("docs/decisions/");

describe("the documents", { concurrency: 2 }, () => {
  const documents = listDocuments().filter((document) => isFollowed(document) && readBlocks(readDocument(document)).some(isCommand));
  let service: NpmStart;
  let place: Place;

  before(async () => {
    service = await npmStart(onThisNode());
    const checkout = makeCheckout();
    placePicture(checkout, "acme/images/spring.png");
    await makeEarner(service.dataDir);
    const environment = { PATH: process.env.PATH, DATA_DIR: service.dataDir, LOG_LEVEL: "warn" };
    place = { checkout, url: service.url, seen: service.logs(), environment };
  });
  after(() => service?.kill9());

  for (const document of documents) {
    it(`${document} works from its first line to its last`, async (t) => {
      const ran = await runDocument(document, place, (line) => t.diagnostic(line));
      assert.ok(ran > 0);
    });
  }

  it("are many, and leave out few commands", (t) => {
    assert.ok(documents.length >= 8, documents.join(", "));
    const left = listDocuments().filter(isFollowed).flatMap((document) => readBlocks(readDocument(document)).filter(({ language, norun }) => language === "sh" && norun !== undefined).map(({ line, norun }) => `${document}:${line} ${norun}`));
    for (const each of left) t.diagnostic(`not run: ${each}`);
    const ran = documents.flatMap((document) => readBlocks(readDocument(document)).filter(isCommand)).length;
    assert.ok(left.length <= ran / 3, `${left.length} blocks are not run, ${ran} are`);
  });

  it("list every metric that the service prints, and no other", async () => {
    const printed = [...(await send(service, "/metrics")).text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const rows = readTableRows(readDocument("docs/operating.md").split("## Metrics")[1]!.split("\n## ")[0]!);
    const listedIn = (some: string[][]) => some.flatMap(([names, type]) => readInlineCode(names!).map((name) => `${name} ${type}`));
    const isOnlyOnPostgres = ([, , tells]: string[]) => tells!.startsWith("PostgreSQL only");
    assert.deepEqual(listedIn(rows.filter((row) => !isOnlyOnPostgres(row))).toSorted(), printed.toSorted());
    const source = globSync("apps/api/src/operations/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8")).join("");
    for (const metric of listedIn(rows.filter(isOnlyOnPostgres))) assert.ok(source.includes(`name: "${metric.split(" ")[0]}"`), metric);
  });

  it("and pages lead to addresses that the service has", async () => {
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
