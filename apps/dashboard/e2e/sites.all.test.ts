import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { skipWithoutBrowser, takeProblem } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard, type Visit } from "./testing/open-dashboard.ts";
import { openPage } from "./testing/page-actions.ts";
import { attestationPeople as people, seedAttestation } from "./testing/seed-attestation.ts";
import { addPerson, makeFilledFolder, operatorEmail } from "./testing/seed-people.ts";

describe("attested sessions on the pages", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let newcomer: Visit;
  let developer: Visit;
  let operator: Visit;

  const siteRow = (page: Page, name: string) => page.getByRole("region", { name: "Sites", exact: true }).getByRole("row").filter({ hasText: name });

  const choose = async (page: Page, name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  before(async () => {
    const { dataDir } = await makeFilledFolder(async (store) => {
      await addPerson(store, { email: operatorEmail });
      await seedAttestation(store);
    });
    dashboard = await openDashboard({ dataDir, env: { UNREVIEWED_MONTHLY_USD: "1" } });
    newcomer = await dashboard.signInAs(people.newcomer, { permissions: ["clipboard-read", "clipboard-write"] });
    developer = await dashboard.signInAs(people.attested);
    operator = await dashboard.signInAs(operatorEmail);
  });
  after(() => dashboard?.close());

  it("a developer reads what a site is for, adds one after a refused origin, and copies its snippet", async () => {
    const { page, problems } = newcomer;
    await page.bringToFront();
    await openPage(page, "Sites");
    await page.getByText("No sites yet").waitFor();
    await page.getByText("calls without it earn the same", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Add site" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByLabel("Origins").fill("https://shop.example\n\n  http://shop.example/");
    await dialog.getByRole("button", { name: "Add site" }).click();
    await dialog.getByText("http://shop.example/ must start with https://", { exact: false }).waitFor();
    assert.equal(await dialog.getByLabel("Origins").getAttribute("aria-invalid"), "true");
    await takeProblem(problems, "status of 400");
    await dialog.getByLabel("Origins").fill("https://shop.example\nhttps://WWW.shop.example:8443/");
    await dialog.getByRole("button", { name: "Add site" }).click();
    await dialog.waitFor({ state: "hidden" });
    const row = siteRow(page, "Shop");
    await page.getByRole("row", { name: /^Shop site_.* https:\/\/shop\.example https:\/\/www\.shop\.example:8443 never 0\s*0 refused no calls/ }).waitFor();
    const siteId = (await row.locator("code").first().textContent()) ?? "";
    const snippet = page.getByRole("region", { name: "Snippet for Shop" }).first();
    await snippet.getByRole("button", { name: "Copy" }).first().click();
    await snippet.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `<script src="${dashboard.service.url}/c/v1/collector.js" data-site="${siteId}" data-endpoint="/signals" defer></script>`);
    assert.match(siteId, /^site_[0-9A-Za-z]{20}$/);
    await page.getByText("If your pages have a content security policy").click();
    await page.getByText(`script-src ${dashboard.service.url}; connect-src ${dashboard.service.url}`).waitFor();
    assert.deepEqual(problems, []);
  });

  it("a site's name and origins are changed, and another site has a snippet of its own", async () => {
    const { page, problems } = newcomer;
    await page.bringToFront();
    await choose(page, "Shop", "Edit name and origins");
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByLabel("Origins").inputValue(), "https://shop.example\nhttps://www.shop.example:8443");
    await dialog.getByLabel("Name").fill("Store");
    await dialog.getByLabel("Origins").fill("https://store.example");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await page.getByRole("row", { name: /^Store site_.* https:\/\/store\.example never/ }).waitFor();
    assert.equal(await page.getByText("shop.example").count(), 0);
    await page.getByRole("button", { name: "Add site" }).click();
    await dialog.getByLabel("Name").fill("Local");
    await dialog.getByLabel("Origins").fill("http://localhost:3000");
    await dialog.getByRole("button", { name: "Add site" }).click();
    const localId = (await siteRow(page, "Local").locator("code").first().textContent()) ?? "";
    await page.getByRole("region", { name: "Snippet for Local" }).first().getByText(localId).waitFor();
    await page.getByLabel("Site of the snippet").selectOption("Store");
    await page.getByRole("region", { name: "Snippet for Store" }).first().waitFor();
    assert.equal(await page.getByRole("region", { name: "Snippet for Store" }).first().getByText(localId).count(), 0);
    assert.deepEqual(problems, []);
  });

  it("the attested share is on the overview and on the page of sites, by site and in all", async () => {
    const { page, problems } = developer;
    await page.bringToFront();
    const strip = page.getByRole("region", { name: "Attested calls" });
    await strip.getByText("80% of 30 calls in 30 days").waitFor();
    await strip.getByRole("link", { name: "Sites" }).click();
    await page.getByRole("heading", { level: 1, name: "Sites" }).waitFor();
    await page.getByText("24 of 30 billed calls in 30 days").waitFor();
    await siteRow(page, "Shop").getByText("92.3%").waitFor();
    await siteRow(page, "Shop").getByText("1,286 refused").last().waitFor();
    await siteRow(page, "Blog").getByText("no calls").waitFor();
    assert.equal(await siteRow(page, "Store").count(), 0, "another account's site");
    await newcomer.page.bringToFront();
    await openPage(newcomer.page, "Overview");
    await newcomer.page.getByText("Score distribution").waitFor();
    assert.equal(await newcomer.page.getByRole("region", { name: "Attested calls" }).count(), 0, "no calls, no share");
    assert.deepEqual(problems, []);
  });

  it("a session says which of its signals were attested, and what is to be known of its token", async () => {
    const { page, problems } = developer;
    await page.bringToFront();
    await openPage(page, "Sessions");
    const rows = page.getByRole("region", { name: "Sessions" }).getByRole("row");
    await rows.filter({ hasText: "asserted · crowded network" }).waitFor();
    assert.equal(await rows.filter({ hasText: /attested/ }).count(), 24);
    await rows.filter({ hasText: "attested · late beats, proxied" }).getByRole("button").click();
    const told = page.getByRole("dialog").getByRole("region", { name: "Attestation" });
    await told.getByText("Attested: engagement, duration").waitFor();
    await told.getByText("The page reported late").waitFor();
    await told.getByText("came through a server").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await rows.filter({ hasText: "asserted · token used" }).getByRole("button").click();
    await told.getByText("Asserted: the signals count as your word.").waitFor();
    await told.getByText("used for an attested call before").waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual(problems, []);
  });

  it("the operator sees the share in the queue of reviews, and the share and the networks on the account's page", async () => {
    const { page, problems } = operator;
    await page.bringToFront();
    await openPage(page, "Reviews");
    const waiting = page.getByRole("article", { name: people.attested });
    await waiting.getByText("80%").waitFor();
    await waiting.getByText("Few networks").waitFor();
    await waiting.getByRole("link", { name: people.attested }).click();
    const panel = page.getByRole("region", { name: "Attested calls" });
    await panel.getByText("80%").waitFor();
    await panel.getByText("at least 17 on the day with most").waitFor();
    await panel.getByText("up to 25%").waitFor();
    await page.getByText("62% of 480 attested calls came from one network.").waitFor();
    await page.goto(`${dashboard.service.url}/dashboard/operator/accounts`);
    await page.getByRole("link", { name: people.newcomer }).click();
    await page.getByRole("tab", { name: "Integrity" }).click();
    await panel.getByText("no calls").waitFor();
    assert.equal(await panel.getByText("Networks", { exact: true }).count(), 0);
    assert.deepEqual(problems, []);
  });

  it("the operator makes a campaign for attested sessions only, and opens it to any session again", async () => {
    const { page, problems } = operator;
    await page.bringToFront();
    await openPage(page, "Campaigns");
    await page.getByRole("button", { name: "Create campaign" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Advertiser name").fill("Acme");
    await dialog.getByLabel("Name", { exact: true }).fill("Spring");
    await dialog.getByLabel("Budget (USD)").fill("10");
    await dialog.getByLabel("Bid per click (USD)").fill("0.25");
    assert.equal(await dialog.getByLabel("Attestation").inputValue(), "");
    await dialog.getByLabel("Attestation").selectOption("Attested sessions only");
    await dialog.getByRole("button", { name: "Create draft" }).click();
    await page.getByText("attested sessions only", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Attestation").selectOption("Any session");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("any session", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });

  it("a site is removed after a confirmation, and its snippet goes with it", async () => {
    const { page, problems } = newcomer;
    await page.bringToFront();
    await openPage(page, "Sites");
    await choose(page, "Store", "Remove");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await siteRow(page, "Store").waitFor();
    for (const name of ["Store", "Local"]) {
      await choose(page, name, "Remove");
      await dialog.getByText("This cannot be undone").waitFor();
      await dialog.getByRole("button", { name: "Remove" }).click();
      await dialog.waitFor({ state: "hidden" });
    }
    await page.getByText("No sites yet").waitFor();
    assert.equal(await page.getByText("data-site").count(), 0);
    assert.deepEqual(problems, []);
  });
});
