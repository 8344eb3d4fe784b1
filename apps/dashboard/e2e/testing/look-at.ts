import type { Browser, BrowserContext, Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assertNoSidewaysScrolling, findBarriers } from "./check-page.ts";
import { watch } from "./open-browser.ts";

/** What stays of each run for people to look at; not committed. */
const screenshots = join(import.meta.dirname, "..", "screenshots");
const schemes = ["light", "dark"] as const;
const phoneWidthMax = 500;

/** `act` opens what a page shows only when something on it is used. */
export type Look = { name: string; path: string; ready: (page: Page) => Promise<unknown>; act?: (page: Page) => Promise<unknown> };

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // What is still moving would be caught half transparent.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

/** Opens each page at this width, light and dark, keeps a picture of it, and gives what is wrong with it. */
export async function lookAt(
  browser: Browser,
  looks: readonly Look[],
  { url, width, signedIn }: { url: string; width: number; signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> },
): Promise<string[]> {
  mkdirSync(screenshots, { recursive: true });
  const viewport = { width, height: width < phoneWidthMax ? 812 : 900 };
  const context = await browser.newContext({ viewport, colorScheme: "light", reducedMotion: "reduce", storageState: signedIn });
  const page = await context.newPage();
  const { problems } = watch(page, url);
  const found: string[] = [];
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${url}${look.path}`);
    await look.ready(page);
    await look.act?.(page);
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: "attached" });
      await settle(page);
      await page.screenshot({ path: join(screenshots, `${look.name}-${width}-${scheme}.png`), fullPage: !look.act });
      // The other scheme changes colours and nothing else.
      for (const barrier of await findBarriers(page, scheme === "light" ? "all" : "colours")) found.push(`${look.name}, ${scheme}: ${barrier}`);
    }
    for (const problem of problems.splice(0)) found.push(`${look.name}: ${problem}`);
    await assertNoSidewaysScrolling(page, look.name);
  }
  await context.close();
  return found;
}
