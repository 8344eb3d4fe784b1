import type { Page } from "@playwright/test";
import { readMailboxLink } from "../../../api/test/people/read-mailbox-link.ts";
import type { TestService } from "../../../api/test/start-service.ts";

export const password = "a tin whistle in the rain";

/** Opens the printed link to the local mailbox: the browser may read mails from then on. */
export async function unlockMailbox(page: Page, service: TestService): Promise<void> {
  await page.goto(readMailboxLink(service));
  await page.getByRole("heading", { name: "Mailbox", exact: true }).waitFor();
}

/** Signs up with the form and the link from the local mailbox. Ends on the overview, signed in. */
export async function signUp(page: Page, service: TestService, email: string): Promise<void> {
  await unlockMailbox(page, service);
  await page.goto(`${service.url}/dashboard/sign-up`);
  await page.getByLabel("Email address").fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.getByRole("link", { name: "Open the local mailbox" }).click();
  await followNewestMail(page, /verify-email/);
  await page.getByRole("heading", { name: "Confirm your email address" }).waitFor();
  // The field has the focus.
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByText("Your email address is verified").waitFor();
}

/** Opens the newest mail in the mailbox and follows the matching link. */
export async function followNewestMail(page: Page, link: RegExp): Promise<void> {
  await page.getByRole("heading", { name: "Mailbox" }).waitFor();
  await page.getByRole("listitem").first().getByRole("link").click();
  await page.locator("pre a").filter({ hasText: link }).first().click();
}

export async function signIn(page: Page, url: string, credentials: { email: string; password: string }): Promise<void> {
  await page.goto(`${url}/dashboard/sign-in`);
  await page.getByLabel("Email address").fill(credentials.email);
  await page.getByRole("textbox", { name: "Password" }).fill(credentials.password);
  await page.keyboard.press("Enter");
}

/**
 * Confirms the session of an operator who is signed in, as the dialog does it, so that tests about other things are not
 * asked. Nothing for others.
 */
export async function stepUp(page: Page, given: { password: string; code?: string }): Promise<void> {
  await page.evaluate(async (body) => {
    const me = (await (await fetch("/dashboard/api/me")).json()) as { operator: boolean; second_factor_required: boolean };
    if (!me.operator || me.second_factor_required) return;
    const { status } = await fetch("/dashboard/api/auth/step-up", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(`step-up answered ${status}`);
  }, given);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Opens a page from the menu. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Generates a key and returns it. */
export async function createKey(page: Page, name: string): Promise<string> {
  await openPage(page, "API Keys");
  await page.getByRole("button", { name: "Generate new key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Name").press("Enter");
  const key = await dialog.getByTestId("api-key").textContent();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "hidden" });
  return key ?? "";
}
