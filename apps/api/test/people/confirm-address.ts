import type { Answer } from "../send.ts";
import type { Browser } from "./browser.ts";

/** The token in the path and query of a mailed link. */
export function tokenIn(link: string): string {
  const token = new URL(link, "http://localhost").searchParams.get("token");
  if (token === null) throw new Error(`the link contains no token: ${link}`);
  return token;
}

/** Does what the page of a verification link does: chooses a password, which confirms the address. */
export const confirmAddress = (browser: Browser, link: string, newPassword: string): Promise<Answer> =>
  browser.post("/dashboard/api/auth/verify-email", { token: tokenIn(link), newPassword });

/** The same of the link in a mail to a new address, which the account itself has asked for. */
export const confirmNewAddress = (browser: Browser, link: string): Promise<Answer> => browser.post("/dashboard/api/auth/confirm-email", { token: tokenIn(link) });
