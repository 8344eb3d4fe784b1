import type { LightMyRequestResponse } from "fastify";
import type { OpenedApp } from "../open-app.ts";

/** What a request carries besides its address. A string is sent as it is, any other body as JSON. */
export type Injected = { body?: unknown; headers?: Record<string, string> };

/** Acts like a browser on a dashboard page of an app that does not listen: stores cookies and sends its origin. */
export type InjectedBrowser = {
  request(method: string, url: string, injected?: Injected): Promise<LightMyRequestResponse>;
  cookies: Map<string, string>;
};

let opened = 0;

/** Each browser is in a network of its own, so that none is throttled for the tries of another. */
export function injectBrowser({ app, publicUrl }: Pick<OpenedApp, "app" | "publicUrl">): InjectedBrowser {
  const cookies = new Map<string, string>();
  opened += 1;
  const remoteAddress = `10.${opened >> 8}.${opened & 255}.1`;
  return {
    cookies,
    async request(method, url, { body, headers = {} } = {}) {
      const answer = await app.inject({
        method: method as "GET",
        url,
        remoteAddress,
        headers: { origin: publicUrl, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0(;|$)/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
  };
}

/** Sends a password; an account with a second factor is not signed in yet. An operator's browser is confirmed for what moves money. */
export async function injectSignIn(app: Pick<OpenedApp, "app" | "publicUrl">, { email, password, operator = false }: { email: string; password: string; operator?: boolean }): Promise<InjectedBrowser> {
  const browser = injectBrowser(app);
  const { statusCode, body } = await browser.request("POST", "/dashboard/api/auth/sign-in/email", { body: { email, password } });
  if (statusCode !== 200) throw new Error(`sign-in failed: ${statusCode} ${body}`);
  if (operator && body.includes("signed_in")) {
    const confirmed = await browser.request("POST", "/dashboard/api/auth/step-up", { body: { password } });
    if (confirmed.statusCode !== 200) throw new Error(`confirming failed: ${confirmed.statusCode} ${confirmed.body}`);
  }
  return browser;
}
