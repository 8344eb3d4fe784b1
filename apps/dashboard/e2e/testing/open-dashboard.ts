import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { startService, type TestService, type TestServiceSettings } from "../../../api/test/start-service.ts";
import { requirePages } from "../../../../scripts/dashboard-sources.ts";
import { collectProblems, openBrowser } from "./open-browser.ts";
import { password, signIn, stepUp } from "./page-actions.ts";

export type Credentials = { email: string; password: string };
/** One person's browser window. `problems` is what the page reported so far: see `collectProblems`. */
export type Visit = { context: BrowserContext; page: Page; problems: string[] };
/** One service and one browser, for all the tests of a file. */
export type Dashboard = {
  service: TestService;
  browser: Browser;
  /** Opens a window, not signed in. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a window, signs in with the form, and waits for the overview. An operator's session is confirmed for what moves money, unless the test is about that. An address alone: of an account that a test made. */
  signInAs(who: string | Credentials, options?: BrowserContextOptions & { isSteppedUp?: boolean }): Promise<Visit>;
  close(): Promise<void>;
};

/** Of the accounts that a new service makes. */
export function credentialsOf(service: TestService, role: "Developer" | "Operator"): Credentials {
  const [, email = "", printed = ""] = new RegExp(`${role}\\s+(\\S+)\\s+password (\\S+)`).exec(service.logs()) ?? [];
  return { email, password: printed };
}

export const liveKeyOf = (service: TestService): string => /Live key\s+(\S+)/.exec(service.logs())?.[1] ?? "";

export async function openDashboard(settings: TestServiceSettings = {}): Promise<Dashboard> {
  requirePages();
  const service = await startService(settings);
  const browser = await openBrowser().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });

  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
    const page = await context.newPage();
    return { context, page, problems: collectProblems(page, service.url).problems };
  }

  return {
    service,
    browser,
    visit,
    async signInAs(who, { isSteppedUp = true, ...options } = {}) {
      const visited = await visit(options);
      const credentials = typeof who === "string" ? { email: who, password } : who;
      await signIn(visited.page, service.url, credentials);
      await visited.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      if (isSteppedUp) await stepUp(visited.page, { password: credentials.password });
      return visited;
    },
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}
