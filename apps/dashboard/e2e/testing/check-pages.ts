import type { Browser, BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { collectProblems } from "./open-browser.ts";

/** Then a screenshot of every page is written. Screenshots are not committed. */
const takesScreenshots = process.env.ASSAY_TEST_PICTURES === "1";
const screenshots = join(import.meta.dirname, "..", "screenshots");
/** In an order in which neighbours differ in one thing only. */
const views = [
  { name: "phone-light", viewport: { width: 375, height: 812 }, colorScheme: "light" },
  { name: "phone-dark", viewport: { width: 375, height: 812 }, colorScheme: "dark" },
  { name: "desktop-dark", viewport: { width: 1_440, height: 900 }, colorScheme: "dark" },
  { name: "desktop-light", viewport: { width: 1_440, height: 900 }, colorScheme: "light" },
] as const;
type View = (typeof views)[number];

/**
 * Every page is examined at both widths and in both themes, half of the pages in one pair of views and half in the other:
 * what they share is so examined in all four.
 */
const isExamined = (view: View, index: number): boolean => ["phone-light", "desktop-dark"].includes(view.name) === (index % 2 === 0);

export type PageCase = {
  name: string;
  /** Without one, the case continues on the page of the case before. */
  path?: string;
  /** Waits until everything is shown, after an interaction such as opening a dialog. */
  ready: (page: Page) => Promise<unknown>;
  /** Without this the screenshot covers the whole page. */
  screenshot?: "first screen";
  /** A page without scripts. */
  isPlain?: boolean;
};

type Finding = { id: string; impact: string | null; help: string; nodes: { html: string; failureSummary?: string }[] };

/** What axe reports as serious or critical, by all its rules. */
async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated through the debugger, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const findings = await page.evaluate(async () => {
    const inPage = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    return (await inPage.axe.run({ resultTypes: ["violations"] })).violations;
  });
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `    ${html.slice(0, 200)}\n    ${failureSummary ?? ""}`).join("\n")}`);
}

async function findOverflow(page: Page): Promise<string[]> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return overflowPx > 0 ? [`${overflowPx} pixels too wide`] : [];
}

async function show(page: Page, { viewport, colorScheme }: View): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

async function settle(page: Page, { viewport, colorScheme }: View, { isPlain = false }: PageCase): Promise<void> {
  if (!isPlain) await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: "attached" });
  await page.waitForFunction((width) => globalThis.innerWidth === width, viewport.width);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Charts measure themselves in one frame and draw in the next.
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    // Running animations would be caught half transparent.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function takeScreenshot(page: Page, pageCase: PageCase, view: View): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${pageCase.name}-${view.name}.jpg`), type: "jpeg", quality: 70, fullPage: pageCase.path !== undefined && !pageCase.screenshot });
}

/**
 * Checks each page in every view and returns the problems found; see `isExamined` for accessibility. A page is loaded once, in the view in which the page
 * before it was checked last, so some are loaded on a phone and some on a desktop.
 */
export async function checkPages(
  browser: Browser,
  cases: readonly PageCase[],
  { url, storageState }: { url: string; storageState: Awaited<ReturnType<BrowserContext["storageState"]>> },
): Promise<string[]> {
  const context = await browser.newContext({ viewport: views[0].viewport, colorScheme: views[0].colorScheme, reducedMotion: "reduce", storageState });
  const page = await context.newPage();
  const { problems } = collectProblems(page, url);
  const found: string[] = [];
  for (const [index, pageCase] of cases.entries()) {
    if (pageCase.path !== undefined) await page.goto(`${url}${pageCase.path}`);
    await pageCase.ready(page);
    for (const view of index % 2 === 0 ? views : views.toReversed()) {
      await show(page, view);
      await settle(page, view, pageCase);
      if (takesScreenshots) await takeScreenshot(page, pageCase, view);
      const inaccessible = isExamined(view, index) ? await findAccessibilityProblems(page) : [];
      const seen = [...inaccessible, ...(await findOverflow(page)), ...problems.splice(0)];
      found.push(...seen.map((problem) => `${pageCase.name}, ${view.name}: ${problem}`));
    }
  }
  await context.close();
  return found;
}
