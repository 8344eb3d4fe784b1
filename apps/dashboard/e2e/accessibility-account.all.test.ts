/** The pages that every developer has, with axe: see testing/check-pages.ts. */
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { developerEmail, type FilledDashboard, openFilledDashboard } from "./testing/open-filled-dashboard.ts";

const text = (content: string | RegExp) => (page: Page) => page.getByText(content).first().waitFor();
const chart = (page: Page) => page.locator(".recharts-bar-rectangle").first().waitFor({ state: "attached" });

const accountPages: readonly PageCase[] = [
  { name: "overview", path: "/dashboard/", ready: text("Score distribution") },
  {
    name: "menu",
    isPhoneOnly: true,
    ready: async (page) => {
      await page.getByRole("button", { name: "Open menu" }).click();
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Logs" }).waitFor();
    },
  },
  { name: "keys", path: "/dashboard/keys", ready: text("First live key") },
  {
    name: "key-dialog",
    ready: async (page) => {
      await page.getByRole("button", { name: "Generate new key" }).click();
      await page.getByRole("dialog").getByLabel("Name").waitFor();
    },
  },
  { name: "usage", path: "/dashboard/usage", ready: chart },
  { name: "revenue", path: "/dashboard/revenue", ready: async (page) => Promise.all([chart(page), text("Balance so far")(page), page.getByRole("region", { name: "Latest ledger entries" }).waitFor()]) },
  { name: "sessions", path: "/dashboard/sessions", ready: (page) => page.getByRole("region", { name: "Sessions" }).waitFor() },
  {
    name: "session-detail",
    ready: async (page) => {
      await page.getByRole("table").getByRole("button").first().click();
      await page.getByText("How the score adds up").waitFor();
    },
  },
  { name: "playground", path: "/dashboard/playground", ready: text("Send request") },
  { name: "logs", path: "/dashboard/logs", ready: text("invalid_request") },
  { name: "settings", path: "/dashboard/settings", ready: text("Calls per hour") },
  { name: "settings-model", path: "/dashboard/settings?part=model", ready: text(/of \d+ live sessions/) },
  { name: "settings-payout", path: "/dashboard/settings?part=payout", ready: text("Payee profile") },
  { name: "settings-security", path: "/dashboard/settings?part=security", ready: text("this browser") },
  { name: "settings-notices", path: "/dashboard/settings?part=notices", ready: text("Security (always on)") },
  { name: "settings-closing", path: "/dashboard/settings?part=closing", ready: text("This cannot be undone") },
  { name: "sites-empty", path: "/dashboard/sites", ready: text("No sites yet") },
];

describe("a developer's account is accessible, without console errors or horizontal scrolling", skipWithoutBrowser, () => {
  let dashboard: FilledDashboard;

  before(async () => {
    dashboard = await openFilledDashboard();
  });
  after(() => dashboard?.close());

  it("in both themes and at both widths", async () => {
    const checker = await openPageChecker(dashboard);
    await checker.become(developerEmail);
    assert.equal((await checker.check(accountPages)).join("\n"), "");
  });
});
