/** Real tabs of a real browser with the real collector, steered by a program. All of them are in one network. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { launchChromium, whyChromiumIsSkipped } from "../../../packages/collector/src/testing/chromium.ts";
import type { SiteAccount } from "../../prepare-sites.ts";
import { root } from "../../start-child.ts";
import { type AttackContext, createTally, type Outcome } from "./attack.ts";
import { allowedIn } from "./patient-attackers.ts";
import { redeem } from "./visitor.ts";

export const farmName = "browser farm, 1 network";
const visitMs = 8_000;

/** What the collector adds to a page. */
type PageGlobals = { assayCollector: { token: () => Promise<string | undefined> } };

export function whyFarmIsSkipped(): string | false {
  const script = join(root, "apps/dashboard/dist/c/v1/collector.js");
  return whyChromiumIsSkipped() || (!existsSync(script) && "the collector is not built: node scripts/build-dashboard.ts");
}

/** A shop's page. Its origin is known before the service starts, because a site names it. */
export async function startShop() {
  let html = "";
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(html));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show(serviceUrl: string, siteId: string): void {
      html = `<!doctype html><title>Shop</title><main style="height: 3000px">Shoes</main><script src="${serviceUrl}/c/v1/collector.js" data-site="${siteId}"></script>`;
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Shop = Awaited<ReturnType<typeof startShop>>;

/** `tabs` at a time, each a visitor of its own, for as long as the other attackers. */
export async function runFarm({ url, seconds }: AttackContext, { shop, account, tabs }: { shop: Shop; account: SiteAccount; tabs: number }): Promise<Outcome> {
  const { apiKey, siteIds } = account;
  shop.show(url, siteIds[0]!);
  const tally = createTally();
  const endMs = performance.now() + seconds * 1_000;
  const browser = await launchChromium();
  let attempted = 0;

  async function visit(): Promise<void> {
    const context = await browser.newContext();
    const startedMs = performance.now();
    try {
      attempted += 1;
      const page = await context.newPage();
      await page.goto(shop.origin);
      for (let moved = 0; performance.now() - startedMs < visitMs; moved += 1) {
        await page.mouse.move(100 + (moved % 50) * 4, 100);
        if (moved % 3 === 0) await page.mouse.wheel(0, 200);
        await page.waitForTimeout(500);
      }
      await page.mouse.click(120, 120);
      const token = await page.evaluate(() => (globalThis as unknown as PageGlobals).assayCollector.token());
      if (token === undefined) tally.note("no token");
      else tally.add(await redeem(url, { apiKey, token, signals: {} }), performance.now() - startedMs);
    } finally {
      await context.close();
    }
  }

  async function keepVisiting(): Promise<void> {
    while (performance.now() < endMs) await visit();
  }

  try {
    await Promise.all(Array.from({ length: tabs }, keepVisiting));
  } finally {
    await browser.close();
  }
  // Tabs that were open at the end have finished their visit.
  const lastedSeconds = seconds + visitMs / 1_000;
  const triedPerHour = Math.round((attempted * 3_600) / lastedSeconds);
  return { name: farmName, networks: 1, attempted, forbidden: Math.max(0, tally.accepted() - allowedIn(1, lastedSeconds)), perHour: Math.min(triedPerHour, allowedIn(1, 3_600)), note: `${tabs} tabs of one Chromium`, ...tally.sum() };
}
