/** Receives events. Needs nothing but what the web has standardised, so it runs in Node, Deno, Bun and Workers. */
export { createReplayGuard, type ReplayGuard, type ReplayGuardOptions } from "./replay-guard.ts";
export { verifyWebhook, type VerifyWebhookOptions, type WebhookHeaders } from "./verify-webhook.ts";
export { type WebhookCode, WebhookVerificationError } from "./webhook-error.ts";
export type { UnlistedWebhookEvent, WebhookEnvelope, WebhookEvent, WebhookType } from "./webhook-events.ts";
export type { WebhookData } from "./webhook-types.ts";
