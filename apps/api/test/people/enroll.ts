import type { Browser } from "./browser.ts";
import { codeOf, nextCodeOf } from "./totp.ts";

const auth = "/dashboard/api/auth";

/** Turns two-factor authentication on. `nextCode` is a code that still works, and each recovery code works once. */
export async function enroll(browser: Browser, password: string): Promise<{ usedCode: string; nextCode: string; recoveryCodes: string[] }> {
  const setUp = (await browser.post(`${auth}/two-factor/enable`, { password })).json();
  const uri = String(setUp["totp_uri"]);
  const atMs = Date.now();
  const usedCode = codeOf(uri, atMs);
  const answer = await browser.post(`${auth}/two-factor/verify-totp`, { code: usedCode });
  if (answer.status !== 200) throw new Error(`enrolling failed: ${answer.text}`);
  return { usedCode, nextCode: nextCodeOf(uri, atMs), recoveryCodes: setUp["recovery_codes"] as string[] };
}
