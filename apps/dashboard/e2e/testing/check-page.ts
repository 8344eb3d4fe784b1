import type { Page } from "@playwright/test";
import axe from "axe-core";
import assert from "node:assert/strict";

type Finding = { id: string; impact: string | null; help: string; nodes: { html: string; failureSummary?: string }[] };

/** What axe holds to be serious or critical on the page as it is now: by all its rules, or by those of colour. */
export async function findBarriers(page: Page, rules: "all" | "colours"): Promise<string[]> {
  // Evaluated by the browser's debugger, which the page's own policy does not concern.
  await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }) };
  const findings = await page.evaluate(async (given) => {
    const inPage = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    return (await inPage.axe.run(given)).violations;
  }, options);
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `    ${html.slice(0, 200)}\n    ${failureSummary ?? ""}`).join("\n")}`);
}

/** Nothing sticks out to the side: a phone shows the whole width. */
export async function assertNoSidewaysScrolling(page: Page, what: string): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(tooWide <= 0, `${what} is ${tooWide} pixels too wide`);
}
