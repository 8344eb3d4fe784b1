import type { KeyChangeChannel } from "../access/keys/follow-key-changes.ts";
import type { Store } from "../store/store.ts";
import type { OpenAuth } from "./open-auth.ts";
import type { Throttle } from "./throttle.ts";

/** What the flows around an account are made of. */
export type PeopleContext = {
  store: Store;
  nowMs: () => number;
  /** As set; undefined: whatever address a browser uses. */
  configuredUrl: string | undefined;
  /** Where the links of mails lead: as set, or what the server listens on. Never taken from a request. */
  publicUrl: () => string;
  auth: OpenAuth;
  throttle: Throttle;
  /** Says that a mail was queued, so that it need not wait for the next round. */
  mailQueued: () => void;
  /** Tells other nodes at once that an account's keys have stopped. */
  channel: KeyChangeChannel | undefined;
  /** Removes the local copies of these mails. */
  forgetMails: (mailIds: readonly string[]) => Promise<void>;
};
