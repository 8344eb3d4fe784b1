import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestService } from "../../api/test/start-service.ts";
import { openPageChecker } from "./testing/check-pages.ts";
import { skipWithoutBrowser, takeProblem } from "./testing/open-browser.ts";
import { credentialsOf, type Dashboard, openDashboard } from "./testing/open-dashboard.ts";
import { createKey, followNewestMail, openPage, password, signIn, signOut, signUp } from "./testing/page-actions.ts";
import { codeAt } from "./testing/totp.ts";

/** Until it is changed. */
let email = "careful@example.com";
const newPassword = "seven brass lanterns at sea";
const codeStepMs = 30_000;

const openTab = async (page: Page, name: string) => {
  await openPage(page, "Settings");
  await page.getByRole("tab", { name, exact: true }).click();
};

/** On the Security tab. Returns the recovery codes. */
async function turnOnSecondFactor(page: Page, ownPassword: string, codeOf: (secret: string) => string): Promise<string[]> {
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Password" }).fill(ownPassword);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img", { name: "QR code for the secret" }).waitFor();
  const secret = (await dialog.locator("code").first().textContent()) ?? "";
  const recoveryCodes = await dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents();
  await dialog.getByLabel("I have saved them").check();
  await dialog.getByLabel(/^3\./).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("on", { exact: true }).waitFor();
  return recoveryCodes;
}

