import type { OutgoingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { resetPassword } from "../../src/people/change-account.ts";
import { createAccount } from "../../src/people/create-account.ts";
import { type Answer, send, type Sending } from "../send.ts";
import type { Store } from "../../src/store/store.ts";

/** Acts like a browser on a dashboard page: stores cookies and sends origin headers. */
export type Browser = {
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Answer>;
  post(path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** Current cookies by name. */
  cookies: Map<string, string>;
  /** Every Set-Cookie line received so far. */
  setCookies: string[];
};

const retriesMax = 240;
const retryMs = 250;

/** Retries 503: a machine that is busy with other tests sheds requests before they have any effect. */
async function sendWithRetries(service: { url: string }, path: string, sending: Sending): Promise<Answer> {
  for (let left = retriesMax; ; left -= 1) {
    const answer = await send(service, path, sending);
    if (answer.status !== 503 || left === 0) return answer;
    await sleep(retryMs);
  }
}

export function openBrowser(service: { url: string }, { origin = service.url }: { origin?: string } = {}): Browser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  async function request(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await sendWithRetries(service, path, {
      method,
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(method !== "GET" && { origin, "sec-fetch-site": "same-origin" }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      setCookies.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    setCookies,
    request,
    get: (path, headers) => request("GET", path, undefined, headers),
    post: (path, body, headers) => request("POST", path, body, headers),
  };
}

export const goodPassword = "seven quiet herons";

let made = 0;

/** Creates an account that can sign in, verified by default, in the store of a running service. */
export async function makeSignInAccount(
  store: Store,
  { operator = false, verified = true, password = goodPassword }: { operator?: boolean; verified?: boolean; password?: string } = {},
): Promise<{ accountId: string; email: string; password: string; operator: boolean }> {
  made += 1;
  const email = `person-${process.pid}-${made}@example.com`;
  const outcome = await createAccount(store, { email, tier: "Starter", verified, operator, password }, Date.now());
  if (outcome.kind !== "created") throw new Error(`creating the account failed: ${outcome.kind}`);
  return { accountId: outcome.account.id, email, password, operator };
}

/** Confirms the session of an operator's browser for what moves money. */
export async function stepUp(browser: Pick<Browser, "post">, given: { password?: string; code?: string } = {}): Promise<void> {
  const answer = await browser.post("/dashboard/api/auth/step-up", { password: goodPassword, ...given });
  if (answer.status !== 200) throw new Error(`confirming failed: ${answer.status} ${answer.text}`);
}

/**
 * Signs in to an existing account over the real route; if no password is given, the account's password is replaced. An
 * operator's browser is confirmed for what moves money, unless the test is about that.
 */
export async function signIn(
  service: { url: string },
  account: { email: string; password: string; operator?: boolean } | { email: string; accountId: string; store: Store },
  options: { origin?: string; isSteppedUp?: boolean } = {},
): Promise<Browser> {
  if ("store" in account) await resetPassword(account.store, { accountId: account.accountId, password: goodPassword, nowMs: Date.now() });
  const password = "password" in account ? account.password : goodPassword;
  const browser = openBrowser(service, options);
  const answer = await browser.post("/dashboard/api/auth/sign-in/email", { email: account.email, password });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.status} ${answer.text}`);
  // With a second factor the browser is not signed in yet.
  const isWhole = answer.json()["status"] === "signed_in";
  if (isWhole && options.isSteppedUp !== false && "operator" in account && account.operator) await stepUp(browser, { password });
  return browser;
}
