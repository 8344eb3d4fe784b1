import type { Page } from "@playwright/test";
import axe from "axe-core";
import { collectProblems } from "./open-browser.ts";
import { findUnreachableControls } from "./find-unreachable-controls.ts";
import type { Credentials, Dashboard } from "./open-dashboard.ts";
import { password } from "./page-actions.ts";

const widths = { phone: { width: 375, height: 812 }, desktop: { width: 1_440, height: 900 } } as const;
/** All of axe's rules, or those that depend on colours alone, or on what fits. */
const rules = { all: undefined, colours: ["color-contrast", "link-in-text-block"], layout: ["scrollable-region-focusable"] } as const;
type View = { width: keyof typeof widths; colorScheme: "light" | "dark"; examined: keyof typeof rules };

/**
 * axe examines a page at one width: the desktop's, which shows all that a phone shows and more. The other theme has other
 * colours. What is different on a phone is the layout, which is measured. In an order in which neighbours differ in one
 * thing only.
 */
const views: readonly View[] = [
  { width: "desktop", colorScheme: "light", examined: "all" },
  { width: "desktop", colorScheme: "dark", examined: "colours" },
  { width: "phone", colorScheme: "dark", examined: "layout" },
];
const phoneViews: readonly View[] = [
  { width: "phone", colorScheme: "dark", examined: "all" },
  { width: "phone", colorScheme: "light", examined: "colours" },
];

export type PageCase = {
  name: string;
  /** Without one, the case continues on the page of the case before. */
  path?: string;
  /** Waits until everything is shown, after an interaction such as opening a dialog. */
  ready: (page: Page) => Promise<unknown>;
  /** A page without scripts. */
  isPlain?: boolean;
  /** A menu, which only phones show: examined there. */
  isPhoneOnly?: boolean;
};

type Finding = { id: string; impact: string | null; help: string; nodes: { html: string; failureSummary?: string }[] };

/** What axe reports as serious or critical. */
async function findAccessibilityProblems(page: Page, examined: View["examined"]): Promise<string[]> {
  // Evaluated through the debugger, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const findings = await page.evaluate(async (only) => {
    const inPage = globalThis as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    return (await inPage.axe.run({ resultTypes: ["violations"], ...(only !== undefined && { runOnly: { type: "rule", values: only } }) })).violations;
  }, rules[examined]);
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `    ${html.slice(0, 200)}\n    ${failureSummary ?? ""}`).join("\n")}`);
}

async function findOverflow(page: Page): Promise<string[]> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return overflowPx > 0 ? [`${overflowPx} pixels too wide`] : [];
}

async function show(page: Page, { width, colorScheme }: View, { isPlain = false }: PageCase): Promise<void> {
  await page.setViewportSize(widths[width]);
  await page.emulateMedia({ colorScheme });
  if (!isPlain) await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: "attached" });
  await page.waitForFunction((expected) => globalThis.innerWidth === expected, widths[width].width);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Charts measure themselves in one frame and draw in the next.
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    // Running animations would be caught half transparent.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

async function examine(page: Page, { width, examined }: View, { isPhoneOnly = false }: PageCase): Promise<string[]> {
  const inaccessible = await findAccessibilityProblems(page, examined);
  const unreachable = width === "phone" ? await page.evaluate(findUnreachableControls, isPhoneOnly) : [];
  return [...inaccessible, ...(await findOverflow(page)), ...unreachable];
}

/** One window that is shown to everybody in turn: what it has loaded once it keeps. */
export type PageChecker = {
  /** Signs in as somebody else. */
  become(who: string | Credentials): Promise<void>;
  /** Checks each page and returns the problems found. Every second page is loaded on a phone. */
  check(cases: readonly PageCase[]): Promise<string[]>;
  close(): Promise<void>;
};

export async function openPageChecker({ browser, service }: Dashboard): Promise<PageChecker> {
  const context = await browser.newContext({ viewport: widths.desktop, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const { problems } = collectProblems(page, service.url);

  return {
    async become(who) {
      // A page of somebody who is no longer signed in would say so.
      await page.goto("about:blank");
      await context.clearCookies();
      const data = typeof who === "string" ? { email: who, password } : who;
      const answer = await context.request.post(`${service.url}/dashboard/api/auth/sign-in/email`, { data, headers: { origin: service.url } });
      if (answer.status() !== 200) throw new Error(`signing in as ${data.email} failed: ${answer.status()} ${await answer.text()}`);
    },
    async check(cases) {
      const found: string[] = [];
      for (const [index, pageCase] of cases.entries()) {
        if (pageCase.path !== undefined) await page.goto(`${service.url}${pageCase.path}`);
        if (pageCase.isPhoneOnly) await page.setViewportSize(widths.phone);
        await pageCase.ready(page);
        const shown = pageCase.isPhoneOnly ? phoneViews : index % 2 === 0 ? views : views.toReversed();
        for (const view of shown) {
          await show(page, view, pageCase);
          const seen = [...(await examine(page, view, pageCase)), ...problems.splice(0)];
          found.push(...seen.map((problem) => `${pageCase.name}, ${view.width}, ${view.colorScheme}: ${problem}`));
        }
      }
      return found;
    },
    close: () => context.close(),
  };
}
