import { webhookLogDays } from "@assay/contract/dashboard/webhook-limits.ts";
import { type Audience, choosableTypes, type EventType } from "@assay/contract/webhooks.ts";
import { Failure } from "../../failure/failure.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { operators } from "../events/write-events.ts";

/** Per audience. */
export const endpointsMax = 10;
/** How long the secret before the last rotation signs as well. */
export const overlapMs = 24 * msPerHour;
/** How far back a person can look, redeliver and replay. */
export const logMs = webhookLogDays * msPerDay;
/** Tests in an hour. Each is a request to an address of somebody's choice, so deleting an endpoint does not bring them back. */
export const testsPerEndpointMax = 10;
export const testsPerAudienceMax = 30;
export const testSpanMs = msPerHour;
/** Of one event to one endpoint, however often somebody asks for it again. */
export const attemptsInAllMax = 100;
/** Events that one replay takes. */
export const replayedMax = 10_000;

/** Everything that its audience is told of, later types too. */
const allTypes = "*";

export const audienceKindOf = (audience: string): Audience => (audience === operators ? "operator" : "developer");

/** What the table keeps of a choice; null is all. */
export function writeTypes(audience: string, chosen: readonly string[] | null): string {
  if (chosen === null) return allTypes;
  const known = choosableTypes(audienceKindOf(audience));
  const unknown = chosen.find((type) => !known.includes(type as EventType));
  if (unknown !== undefined) throw new Failure("invalid_request", "types must be events of the list, such as payout.paid", "an unknown event was chosen");
  const inOrder = known.filter((type) => chosen.includes(type));
  if (inOrder.length === 0) throw new Failure("invalid_request", "types must name at least one event; null chooses all");
  return `,${inOrder.join(",")},`;
}

/** Null: all. */
export const readTypes = (types: string): string[] | null => (types === allTypes ? null : types.split(",").filter((type) => type !== ""));

/** The types that an endpoint is told of. A test goes to one endpoint, whatever it chose: it is in no choice. */
export const wantedTypes = (audience: string, types: string): string[] => readTypes(types) ?? choosableTypes(audienceKindOf(audience));
