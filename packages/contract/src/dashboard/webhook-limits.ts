/** Beside webhooks.ts, so that pages need not load its schemas. */

/** The delivery log goes back this far; so do redelivery and replay. */
export const webhookLogDays = 30;
export const deliveriesPageMax = 100;
