import { type Browser, chromium, type Page } from "@playwright/test";
import { waitUntil } from "../../../api/test/send.ts";

/** Set by `npm test`. If it is not set, suites that need a browser are skipped. */
const chromiumPath = process.env.ASSAY_TEST_CHROMIUM;

export const skipWithoutBrowser = { skip: chromiumPath === undefined ? "Chromium is not installed" : false };

/** Long enough for busy machines. */
const actionMsMax = 60_000;

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error("ASSAY_TEST_CHROMIUM is not set");
  // The sandbox does not work as root, and only our own pages are opened.
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath: chromiumPath, args });
}

/** Collects console errors and warnings, uncaught exceptions, and requests to other origins. */
export function collectProblems(page: Page, ownOrigin: string): { problems: string[] } {
  const problems: string[] = [];
  page.setDefaultTimeout(actionMsMax);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(ownOrigin) && !request.url().startsWith("data:")) problems.push(`foreign request: ${request.url()}`);
  });
  return { problems };
}

/** Waits for a problem that the test causes, and takes out only that one: the browser may report a refusal after the page has shown it. */
export async function takeProblem(problems: string[], text: string): Promise<void> {
  const find = () => problems.findIndex((problem) => problem.includes(text));
  await waitUntil(() => find() >= 0, `the browser reports "${text}"`);
  problems.splice(find(), 1);
}
