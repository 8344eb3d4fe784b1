import { makeSignInAccount } from "../../people/browser.ts";
import { makeKey } from "../../../src/access/keys/key-format.ts";
import { makeAccount, vastTier } from "../../make-account.ts";
import type { OpenedApp } from "../../open-app.ts";
import type { Identity } from "./draw-request.ts";

/** Fewer requests than this are made before identities are renewed. */
const perMinuteMin = 100_000;

export type FuzzIdentities = {
  headersOf(identity: Identity): Record<string, string>;
  /** Replaces identities that requests have made unusable by sign-out, revocation or suspension. */
  renew(): Promise<void>;
};

/** Creates one account with keys and two that are signed in to the dashboard. */
export async function createFuzzIdentities({ app, deps, publicUrl }: OpenedApp): Promise<FuzzIdentities> {
  const cookies = { developer: "", operator: "" };
  const keys = { live: "", test: "" };
  let signedIn = 0;

  async function signIn(who: "developer" | "operator"): Promise<void> {
    const { email, password } = await makeSignInAccount(deps.store, { operator: who === "operator" });
    signedIn += 1;
    const { headers, statusCode, body } = await app.inject({
      method: "POST",
      url: "/dashboard/api/auth/sign-in/email",
      headers: { origin: publicUrl },
      payload: { email, password },
      // From another network each time, to avoid throttling.
      remoteAddress: `10.${signedIn >> 8}.${signedIn & 255}.1`,
    });
    if (statusCode !== 200) throw new Error(`sign-in failed: ${body}`);
    cookies[who] = [headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0]!).join("; ");
  }

  const isSignedIn = async (who: "developer" | "operator") => {
    const path = who === "operator" ? "/dashboard/api/operator/system" : "/dashboard/api/me";
    return (await app.inject({ url: path, headers: { cookie: cookies[who] } })).statusCode === 200;
  };

  const identities: FuzzIdentities = {
    headersOf(identity) {
      switch (identity) {
        case "live":
        case "test":
          return { "x-api-key": keys[identity] };
        case "wrong_key":
          return { "x-api-key": makeKey("live") };
        case "developer":
        case "operator":
          return { cookie: cookies[identity] };
        case "forged_cookie":
          return { cookie: cookies.operator.replace(/.{8}(?=;|$)/, "AAAAAAAA") };
        case "monitor":
          return { authorization: `Bearer ${deps.config.metricsToken}` };
        case "anonymous":
          return {};
      }
    },
    async renew() {
      for (const who of ["developer", "operator"] as const) if (!(await isSignedIn(who))) await signIn(who);
      const [live, test] = await Promise.all([keys.live, keys.test].map(async (key) => deps.authenticator.authenticate(key, { ip: "127.0.0.1" })));
      // An operator request may also have moved the account to a lower tier.
      if (live && test && live.quota.perMinute >= perMinuteMin) return;
      const { liveKey, testKey } = await makeAccount(deps.store, { tier: vastTier });
      Object.assign(keys, { live: liveKey, test: testKey });
    },
  };
  await identities.renew();
  return identities;
}
