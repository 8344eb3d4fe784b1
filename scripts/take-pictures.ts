// Takes the screenshots for the documents, with a service filled by `assay demo` and a real Chromium.
//   node scripts/take-pictures.ts
// Run it after changing the pages. The demo traffic is random, so figures differ between screenshots.
import type { Page } from "@playwright/test";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { assayOn } from "../apps/api/test/cli/run-assay.ts";
import { startService } from "../apps/api/test/start-service.ts";
import { signIn } from "../apps/dashboard/e2e/testing/page-actions.ts";
import { launchChromium } from "../packages/collector/src/testing/chromium.ts";

const pictureBytesMax = 200 * 1024;
/** Long enough that the current month can be compared with the previous one. */
const demoDays = "75";
const folder = join(dirname(import.meta.dirname), "docs", "pictures");

type Picture = { name: string; path: string; height: number; ready: (page: Page) => Promise<unknown> };

const chart = (page: Page) => page.locator(".recharts-bar-rectangle").first().waitFor({ state: "attached" });

/** Completes the checklist of the overview page, which then disappears. */
const payee = { legal_name: "Demo Ltd", address: "1 Example Street", country: "GB", tax_id: null, method: "paypal", account: "demo@example.com", bank_code: null };

const pictures: readonly Picture[] = [
  { name: "dashboard", path: "/dashboard/", height: 860, ready: (page) => page.getByText("Score distribution").waitFor() },
  { name: "revenue", path: "/dashboard/revenue", height: 760, ready: async (page) => Promise.all([chart(page), page.getByText("Balance so far").waitFor()]) },
];

async function takePicture(page: Page, { url, picture }: { url: string; picture: Picture }): Promise<void> {
  const path = join(folder, `${picture.name}.png`);
  await page.setViewportSize({ width: 1_280, height: picture.height });
  await page.goto(url + picture.path);
  await picture.ready(page);
  await page.evaluate("document.fonts.ready.then(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))");
  await page.screenshot({ path, animations: "disabled" });
  const { size } = statSync(path);
  if (size > pictureBytesMax) throw new Error(`${path} has ${size} bytes, more than ${pictureBytesMax}`);
  console.log(`${path}: ${Math.ceil(size / 1024)} KiB`);
}

mkdirSync(folder, { recursive: true });
const service = await startService();
const browser = await launchChromium();
try {
  const demo = await assayOn({ dataDir: service.dataDir }).json<{ email: string; password: string }>("demo", "--days", demoDays);
  const context = await browser.newContext({ colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await signIn(page, service.url, demo);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const saved = await page.request.put(`${service.url}/dashboard/api/payee`, { data: { ...payee, password: demo.password }, headers: { origin: service.url } });
  if (!saved.ok()) throw new Error(`the payee profile was refused: ${await saved.text()}`);
  for (const picture of pictures) await takePicture(page, { url: service.url, picture });
} finally {
  await browser.close();
  await service.stop();
}
