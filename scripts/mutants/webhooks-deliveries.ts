import type { Mutant } from "./mutant.ts";

const room = "apps/api/src/webhooks/deliveries";
const sendTest = `${room}/send-deliveries.test.ts`;
const fairTest = `${room}/sender-fairness.test.ts`;
const signTest = `${room}/sign-event.test.ts`;

export const webhooksDeliveriesMutants: readonly Mutant[] = [
  {
    name: "a delivery is marked whoever has its lease",
    file: `${room}/deliveries.table.ts`,
    from: `      done_at: isOver ? nowMs : null,
    })
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId)
    .where("lease", "=", lease);`,
    to: `      done_at: isOver ? nowMs : null,
    })
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId);`,
    killedBy: [fairTest, "whose lease was taken over changes nothing but its own attempt"],
  },
  {
    name: "a leased delivery is claimed again",
    file: `${room}/deliveries.table.ts`,
    from: "set((eb) => ({ lease, leased_until: untilMs, next_at: untilMs,",
    to: "set((eb) => ({ lease, leased_until: 0, next_at: nowMs,",
    killedBy: [fairTest, "claims nothing that another one has leased, and what a dead node leased when that is over"],
  },
  {
    name: "the lease of a dead node never ends",
    file: `${room}/deliveries.table.ts`,
    from: "next_at: untilMs, attempts:",
    to: "next_at: untilMs * 2, attempts:",
    killedBy: [fairTest, "claims nothing that another one has leased, and what a dead node leased when that is over"],
  },
  {
    name: "a paused endpoint gets deliveries",
    file: `${room}/deliveries.table.ts`,
    from: `    .where("state", "=", "active")
    .where("failing_since"`,
    to: `    .where("state", "!=", "disabled")
    .where("failing_since"`,
    killedBy: [fairTest, "looks at active endpoints only, those first that have waited longest, and claims nothing of one that was paused since"],
  },
  {
    name: "failing endpoints may take every place",
    file: `${room}/share-places.ts`,
    from: "export const placesForFailing = 8;",
    to: "export const placesForFailing = 32;",
    killedBy: [fairTest, "leaves room for healthy endpoints while any number of failing ones hang"],
  },
  {
    name: "one account may take every place",
    file: `${room}/share-places.ts`,
    from: "export const placesPerAudience = 8;",
    to: "export const placesPerAudience = 32;",
    killedBy: [fairTest, "leaves room for other accounts while one with many endpoints has much to send"],
  },
  {
    name: "the oldest endpoint goes first, however much it has had",
    file: `${room}/deliveries.table.ts`,
    from: `    .orderBy((eb) => eb.fn.coalesce("last_attempt_at", eb.lit(0)))
`,
    to: "",
    killedBy: [fairTest, "looks at active endpoints only, those first that have waited longest, and claims nothing of one that was paused since"],
  },
  {
    name: "the second secret does not sign during a rotation",
    file: `${room}/attempt-delivery.ts`,
    from: "[current, before]",
    to: "[current]",
    killedBy: [sendTest, "is signed with both secrets until a rotation is over, and with all of them after SECRET_KEY was replaced"],
  },
  {
    name: "the previous secret signs forever",
    file: `${room}/attempt-delivery.ts`,
    from: " && nowMs() < untilMs;",
    to: ";",
    killedBy: [sendTest, "is signed with both secrets until a rotation is over, and with all of them after SECRET_KEY was replaced"],
  },
  {
    name: "the signature leaves out the id",
    file: `${room}/sign-event.ts`,
    from: "const content = `${id}.${timestamp}.${body}`;",
    to: "const content = `${timestamp}.${body}`;",
    killedBy: [signTest, "are accepted by the libraries of Standard Webhooks and Svix, during a rotation with either secret, and by nobody else"],
  },
  {
    name: "a redirect counts as delivered",
    file: `${room}/attempt-delivery.ts`,
    from: "status >= 200 && status < 300",
    to: "status >= 200 && status < 400",
    killedBy: [sendTest, "fails with a reason when the receiver hangs, resets, redirects or is away"],
  },
  {
    name: "a receiver that is gone is asked again",
    file: `${room}/mark-attempts.work.ts`,
    from: 'isGone ||= verdict === "gone";',
    to: "",
    killedBy: [sendTest, "that is answered with 410 ends its endpoint, what waits for it, and is told once"],
  },
  {
    name: "an answer of the old URL is held against the new one",
    file: `${room}/mark-attempts.work.ts`,
    from: "if (url !== endpoint.url || verdict",
    to: "if (verdict",
    killedBy: [sendTest, "to a URL that was changed meanwhile says nothing about the new one"],
  },
  {
    name: "an endpoint may fail forever",
    file: `${room}/mark-attempts.work.ts`,
    from: 'hasFailedForLong ? ("failing" as const) : undefined',
    to: "undefined",
    killedBy: [sendTest, "that fails after a week of failures disables the endpoint; one that fails a little earlier does not"],
  },
  {
    name: "what an attempt left is written for an endpoint that was erased",
    file: `${room}/mark-attempts.work.ts`,
    from: "  if (!endpoint) return [];\n",
    to: "  if (!endpoint) {\n    for (const each of attempts) if (each.row) await tx.change(insertAttempt(tx.db, each.row));\n    return [];\n  }\n",
    killedBy: [sendTest, "whose endpoint is erased while it is being sent leaves nothing behind"],
  },
  {
    name: "an attempt that cannot be written down is forgotten",
    file: `${room}/send-deliveries.ts`,
    from: "    const batch = [...ended];\n",
    to: "    const batch = [...ended];\n    ended.clear();\n",
    killedBy: [fairTest, "keeps an attempt until the store takes it"],
  },
  {
    name: "a node that stops begins further attempts",
    file: `${room}/send-deliveries.ts`,
    from: "claims < claimsMax && !state.isStopping && seats.size",
    to: "claims < claimsMax && seats.size",
    killedBy: [fairTest, "that stops finishes what it is sending and begins nothing more"],
  },
];
