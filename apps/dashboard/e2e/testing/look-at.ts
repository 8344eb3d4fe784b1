import type { Browser, BrowserContext, Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assertNoSidewaysScrolling, findBarriers } from "./check-page.ts";
import { watch } from "./open-browser.ts";

/** Of a CI run, and of any other with ASSAY_TEST_PICTURES=1, a picture of every page stays for people to look at; they are not committed. */
const takesPictures = process.env.CI === "true" || process.env.ASSAY_TEST_PICTURES === "1";
const pictures = join(import.meta.dirname, "..", "screenshots");
const phone = { width: 375, height: 812 };
const desk = { width: 1_440, height: 900 };

/** How pages are looked at: the rules of colour need no second width, and dark changes colours and nothing else. */
export const views = {
  phone: { viewport: phone, schemes: ["light"] },
  desk: { viewport: desk, schemes: ["light", "dark"] },
} as const;

export type Look = {
  name: string;
  path: string;
  ready: (page: Page) => Promise<unknown>;
  /** Opens what a page shows only when something on it is used. */
  act?: (page: Page) => Promise<unknown>;
  /** Of some pages the first screen says enough. */
  picture?: "first screen";
};

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // What is still moving would be caught half transparent.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function takePicture(page: Page, look: Look, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${look.name}-${name}.jpg`), type: "jpeg", quality: 70, fullPage: !look.act && !look.picture });
}

/** Opens each page in this view and gives what is wrong with it. */
export async function lookAt(
  browser: Browser,
  looks: readonly Look[],
  { url, view, signedIn }: { url: string; view: keyof typeof views; signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> },
): Promise<string[]> {
  const { viewport, schemes } = views[view];
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
      if (takesPictures) await takePicture(page, look, `${view}-${scheme}`);
      for (const barrier of await findBarriers(page, scheme === "light" ? "all" : "colours")) found.push(`${look.name}, ${scheme}: ${barrier}`);
    }
    for (const problem of problems.splice(0)) found.push(`${look.name}: ${problem}`);
    await assertNoSidewaysScrolling(page, look.name);
  }
  await context.close();
  return found;
}