describe("account owner", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let service: TestService;
  let page: Page;
  let problems: string[];
  let secret = "";
  let recoveryCodes: string[] = [];
  let lastStep = 0;

  /** A fresh code for each call, because a code works only once. */
  const nextCode = (): string => {
    lastStep = Math.max(lastStep + 1, Math.floor(Date.now() / codeStepMs));
    return codeAt(secret, lastStep * codeStepMs);
  };

  before(async () => {
    dashboard = await openDashboard({ env: { OPERATOR_SECOND_FACTOR: "on" } });
    ({ service } = dashboard);
    ({ page, problems } = await dashboard.visit());
    await signUp(page, service, email);
  });
  after(() => dashboard?.close());

  it("rotates a key: the new one is shown, the old one keeps working for its grace period", async () => {
    const first = await createKey(page, "Worker");
    await page.getByRole("button", { name: "Actions for Worker" }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Rotate" }).click();
    const second = await dialog.getByTestId("api-key").textContent();
    assert.notEqual(second, first);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("rotated", { exact: true }).waitFor();
    for (const key of [first, second ?? ""]) {
      const answer = await fetch(`${service.url}/api/usage`, { headers: { "x-api-key": key } });
      assert.equal(answer.status, 200);
    }
  });

  it("saves the payee profile, and sees an error for an invalid one", async () => {
    await openTab(page, "Payout");
    await page.getByLabel("Legal name").fill("Ada Example Ltd");
    await page.getByLabel("Postal address").fill("1 Mill Lane\nLeeds");
    await page.getByLabel("Country").selectOption("GB");
    await page.getByLabel("IBAN or account number").fill("12345678");
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    await takeProblem(problems, "status of 400");
    await page.getByLabel("BIC or routing number").fill("062-000");
    await page.getByLabel("Where the bank is").selectOption("AU");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Last updated/).waitFor();
    await page.reload();
    await page.getByText(/^Last updated/).waitFor();
    assert.equal(await page.getByLabel("Legal name").inputValue(), "Ada Example Ltd");
    assert.deepEqual(problems, []);
  });

  it("is told before saving that a change of bank account rests, and gives the password again", async () => {
    await openTab(page, "Payout");
    await page.getByText(/rests for 7 days: until then nothing is paid out\. Payouts that are not yet exported to the bank are cancelled/).waitFor();
    await page.getByLabel("IBAN or account number").fill("87654321");
    await page.getByRole("textbox", { name: "Password" }).fill("not the right one");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The password is wrong.").waitFor();
    await takeProblem(problems, "status of 403");
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Your change rests/).waitFor();
    assert.deepEqual(problems, []);
  });

  it("changes the tier immediately if the operator allows it", async () => {
    await openTab(page, "Account");
    await page.getByRole("button", { name: "Change to Growth" }).click();
    await page.getByRole("row", { name: /Growth.*current/ }).waitFor();
  });

  it("changes the address on the page that the mail to the new one leads to, whose address then has no token", async () => {
    const moved = "moved-with-care@example.com";
    await openTab(page, "Security");
    const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Change email address" }) });
    await form.getByLabel("New email address").fill(moved);
    await form.getByRole("textbox", { name: "Password" }).fill(password);
    await form.getByRole("button", { name: "Change email address" }).click();
    await page.getByRole("link", { name: "Open the local mailbox" }).click();
    await page.getByRole("listitem").filter({ hasText: moved }).first().getByRole("link").click();
    await page.locator("pre a").filter({ hasText: /confirm-email/ }).first().click();
    await page.getByRole("heading", { name: "Confirm your new email address" }).waitFor();
    await page.waitForURL((url) => url.search === "");
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await page.getByText("Email address changed.").waitFor();
    email = moved;
    assert.deepEqual(problems, []);
  });

  it("turns on two-factor authentication with a first code", async () => {
    await openTab(page, "Security");
    recoveryCodes = await turnOnSecondFactor(page, password, (found) => {
      secret = found;
      return nextCode();
    });
    assert.ok(recoveryCodes.length >= 8);
  });

  it("gives a code with the password once two-factor authentication is on", async () => {
    await openTab(page, "Payout");
    await page.getByLabel("Postal address").fill("2 Mill Lane\nLeeds");
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    // A recovery code: a third authenticator code would be of a step too far ahead on a fast machine.
    await page.getByRole("textbox", { name: "Code", exact: true }).fill(recoveryCodes[1] ?? "");
    const [saved] = await Promise.all([page.waitForResponse(/\/api\/payee$/), page.getByRole("button", { name: "Save" }).click()]);
    assert.equal(saved.status(), 200);
    await openTab(page, "Security");
    await page.getByRole("button", { name: "New recovery codes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Password" }).fill(password);
    await dialog.getByRole("textbox", { name: "Code", exact: true }).fill(recoveryCodes[0] ?? "");
    await dialog.getByRole("button", { name: "Generate new codes" }).click();
    const codes = dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await codes.first().waitFor();
    recoveryCodes = await codes.allTextContents();
    await dialog.getByRole("button", { name: "Done" }).click();
    assert.deepEqual(problems, []);
  });

  it("signs in with a recovery code, which works once", async () => {
    await signOut(page);
    await signIn(page, service.url, { email, password });
    await page.getByRole("button", { name: /Lost your device/ }).click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await signOut(page);
    await signIn(page, service.url, { email, password });
    await page.getByRole("button", { name: /Lost your device/ }).click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await takeProblem(problems, "status of 403");
    await page.getByLabel("Recovery code").fill(recoveryCodes[1] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  it("resets the password by email, and the old one no longer works", async () => {
    await signOut(page);
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByRole("heading", { name: "Reset your password" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Open the local mailbox" }).click();
    await followNewestMail(page, /reset-password/);
    await page.getByRole("textbox", { name: "New password" }).fill(newPassword);
    await page.keyboard.press("Enter");
    await page.getByText("Your new password is set").waitFor();
    await signIn(page, service.url, { email, password });
    await page.getByRole("alert").waitFor();
    await takeProblem(problems, "status of 401");
    await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Two-factor authentication" }).waitFor();
    await page.getByLabel("Code from your authenticator").fill(nextCode());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  it("closes the account after typing its address, and can no longer sign in", async () => {
    await openTab(page, "Close account");
    const button = page.getByRole("button", { name: "Close account" });
    await page.getByRole("textbox", { name: "Password" }).fill(newPassword);
    assert.ok(await button.isDisabled());
    await page.getByLabel(`Type ${email} to confirm`).fill(email);
    await button.click();
    await page.getByText("Your account is closed.").waitFor();
    await signIn(page, service.url, { email, password: newPassword });
    await page.getByRole("alert").waitFor();
    await takeProblem(problems, "status of 401");
    assert.deepEqual(problems, []);
  });

  it("an operator without a second factor is led to set one up, and then sees the console", async () => {
    const credentials = credentialsOf(service, "Operator");
    const { context, page: console } = await dashboard.signInAs(credentials);
    const gate = { name: "operator-second-factor", path: "/dashboard/operator/payouts", ready: (opened: Page) => opened.getByRole("heading", { name: "Set up a second factor first" }).waitFor() };
    const checker = await openPageChecker(dashboard);
    await checker.become(credentials);
    assert.deepEqual(await checker.check([gate]), []);
    await console.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Payouts" }).click();
    await console.getByRole("link", { name: "Set it up in Settings" }).click();
    await turnOnSecondFactor(console, credentials.password, (found) => codeAt(found, Date.now()));
    await openPage(console, "Payouts");
    await context.close();
  });
});
