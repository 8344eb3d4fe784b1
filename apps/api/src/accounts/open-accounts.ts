import type { Config } from "../config.ts";
import type { AccountsDeps } from "./accounts-deps.ts";
import { deriveSecret } from "./derive-secret.ts";
import { createOpenAuth, createReadSignIn } from "./open-auth.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { createThrottle } from "./throttle.ts";

/** Puts the room together. Nothing large is loaded before somebody uses the dashboard. */
export function openAccounts(
  settings: Pick<AccountsDeps, "store" | "nowMs" | "publicUrl" | "mailQueued" | "channel" | "forgetMails"> & {
    config: Pick<Config, "publicUrl" | "secretKey">;
  },
): AccountsDeps & { readSignIn: ReadSignIn } {
  const { store, nowMs, publicUrl, mailQueued, channel, forgetMails } = settings;
  const { publicUrl: configuredUrl, secretKey } = settings.config;
  if (secretKey === undefined) throw new Error("the installation has no secret");
  const auth = createOpenAuth({ store, nowMs, publicUrl, secretKey });
  const throttle = createThrottle({ store, nowMs, key: deriveSecret(secretKey, "throttles") });
  const readSignIn = createReadSignIn(auth);
  return { store, nowMs, configuredUrl, publicUrl, auth, throttle, mailQueued, channel, forgetMails, readSignIn };
}
