import type { EndpointItem, EventChoice } from "@assay/contract/dashboard/webhooks.ts";
import { choosableTypes, eventKinds } from "@assay/contract/webhooks.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import { audienceKindOf, readTypes } from "../endpoints/endpoint-rules.ts";
import type { ShownEndpoint } from "../endpoints/endpoints.table.ts";

const reasonOf = (reason: string | null): EndpointItem["disabled_reason"] => (reason === "gone" || reason === "failing" ? reason : null);

/** Without its secrets. */
export const describeEndpoint = (endpoint: ShownEndpoint, nowMs: number): EndpointItem => ({
  endpoint_id: endpoint.id,
  url: endpoint.url,
  types: readTypes(endpoint.types),
  state: endpoint.state,
  disabled_reason: reasonOf(endpoint.disabled_reason),
  failing_since: isoTimeOrNull(endpoint.failing_since),
  last_attempt_at: isoTimeOrNull(endpoint.last_attempt_at),
  last_success_at: isoTimeOrNull(endpoint.last_success_at),
  previous_secret_until: endpoint.previous_until !== null && endpoint.previous_until > nowMs ? isoTime(endpoint.previous_until) : null,
  created_at: isoTime(endpoint.created_at),
});

/** What endpoints of this audience can choose. */
export const describeChoices = (audience: string): EventChoice[] =>
  choosableTypes(audienceKindOf(audience)).map((type) => ({ type, topic: eventKinds[type].topic, summary: eventKinds[type].summary }));
