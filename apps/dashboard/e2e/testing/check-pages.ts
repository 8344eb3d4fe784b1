import type { Browser, BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { collectProblems } from "./open-browser.ts";

/** In CI, or with ASSAY_TEST_PICTURES=1, a screenshot of every page is written. Screenshots are not committed. */
const takesScreenshots = process.env.CI === "true" || process.env.ASSAY_TEST_PICTURES === "1";
const screenshots = join(import.meta.dirname, "..", "screenshots");
const phone = { width: 375, height: 812 };
const desktop = { width: 1_440, height: 900 };

/** Dark is checked at one width only, because it changes nothing but colours. */
const views = {
  phone: { viewport: phone, schemes: ["light"] },
  desktop: { viewport: desktop, schemes: ["light", "dark"] },
} as const;

export type PageCase = {
  name: string;
  path: string;
  ready: (page: Page) => Promise<unknown>;
  /** An interaction before the check, such as opening a dialog. */
  act?: (page: Page) => Promise<unknown>;
  /** The screenshot covers the whole page unless this or `act` is set. */
  screenshot?: "first screen";
};

type Finding = { id: string; impact: string | null; help: string; nodes: { html: string; failureSummary?: string }[] };

/** What axe reports as serious or critical, by all its rules or only by those about colours. */
async function findAccessibilityProblems(page: Page, rules: "all" | "colours"): Promise<string[]> {
  // Evaluated through the debugger, which the page's content security policy does not restrict.
  await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }) };
  const findings = await page.evaluate(async (axeOptions) => {
    const inPage = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    return (await inPage.axe.run(axeOptions)).violations;
  }, options);
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `    ${html.slice(0, 200)}\n    ${failureSummary ?? ""}`).join("\n")}`);
}

async function assertNoHorizontalScroll(page: Page, name: string): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflowPx <= 0, `${name} is ${overflowPx} pixels too wide`);
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Running animations would be caught half transparent.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function takeScreenshot(page: Page, pageCase: PageCase, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${pageCase.name}-${name}.jpg`), type: "jpeg", quality: 70, fullPage: !pageCase.act && !pageCase.screenshot });
}

/** Opens each page in this view and returns the problems found. */
export async function checkPages(
  browser: Browser,
  cases: readonly PageCase[],
  { url, view, storageState }: { url: string; view: keyof typeof views; storageState: Awaited<ReturnType<BrowserContext["storageState"]>> },
): Promise<string[]> {
  const { viewport, schemes } = views[view];
  const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "reduce", storageState });
  const page = await context.newPage();
  const { problems } = collectProblems(page, url);
  const found: string[] = [];
  for (const pageCase of cases) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${url}${pageCase.path}`);
    await pageCase.ready(page);
    await pageCase.act?.(page);
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: "attached" });
      await settle(page);
      if (takesScreenshots) await takeScreenshot(page, pageCase, `${view}-${scheme}`);
      for (const problem of await findAccessibilityProblems(page, scheme === "light" ? "all" : "colours")) found.push(`${pageCase.name}, ${scheme}: ${problem}`);
    }
    for (const problem of problems.splice(0)) found.push(`${pageCase.name}: ${problem}`);
    await assertNoHorizontalScroll(page, pageCase.name);
  }
  await context.close();
  return found;
}
