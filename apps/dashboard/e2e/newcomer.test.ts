import type { LedgerEntry, LedgerReply } from "@assay/contract/dashboard/ledger.ts";
import { balanceChangeOf, canonicalText } from "@assay/contract/ledger-chain.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { clientPackages } from "@assay/contract/client-packages.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { sqliteFileName } from "../../api/src/store/open-store.ts";
import type { TestService } from "../../api/test/start-service.ts";
import { predict } from "./testing/predict.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";
import { createKey, openPage, signUp } from "./testing/page-actions.ts";

const email = "newcomer@example.com";
/** The page polls once per second, so a call shown by the second poll arrived within two seconds. */
const livePollsMax = 2;
const triesMax = 40;

describe("new developer", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let service: TestService;
  let page: Page;
  let problems: string[];
  let apiKey: string;
  let receipt: string;
  let requestId: string;

  before(async () => {
    dashboard = await openDashboard();
    ({ service } = dashboard);
    ({ page, problems } = await dashboard.visit());
  });
  after(() => dashboard?.close());

  it("sees the price and who pays, and tries the model", async () => {
    await page.goto(service.url);
    assert.match((await page.locator("#price").textContent()) ?? "", /0\.05 USD per call\. Calls are paid from the operator's funds/);
    const gauge = page.getByRole("img", { name: /^Score / });
    const engaged = await gauge.getAttribute("aria-label");
    await page.getByRole("button", { name: "Scraper" }).click();
    const scraper = await gauge.getAttribute("aria-label");
    assert.notEqual(scraper, engaged);
    assert.match(scraper ?? "", /Low trust/);
    await page.getByRole("slider", { name: "Engagement" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("row", { name: /Starter/ }).waitFor();
  });

  it("signs up and is signed in by the link in the local mailbox", async () => {
    await signUp(page, service, email);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("heading", { name: "Getting started" }).waitFor();
  });

  it("generates a key that is shown once", async () => {
    apiKey = await createKey(page, "My server");
    assert.match(apiKey, /^assay_live_[0-9A-Za-z]{38}$/);
    await page.getByRole("row", { name: /My server/ }).waitFor();
    assert.ok(!(await page.content()).includes(apiKey), "the key is no longer on the page");
  });

  it("sends a live call and sees it arrive", async (test) => {
    await openPage(page, "Overview");
    const calls = page.getByTestId("live-calls");
    await calls.filter({ hasText: /^0$/ }).waitFor();
    const answer = await predict(service.url, apiKey);
    assert.equal(answer.status, 200);
    receipt = answer.headers.get("assay-receipt") ?? "";
    requestId = answer.headers.get("x-request-id") ?? "";
    const answeredMs = performance.now();
    let polls = 0;
    page.on("request", (request) => request.url().endsWith("/dashboard/api/live") && (polls += 1));
    await calls.filter({ hasText: /^1$/ }).waitFor();
    test.diagnostic(`shown after ${Math.round(performance.now() - answeredMs)} ms and ${polls} polls`);
    assert.ok(polls <= livePollsMax, `it took ${polls} polls`);
  });

  it("sees a statement that matches the ledger, and verifies the chain in the browser", async () => {
    await openPage(page, "Revenue");
    const statementRow = page.getByTestId("statement").getByRole("row", { name: /predict/ });
    assert.match((await statementRow.textContent()) ?? "", /1 call, \$0\.05 gross, 68%\$0\.034$/);
    const month = new Date().toISOString().slice(0, 7);
    const statement = (await (await page.request.get(`${service.url}/dashboard/api/statements/${month}`)).json()) as StatementReply;
    const ledger = (await (await page.request.get(`${service.url}/dashboard/api/ledger`)).json()) as LedgerReply;
    const balanceMicroUsd = ledger.entries.reduce((sum, entry) => sum + balanceChangeOf(entry), 0);
    assert.equal(Math.round(statement.closing_balance_usd * 1_000_000), balanceMicroUsd);
    assert.equal(ledger.entries.length, statement.entries);
    assert.deepEqual(ledger.entries.map(({ seq, hash }) => `${seq}.${hash}`), [receipt]);
    assert.equal(statement.last_receipt, receipt);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("The chain is intact").waitFor();
    assert.match((await page.getByRole("status").filter({ hasText: "The chain is intact" }).textContent()) ?? "", /1 entry verified in this browser\. Balance: \$0\.034\./);
  });

  it("verifies that the entry is in the signed log, saves the proof, and is told the next time that the log continues", async () => {
    const verdict = page.getByRole("status").filter({ hasText: "The chain is intact" });
    const verify = async () => {
      await page.getByRole("button", { name: "Verify in this browser" }).click();
      await page.getByRole("button", { name: "Verify in this browser" }).and(page.locator(":not([data-loading])")).waitFor();
      return (await verdict.textContent()) ?? "";
    };
    // Entries are logged every ten seconds.
    let text = await verify();
    for (let tries = 0; tries < triesMax && !text.includes("Save the proof"); tries += 1) {
      await sleep(1_000);
      text = await verify();
    }
    assert.match(text, /In the log\. Entry 1 is in the log, at place 1 of 1\./);
    assert.match(text, /Signature\. The checkpoint is signed by the (?:key that the service shows|log's key)\./);
    assert.match(text, /Witnesses\. You know no witness of this log: others may be shown another log\./);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the proof" }).click()]);
    assert.equal(file.suggestedFilename(), "assay-entry-1.tlog-proof");
    const proof = readFileSync(await file.path(), "utf8");
    const answer = await fetch(`${service.url}/api/ledger/proof?seq=1`, { headers: { "x-api-key": apiKey } });
    assert.equal(proof, await answer.text());
    assert.match(await verify(), /Same log as before\. The log continues the one that was seen here last, of 1 entry\./);
  });

  it("is told which step a browser without Ed25519 cannot check; the others are checked", async () => {
    await page.evaluate(() => {
      crypto.subtle.importKey = () => Promise.reject(new DOMException("unknown algorithm", "NotSupportedError"));
    });
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.getByText("this browser or runtime cannot verify Ed25519 signatures").waitFor();
    const text = (await page.getByRole("status").filter({ hasText: "The chain is intact" }).textContent()) ?? "";
    assert.match(text, /In the log\. Entry 1 is in the log, at place 1 of 1\./);
    await page.reload();
  });

  it("is warned in red when somebody rewrites the chain, and gets told what changed [threat: rewritten-chain]", async () => {
    const file = new DatabaseSync(join(service.dataDir, sqliteFileName), { timeout: 10_000 });
    file.exec("DROP TRIGGER ledger_entries_no_update");
    const entry = file.prepare("SELECT * FROM ledger_entries WHERE seq = 1 AND ref LIKE 'sess_%'").get() as unknown as LedgerEntry;
    const forged = { ...entry, ref: `${entry.ref}x` };
    const hash = createHash("sha256").update(canonicalText(forged)).digest("hex");
    const rewriteTo = (ref: string, its: string) => {
      file.prepare("UPDATE ledger_entries SET ref = ?, hash = ? WHERE account_id = ? AND seq = 1").run(ref, its, entry.account_id);
      file.prepare("UPDATE ledger_heads SET hash = ? WHERE account_id = ?").run(its, entry.account_id);
    };
    rewriteTo(forged.ref, hash);
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "The ledger contradicts what this browser knows" });
    await alert.waitFor();
    const text = (await alert.textContent()) ?? "";
    assert.match(text, /Chain\. 1 entry verified in this browser/, "the chain alone is in perfect order");
    assert.match(text, /Same entries as before\. Entry 1 is no longer the one that was in the log before: the chain was rewritten\./);
    const [kept] = await Promise.all([page.waitForEvent("download"), alert.getByRole("button", { name: "Save the proof from before" }).click()]);
    assert.match(readFileSync(await kept.path(), "utf8"), /^c2sp\.org\/tlog-proof@v1\n/);
    rewriteTo(entry.ref, entry.hash);
    file.close();
  });

  it("downloads statements as PDF and CSV", async () => {
    for (const [name, type] of [["PDF", /^application\/pdf/], ["CSV", /^text\/csv/]] as const) {
      const address = await page.getByRole("link", { name, exact: true }).getAttribute("href");
      const answer = await page.request.get(`${service.url}${address}`);
      assert.equal(answer.status(), 200, name);
      assert.match(answer.headers()["content-type"] ?? "", type);
    }
  });

  it("sees the explanation of a score, and reports the outcome", async () => {
    await openPage(page, "Sessions");
    await page.getByRole("table").getByRole("button").first().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("table", { name: "How the score adds up" }).waitFor();
    const full = drawer.getByRole("table", { name: "Every contribution" });
    assert.equal(await full.isVisible(), false, "the full sum is behind a fold");
    await drawer.getByText("The full sum").press("Enter");
    await full.waitFor();
    await drawer.getByRole("button", { name: "Converted" }).click();
    await drawer.getByText(/^Reported /).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: "Converted" }).waitFor();
  });

  it("finds the request in the logs by its ID", async () => {
    await openPage(page, "Logs");
    const row = page.getByRole("row").filter({ hasText: requestId });
    for (let tries = 0; tries < triesMax && (await row.count()) === 0; tries += 1) {
      await page.getByRole("button", { name: "Refresh" }).click();
      await sleep(250);
    }
    assert.match((await row.textContent()) ?? "", /200POST \/api\/ml\/predict/);
  });

  it("sends a request from the playground in test mode, unbilled", async () => {
    await openPage(page, "Playground");
    await page.getByRole("button", { name: "Send request" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.waitFor();
    assert.match((await answer.textContent()) ?? "", /"revenue_attribution": 0,/);
    const ledger = (await (await page.request.get(`${service.url}/dashboard/api/ledger`)).json()) as LedgerReply;
    assert.equal(ledger.head.seq, 1);
  });

  it("finds out how to install a client, in each language, from this installation", async () => {
    await openPage(page, "API Keys");
    const panel = page.getByRole("region", { name: "Install a client" });
    for (const { label, install } of clientPackages.filter(({ runsOn }) => runsOn === "server")) {
      await panel.getByRole("tab", { name: label }).click();
      const code = panel.getByRole("region", { name: `Install the client for ${label}` });
      await code.waitFor();
      assert.equal(await code.textContent(), install(service.url));
    }
    assert.equal((await fetch(new URL(String(await panel.getByRole("link", { name: "clients" }).getAttribute("href")), service.url))).status, 200);
  });

  it("revokes the key, and calls are rejected", async () => {
    await openPage(page, "API Keys");
    await page.getByRole("button", { name: "Actions for My server" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    let status = 200;
    for (let tries = 0; tries < triesMax && status === 200; tries += 1) {
      status = (await predict(service.url, apiKey)).status;
      if (status === 200) await sleep(50);
    }
    assert.equal(status, 401);
  });

  it("saw no console errors and no requests to other origins", () => assert.deepEqual(problems, []));
});
