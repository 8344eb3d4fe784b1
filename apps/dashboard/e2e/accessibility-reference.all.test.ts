/** The API reference with everything unfolded, much the longest page, with axe: see testing/check-pages.ts. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";

const unfolded: PageCase = {
  name: "reference-unfolded",
  path: "/docs",
  ready: async (page) => {
    await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
    await page.evaluate(() => document.querySelectorAll<HTMLDetailsElement>("main details").forEach((each) => (each.open = true)));
    await page.locator("details.send form").last().waitFor({ state: "attached" });
  },
};

describe("the API reference is accessible, without console errors or horizontal scrolling", skipWithoutBrowser, () => {
  let dashboard: Dashboard;

  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard?.close());

  it("unfolded, in both themes and at both widths", async () => {
    const checker = await openPageChecker(dashboard);
    assert.equal((await checker.check([unfolded])).join("\n"), "");
    await checker.close();
  });
});
