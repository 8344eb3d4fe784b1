import type { PeopleContext } from "./people-context.ts";
import { deriveSecret } from "./derive-secret.ts";
import { createOpenAuth, createReadSignIn } from "./open-auth.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { createThrottle } from "./throttle.ts";

/** Puts the room together. Nothing large is loaded before somebody uses the dashboard. */
export function openAccounts(
  context: Omit<PeopleContext, "auth" | "throttle"> & { secretKey: string | undefined },
): PeopleContext & { readSignIn: ReadSignIn } {
  const { secretKey, ...rest } = context;
  const { store, nowMs, publicUrl } = rest;
  if (secretKey === undefined) throw new Error("the installation has no secret");
  const auth = createOpenAuth({ store, nowMs, publicUrl, secretKey });
  const throttle = createThrottle({ store, nowMs, key: deriveSecret(secretKey, "throttles") });
  const readSignIn = createReadSignIn(auth);
  return { ...rest, auth, throttle, readSignIn };
}
