/** The API reference, much the longest page, with axe: see testing/check-pages.ts. */
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";

const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name }).waitFor();

const reference: readonly PageCase[] = [
  { name: "reference", path: "/docs", ready: heading("API reference") },
  {
    name: "reference-unfolded",
    ready: async (page) => {
      await page.evaluate(() => document.querySelectorAll<HTMLDetailsElement>("main details").forEach((each) => (each.open = true)));
      await page.locator("details.send form").last().waitFor({ state: "attached" });
    },
  },
];

const referenceMenu: PageCase = {
  name: "reference-menu",
  path: "/docs",
  isPhoneOnly: true,
  ready: async (page) => {
    await page.getByText("Contents", { exact: true }).click();
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Ask for an ad" }).waitFor();
  },
};

describe("the API reference is accessible, without console errors or horizontal scrolling", skipWithoutBrowser, () => {
  let dashboard: Dashboard;

  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard?.close());

  const check = async (cases: readonly PageCase[]) => {
    const checker = await openPageChecker(dashboard);
    assert.equal((await checker.check(cases)).join("\n"), "");
    await checker.close();
  };

  it("folded and unfolded, in both themes and at both widths", () => check(reference));
  it("and its menu on a phone", () => check([referenceMenu]));
});
