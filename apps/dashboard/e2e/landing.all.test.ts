/** What the landing page and the frame around all pages do, beyond being shown. */
import { currentModel } from "@assay/scoring/current-model.ts";
import type { Locator } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { describeRaise } from "../src/playground/describe-raise.ts";
import { presets } from "../src/playground/signal-scales.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { credentialsOf, type Dashboard, openDashboard } from "./testing/open-dashboard.ts";

describe("the landing page and the frame", skipWithoutBrowser, () => {
  let dashboard: Dashboard;

  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard?.close());

  it("explains a score by six bars first, then by what would raise it, and by the full sum behind a fold", async () => {
    const { context, page } = await dashboard.visit({ viewport: { width: 360, height: 780 } });
    await page.goto(dashboard.service.url);
    const explanation = page.getByRole("region", { name: "Explanation" });
    const bars = explanation.getByRole("table", { name: "How the score adds up" });
    const signalsOf = (table: Locator) => table.locator("tbody th").allTextContents();
    const pointsOf = async (table: Locator) => (await table.locator("tbody td:last-child").allTextContents()).map((points) => (points === "not sent" ? 0 : Number(points.replace("−", "-"))));
    const scoreOf = async (table: Locator) => Number(await table.locator("tfoot td:last-child").textContent());
    for (const { name, signals } of presets) {
      await page.getByRole("button", { name, exact: true }).click();
      const explained = currentModel.explain(signals);
      const gate = explained.bySignal.some(({ signal, points }) => signal === "plausibility" && points !== 0) ? ["Plausibility gate"] : [];
      assert.deepEqual((await signalsOf(bars)).slice(1), ["Engagement", "Duration", "Scroll depth", "Interactions", "Page views", "Returning visitor", ...gate], name);
      const sum = (await pointsOf(bars)).reduce((total, points) => total + points, 0);
      assert.ok(Math.abs(sum - (await scoreOf(bars))) < 0.05, `${name}: ${sum}`);
      assert.equal(await bars.getByText("not sent").count(), 6 - Object.keys(signals).length);
      const raises = await explanation.getByRole("list", { name: "What would raise it" }).getByRole("listitem").allTextContents();
      assert.deepEqual(raises, explained.wouldRaise.map(describeRaise), name);
      assert.equal(await explanation.getByText("No change of one signal alone").count(), explained.trustLevel !== "high" && raises.length === 0 ? 1 : 0);
      const full = explanation.getByRole("table", { name: "Every contribution" });
      assert.equal(await full.isVisible(), false);
      await explanation.getByText("The full sum").press("Enter");
      await full.waitFor();
      assert.equal(await scoreOf(full), await scoreOf(bars));
      await explanation.getByText("The full sum").press("Enter");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    }
    await context.close();
  });

  it("has pages that can be reached by keyboard from the phone menu, with a skip link to the content", async () => {
    const { context, page } = await dashboard.signInAs(credentialsOf(dashboard.service, "Developer"), { viewport: { width: 375, height: 812 } });
    await page.goto(`${dashboard.service.url}/dashboard/`);
    await page.getByText("Score distribution").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.getByRole("button", { name: "Open menu" }).press("Enter");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Logs" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
    await context.close();
  });

  it("keeps the chosen theme, on the landing page too", async () => {
    const { context, page } = await dashboard.signInAs(credentialsOf(dashboard.service, "Developer"), { colorScheme: "light" });
    const currentScheme = () => page.evaluate(() => document.documentElement.getAttribute("data-mantine-color-scheme"));
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    assert.equal(await currentScheme(), "dark");
    await page.goto(dashboard.service.url);
    assert.equal(await currentScheme(), "dark");
    await context.close();
  });
});
