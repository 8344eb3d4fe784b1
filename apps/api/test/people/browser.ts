import type { OutgoingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { resetPassword } from "../../src/people/change-account.ts";
import { createAccount } from "../../src/people/create-account.ts";
import { type Answer, send, type Sending } from "../send.ts";
import type { Store } from "../../src/store/store.ts";

/** What a browser does for a page of the dashboard: keeps cookies, and says where requests come from. */
export type Browser = {
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Answer>;
  post(path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** By name, as they are now. */
  cookies: Map<string, string>;
  /** Every Set-Cookie line that came so far, as it came. */
  setCookies: string[];
};

const patienceTries = 60;
const patienceMs = 250;

/** A machine that is busy with other tests turns requests away before it does anything for them: so they are sent again. */
async function sendPatiently(service: { url: string }, path: string, sending: Sending): Promise<Answer> {
  for (let left = patienceTries; ; left -= 1) {
    const answer = await send(service, path, sending);
    if (answer.status !== 503 || left === 0) return answer;
    await sleep(patienceMs);
  }
}

export function openBrowser(service: { url: string }, { origin = service.url }: { origin?: string } = {}): Browser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];

  async function request(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await sendPatiently(service, path, {
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

/** A verified account that can sign in, made in the store behind a running service. */
export async function makeSignInAccount(
  store: Store,
  { operator = false, verified = true, password = goodPassword }: { operator?: boolean; verified?: boolean; password?: string } = {},
): Promise<{ accountId: string; email: string; password: string }> {
  made += 1;
  const email = `person-${process.pid}-${made}@example.com`;
  const outcome = await createAccount(store, { email, tier: "Starter", verified, operator, password }, Date.now());
  if (outcome.kind !== "created") throw new Error(`the account could not be made: ${outcome.kind}`);
  return { accountId: outcome.account.id, email, password };
}

/** A browser that is signed in, by the real route, to an account that exists: its password is replaced when none is given. */
export async function signIn(
  service: { url: string },
  account: { email: string; password: string } | { email: string; accountId: string; store: Store },
  options: { origin?: string } = {},
): Promise<Browser> {
  if ("store" in account) await resetPassword(account.store, { accountId: account.accountId, password: goodPassword });
  const password = "password" in account ? account.password : goodPassword;
  const browser = openBrowser(service, options);
  const answer = await browser.post("/dashboard/api/auth/sign-in/email", { email: account.email, password });
  if (answer.status !== 200) throw new Error(`signing in failed: ${answer.status} ${answer.text}`);
  return browser;
}
