import type { Audience, EventData, EventType, eventKinds } from "@assay/contract/webhooks.ts";

/**
 * How people learn of an event by mail: in a digest; by a mail of its own, which is queued where it happens, so that a
 * digest would be a second one; or not at all.
 */
type ToldBy<Each extends EventType> =
  | { by: "digest" }
  | {
      by: "own_mail";
      /** The kinds of the mails that exist for it. */
      kinds: readonly string[];
      why: string;
      /** Whether the mail does not exist for this one: then the digest tells it. */
      unless?: (data: EventData<Each>) => boolean;
    }
  | { by: "nothing"; why: string };

type AudienceOf<Each extends EventType> = (typeof eventKinds)[Each]["audiences"][number];
type ToldByTable = { [Each in EventType]: { [Whose in AudienceOf<Each>]: ToldBy<Each> } };

const digest = { by: "digest" } as const;
const toDeveloper = { developer: digest } as const;
const toOperator = { operator: digest } as const;
const toBoth = { developer: digest, operator: digest } as const;

/** For every event and everybody who is told of it. */
export const toldBy: ToldByTable = {
  "payout.proposed": toDeveloper,
  "payout.approved": toDeveloper,
  "payout.exported": toDeveloper,
  "payout.paid": toDeveloper,
  "payout.returned": toDeveloper,
  "payout.cancelled": toDeveloper,
  "hold.opened": { developer: { by: "own_mail", kinds: ["hold_opened"], why: "It has the operator's reason." } },
  "hold.lifted": { developer: { by: "own_mail", kinds: ["hold_lifted"], why: "It has the operator's reason." } },
  "payee.changed": { developer: { by: "own_mail", kinds: ["payee_changed"], why: "It must arrive at once, with a way to object." } },
  "review.needed": toBoth,
  "review.done": {
    developer: { by: "own_mail", kinds: ["growth_reviewed"], why: "It has the operator's reason.", unless: ({ monthly_usd: monthlyUsd }) => monthlyUsd === null },
  },
  "earnings.waiting": toBoth,
  "earnings.settled": toDeveloper,
  "statement.closed": { developer: { by: "own_mail", kinds: ["statement"], why: "It is the statement, and a receipt to keep." } },
  "adjustment.made": toDeveloper,
  "calls.reversed": { developer: { by: "own_mail", kinds: ["calls_reversed"], why: "It has the reason and the days." } },
  "clicks.reversed": toDeveloper,
  "finding.opened": { developer: { by: "own_mail", kinds: ["finding_opened"], why: "It has what was found, and how to answer." }, operator: digest },
  "finding.answered": toBoth,
  "finding.overdue": { developer: digest, operator: { by: "own_mail", kinds: ["findings_overdue"], why: "It lists all overdue findings." } },
  "finding.decided": { developer: { by: "own_mail", kinds: ["finding_decided", "finding_opened"], why: "It has the operator's reason; one that was opened again is mailed like a new one." } },
  "balance.low": toDeveloper,
  "key.created": toDeveloper,
  "key.expiring": toDeveloper,
  "key.revoked": toDeveloper,
  "key.used_in_browser": toDeveloper,
  "limit.near": toDeveloper,
  "limit.reached": toDeveloper,
  "model.released": toDeveloper,
  "model.sunset": toDeveloper,
  "calibration.drifted": toDeveloper,
  "campaign.exhausted": toOperator,
  "creative.pending": toOperator,
  "payout.waiting": toOperator,
  "tier.requested": toOperator,
  "funding.low": toOperator,
  "job.failing": toOperator,
  "log.unwitnessed": toOperator,
  "webhook.test": {
    developer: { by: "nothing", why: "Who asks for a test looks at the endpoint." },
    operator: { by: "nothing", why: "Who asks for a test looks at the endpoint." },
  },
  "webhook.disabled": toBoth,
};

/** Whether a digest tells this audience of the event. An audience that is never told of it is not. */
export function isDigested(type: EventType, audience: Audience, data: unknown): boolean {
  const told = (toldBy[type] as Partial<Record<Audience, ToldBy<EventType>>>)[audience];
  if (told === undefined || told.by === "nothing") return false;
  // `unless` takes the data of its own type, which is the event's.
  return told.by === "digest" || (told.unless as ((data: unknown) => boolean) | undefined)?.(data) === true;
}
