import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { createReadSignIn } from "./sessions.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

export type PeopleContext = {
  store: Store;
  nowMs: () => number;
  sealer: Sealer;
  /** PUBLIC_URL; undefined: whatever address the browser uses. */
  configuredUrl: string | undefined;
  /** Base of the links in mails: PUBLIC_URL, or the address that the server listens on. Never taken from a request. */
  publicUrl: () => string;
  throttle: Throttle;
  /** Sends queued mails now instead of at the next poll. */
  wakeMailer: () => void;
  /** Tells other nodes at once that an account's keys are revoked. */
  channel: KeyChangeChannel | undefined;
  deleteMailFiles: (mailIds: readonly string[]) => Promise<void>;
  /** Payouts wait this long after a change of bank account, method or tax id. */
  payeeChangeHoldDays: number;
  /** By which accounts that share a bank account or a tax id are found. */
  marks: Marks;
};

export function createPeopleContext(options: Omit<PeopleContext, "throttle">): PeopleContext & { readSignIn: ReadSignIn } {
  return { ...options, throttle: createThrottle(options), readSignIn: createReadSignIn(options) };
}
