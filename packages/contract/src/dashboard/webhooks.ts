/**
 * Webhook endpoints of the signed-in account under `/dashboard/api/webhooks`, and of the operators under
 * `/dashboard/api/operator/webhooks`: the same requests and replies. Another audience's endpoint is a 404. What is sent to an
 * endpoint is in `../webhooks.ts`.
 */
import Type, { type Static } from "typebox";
import { deliveriesPageMax, webhookLogDays } from "./webhook-limits.ts";

const time = (description: string) => Type.String({ format: "date-time", description });
const nullableTime = (description: string) => Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const chosenTypes = (description: string) => Type.Union([Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }), Type.Null()], { description });
const url = Type.String({ minLength: 1, maxLength: 2_048, description: "https only, but on the installation's own machine, where that is allowed." });

export const EndpointItem = Type.Object({
  endpoint_id: Type.String(),
  url: Type.String(),
  types: chosenTypes("The events that it gets. Null: all, later ones too."),
  state: Type.Enum(["active", "paused", "disabled"], { description: "Only an active endpoint gets events. A disabled one was switched off by Assay." }),
  disabled_reason: Type.Union([Type.Enum(["gone", "failing"]), Type.Null()], { description: "`gone`: it answered 410. `failing`: every attempt failed for a week." }),
  failing_since: nullableTime("Since when every attempt failed. Null: the last one did not."),
  last_attempt_at: nullableTime("Null: never."),
  last_success_at: nullableTime("When it last answered with a 2xx. Null: never."),
  previous_secret_until: nullableTime("Until when the secret before the last rotation signs too. Null: it does not."),
  created_at: time("When it was created."),
});
export type EndpointItem = Static<typeof EndpointItem>;

export const EventChoice = Type.Object({ type: Type.String(), topic: Type.String(), summary: Type.String() });
export type EventChoice = Static<typeof EventChoice>;

export const WebhooksReply = Type.Object({
  endpoints: Type.Array(EndpointItem, { description: "The oldest first." }),
  endpoints_max: Type.Integer(),
  events: Type.Array(EventChoice, { description: "What an endpoint can choose." }),
  account: Type.String({ description: "What `account` says in each event: verifiers that use the public key expect it." }),
  public_key: nullableText("With which `v1a` signatures are verified, as `whpk_…`. Null: it cannot be read."),
});
export type WebhooksReply = Static<typeof WebhooksReply>;

export const EndpointParams = Type.Object({ endpoint_id: Type.String({ maxLength: 64 }) });

/** 403 `forbidden` if there are too many endpoints; 429 if too many test events were sent. */
export const NewEndpointRequest = Type.Object({ url, types: Type.Optional(chosenTypes("Default: null, which is all.")) }, { additionalProperties: false });
export type NewEndpointRequest = Static<typeof NewEndpointRequest>;

const secret = Type.String({ description: "What signatures are verified with, as `whsec_…`. This is the only time that it is shown." });

export const NewEndpointReply = Type.Object({ secret, endpoint: EndpointItem, event_id: Type.String({ description: "The test event that is being sent." }) });
export type NewEndpointReply = Static<typeof NewEndpointReply>;

export const ChangeEndpointRequest = Type.Object(
  {
    url: Type.Optional(url),
    types: Type.Optional(chosenTypes("Null: all.")),
    state: Type.Optional(Type.Enum(["active", "paused"], { description: "`active` resumes, and switches a disabled endpoint on again." })),
  },
  { additionalProperties: false },
);
export type ChangeEndpointRequest = Static<typeof ChangeEndpointRequest>;

export const RotateSecretReply = Type.Object({ secret, endpoint: EndpointItem });
export type RotateSecretReply = Static<typeof RotateSecretReply>;

export const DeletedEndpointReply = Type.Object({ endpoint_id: Type.String() });

export const TestEventReply = Type.Object({ event_id: Type.String() });
export type TestEventReply = Static<typeof TestEventReply>;

export const ReplayRequest = Type.Object({ from: Type.String({ maxLength: 40, description: `ISO 8601, at most ${webhookLogDays} days ago.` }) }, { additionalProperties: false });
export type ReplayRequest = Static<typeof ReplayRequest>;

export const ReplayReply = Type.Object({
  events: Type.Integer({ description: "Events since then that the endpoint chose." }),
  queued: Type.Integer({ description: "Of these, how many are sent now; the others were being sent anyway." }),
  next_from: nullableTime("There were more than one replay takes: replay from this time for the rest. Null: that was all."),
});
export type ReplayReply = Static<typeof ReplayReply>;

export const DeliveriesQuery = Type.Object({
  endpoint_id: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(Type.Enum(["pending", "delivered", "failed"])),
  cursor: Type.Optional(Type.String({ maxLength: 130, description: "next_cursor of the previous page." })),
  limit: Type.Optional(Type.String({ pattern: "^\\d{1,3}$", description: `1 to ${deliveriesPageMax}. Default: 50.` })),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

const delivery = {
  endpoint_id: Type.String(),
  event_id: Type.String({ description: "Also the header `webhook-id`." }),
  type: Type.String(),
  sequence: Type.Integer(),
  at: time("When the event happened."),
  state: Type.Enum(["pending", "delivered", "failed"]),
  attempts: Type.Integer(),
  is_sending: Type.Boolean({ description: "Whether an attempt is under way." }),
  next_at: nullableTime("When it is tried next. Null: it is done or being sent, or its endpoint is not active."),
  last_status: nullableInteger("The status of the last answer. Null: there was none."),
  last_error: nullableText("Why there was no answer."),
  done_at: nullableTime("When it was delivered or given up."),
};

export const DeliveryItem = Type.Object(delivery);
export type DeliveryItem = Static<typeof DeliveryItem>;

export const DeliveriesReply = Type.Object({
  deliveries: Type.Array(DeliveryItem, { description: "The newest events first." }),
  next_cursor: nullableText("Null at the end."),
});
export type DeliveriesReply = Static<typeof DeliveriesReply>;

export const DeliveryParams = Type.Object({ endpoint_id: Type.String({ maxLength: 64 }), event_id: Type.String({ maxLength: 64 }) });

const DeliveryAttempt = Type.Object({
  attempt: Type.Integer(),
  at: time("When it was sent."),
  duration_ms: Type.Integer(),
  url: Type.String({ description: "Where it was sent." }),
  headers: Type.Object({ "webhook-id": Type.String(), "webhook-timestamp": Type.String(), "webhook-signature": Type.String() }),
  status: nullableInteger("Null: there was no answer."),
  error: nullableText("Why there was none."),
  response: nullableText("The beginning of the answer's body, 4 KB at most, for whoever owns the endpoint. Null: there was no answer, or its body was not kept because it came from the installation's own machine."),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryDetailReply = Type.Object({
  ...delivery,
  url: Type.String({ description: "Where the next attempt goes." }),
  body: Type.String({ description: "The same bytes in every attempt." }),
  log: Type.Array(DeliveryAttempt, { description: "The last attempt first, 50 at most." }),
});
export type DeliveryDetailReply = Static<typeof DeliveryDetailReply>;
