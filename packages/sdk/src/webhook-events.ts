import type { WebhookData } from "./webhook-types.ts";

/** The types of events that this version of the SDK lists. */
export type WebhookType = keyof WebhookData;

/** What all events have. */
export type WebhookEnvelope = {
  /** `evt_…`, the same on every attempt to deliver it: handle each id once. */
  id: string;
  /** When it happened. */
  timestamp: string;
  /** Counts the events of your account without a gap; they may arrive in another order. */
  sequence: number;
  /** Whose event it is. Null: an installation sent it that does not say so yet. */
  account: string | null;
};

/** Not a value of anything: a `type` of its own keeps events apart that the SDK does not list. */
declare enum Unlisted {
  type = "a type that this version of the SDK does not list",
}

/** An event of a type that is newer than this version of the SDK. Its `type` is a string like any other. */
export type UnlistedWebhookEvent = WebhookEnvelope & { type: Unlisted; data: unknown };

/** An event. Comparing its `type` with one that is listed tells what is in `data`. */
export type WebhookEvent = { [Type in WebhookType]: WebhookEnvelope & { type: Type; data: WebhookData[Type] } }[WebhookType] | UnlistedWebhookEvent;
