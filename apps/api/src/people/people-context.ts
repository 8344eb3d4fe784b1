import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import type { Store } from "../store/store.ts";
import { createOpenAuth, createReadSignIn, deriveSecret, type OpenAuth } from "./open-auth.ts";
import type { MarkOf } from "./payee-marks.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

export type PeopleContext = {
  store: Store;
  nowMs: () => number;
  /** PUBLIC_URL; undefined: whatever address the browser uses. */
  configuredUrl: string | undefined;
  /** Base of the links in mails: PUBLIC_URL, or the address that the server listens on. Never taken from a request. */
  publicUrl: () => string;
  auth: OpenAuth;
  throttle: Throttle;
  /** Sends queued mails now instead of at the next poll. */
  wakeMailer: () => void;
  /** Tells other nodes at once that an account's keys are revoked. */
  channel: KeyChangeChannel | undefined;
  deleteMailFiles: (mailIds: readonly string[]) => Promise<void>;
  /** Payouts wait this long after a change of bank account, method or tax id. */
  payeeChangeHoldDays: number;
  markOf: MarkOf;
};

/** Loads nothing large before the dashboard is first used. */
export function createPeopleContext(
  options: Omit<PeopleContext, "auth" | "throttle"> & { secretKey: string | undefined },
): PeopleContext & { readSignIn: ReadSignIn } {
  const { secretKey, ...rest } = options;
  const { store, nowMs, publicUrl } = rest;
  if (secretKey === undefined) throw new Error("the installation has no secret");
  const auth = createOpenAuth({ store, nowMs, publicUrl, secretKey });
  const throttle = createThrottle({ store, nowMs, key: deriveSecret(secretKey, "throttles") });
  return { ...rest, auth, throttle, readSignIn: createReadSignIn(auth) };
}
