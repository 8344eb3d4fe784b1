/** One path to every page, and one thing that is done on it. The other tests of this folder do the rest. */
import type { Locator, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { credentialsOf, type Dashboard, openDashboard, type Visit } from "./testing/open-dashboard.ts";
import { openPage } from "./testing/page-actions.ts";

const visitorPages = {
  "/": /./,
  "/model-card": "Model card",
  "/clients/": "Clients",
  "/dashboard/sign-up": "Create your account",
  "/dashboard/verify-email?token=abc": "Confirm your email address",
  "/dashboard/confirm-email?token=abc": "Confirm your new email address",
  "/dashboard/forgot-password": "Reset your password",
  "/dashboard/reset-password?token=abc": "Set a new password",
  "/dashboard/check-mail?email=new%40example.com&why=sign-up": "Check your email",
};
const settingsTabs = {
  Model: "scores your sessions",
  Payout: "Payee profile",
  Security: "this browser",
  "Notices by mail": "Security (always on)",
  "Close account": "This cannot be undone",
  Account: "Calls per hour",
};

describe("every page", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let developer: Visit;

  before(async () => {
    dashboard = await openDashboard();
    developer = await dashboard.visit();
  });
  after(() => dashboard?.close());

  /** Follows each link to a page with that title. Returns how many there were. */
  async function followAll(page: Page, links: Locator): Promise<number> {
    const names = await links.allTextContents();
    for (const [index, name] of names.entries()) {
      await links.nth(index).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await page.waitForFunction(() => document.querySelector('main [aria-label="Loading"]') === null);
    }
    return names.length;
  }

  it("that needs no account opens without an error", async () => {
    const { context, page, problems } = await dashboard.visit();
    for (const [path, name] of Object.entries(visitorPages)) {
      await page.goto(`${dashboard.service.url}${path}`);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      assert.deepEqual(problems, [], path);
    }
    await context.close();
  });

  it("of the reference sends a request with a test key", async () => {
    const { context, page, problems } = await dashboard.visit();
    await page.goto(`${dashboard.service.url}/docs`);
    await page.locator("#key").fill(/assay_test_[0-9A-Za-z]+/.exec(dashboard.service.logs())![0]);
    const form = page.locator("#predict details.send");
    await form.locator("summary").click();
    await form.getByRole("button", { name: "Send" }).click();
    await form.locator(".answered").getByText(/^200 OK/).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  it("that needs one redirects to sign-in and back to the requested page", async () => {
    const { page, problems } = developer;
    await page.goto(`${dashboard.service.url}/dashboard/logs?status=4xx`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { email, password } = credentialsOf(dashboard.service, "Developer");
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    assert.match(page.url(), /\/dashboard\/logs\?status=4xx$/);
    // The browser reports the 401 itself.
    assert.deepEqual(problems.filter((problem) => !problem.includes("status of 401")), []);
    problems.length = 0;
  });

  it("of a developer is in the menu and opens without an error, with every tab of the settings", async () => {
    const { page, problems } = developer;
    assert.ok((await followAll(page, page.getByRole("navigation", { name: "Main" }).locator('a[href^="/dashboard/"]'))) >= 11);
    await openPage(page, "Settings");
    for (const [name, text] of Object.entries(settingsTabs)) {
      await page.getByRole("tab", { name, exact: true }).click();
      await page.getByRole("tabpanel").getByText(text).first().waitFor();
    }
    assert.deepEqual(problems, []);
  });

  it("of sites and of webhooks takes a new one", async () => {
    const { page, problems } = developer;
    const dialog = page.getByRole("dialog");
    await openPage(page, "Sites");
    await page.getByRole("button", { name: "Add site" }).click();
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByLabel("Origins").fill("https://shop.example");
    await dialog.getByRole("button", { name: "Add site" }).click();
    await page.getByRole("region", { name: "Snippet for Shop" }).first().waitFor();
    await openPage(page, "Webhooks");
    await page.getByRole("button", { name: "Create endpoint" }).click();
    await dialog.getByLabel("URL").fill(`${dashboard.service.url}/no-receiver`);
    await dialog.getByRole("button", { name: "Create endpoint" }).click();
    assert.match((await dialog.getByTestId("webhook-secret").textContent()) ?? "", /^whsec_/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("region", { name: "Deliveries" }).getByRole("row").nth(1).waitFor();
    assert.deepEqual(problems, []);
  });

  it("of an operator is in the menu and opens without an error", async () => {
    const { page, problems } = await dashboard.signInAs(credentialsOf(dashboard.service, "Operator"));
    assert.ok((await followAll(page, page.getByRole("group", { name: "Operator" }).getByRole("link"))) >= 10);
    assert.deepEqual(problems, []);
  });
});
