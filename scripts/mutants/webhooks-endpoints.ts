import type { Mutant } from "./mutant.ts";

const wing = "apps/api/src/webhooks";
const manageTest = `${wing}/manage/manage-endpoints.test.ts`;
const on = (title: string): [string, string] => [manageTest, title];
const limit = "number at most ten per audience, however many are created at once on two nodes";
const exact = "replay every event that they chose since a time exactly once, and nobody else's";
const again = "send one event again with all its attempts, which keep counting";

export const webhooksEndpointsMutants: readonly Mutant[] = [
  {
    name: "an audience has one webhook endpoint too many",
    file: `${wing}/manage/create-endpoint.work.ts`,
    from: "  if (existing!.count >= endpointsMax)",
    to: "  if (existing!.count > endpointsMax)",
    killedBy: on(limit),
  },
  {
    name: "a test event goes to every endpoint that chose all events",
    file: `${wing}/manage/send-test.work.ts`,
    from: "  await tx.change(insertDelivery(tx.db, { endpointId, eventId, nowMs }));",
    to: '  await tx.change((await import("../events/events.table.ts")).insertDeliveries(tx.db, { id: eventId, audience, type: "webhook.test", nowMs }));',
    killedBy: on("are created with a secret that is stored sealed, and with one test event for themselves"),
  },
  {
    name: "deleting a webhook endpoint brings its tests back",
    file: `${wing}/manage/send-test.work.ts`,
    from: "ofAudience!.count < testsPerAudienceMax && ",
    to: "ofAudience !== undefined && testsPerAudienceMax > 0 && ",
    killedBy: on("take a bounded number of tests in an hour, which deleting an endpoint does not bring back"),
  },
  {
    name: "anybody rotates anybody's webhook secret",
    file: `${wing}/endpoints/endpoints.table.ts`,
    from: '    .set((eb) => ({ secret_previous: eb.ref("secret"), secret, previous_until: previousUntilMs, changed_at: nowMs }))\n    .where("id", "=", endpointId)\n    .where("audience", "=", audience);',
    to: '    .set((eb) => ({ secret_previous: eb.ref("secret"), secret, previous_until: previousUntilMs, changed_at: nowMs }))\n    .where("id", "=", endpointId)\n    .where("audience", "!=", `-${audience}`);',
    killedBy: on("of another audience cannot be changed, tested, rotated, replayed or deleted"),
  },
  {
    name: "a second rotation keeps the first secret of a webhook endpoint",
    file: `${wing}/endpoints/endpoints.table.ts`,
    from: 'secret_previous: eb.ref("secret"),',
    to: 'secret_previous: eb.fn.coalesce("secret_previous", "secret"),',
    killedBy: on("sign with the old secret too for a day after a rotation, and never with the one before"),
  },
  {
    name: "a webhook endpoint with a new URL has failed for as long as the old one",
    file: `${wing}/endpoints/endpoints.table.ts`,
    from: 'const isFresh = url !== undefined || state === "active";',
    to: 'const isFresh = state === "active";',
    killedBy: on("start without a failure when they get a new URL or are switched on again"),
  },
  {
    name: "a redelivered event has no attempts left",
    file: `${wing}/deliveries/ask-again.table.ts`,
    from: '    .set({ state: "pending", round_attempts: 0, next_at: nowMs, done_at: null })\n    .where("endpoint_id", "=", endpointId)\n    .where("event_id", "=", eventId)',
    to: '    .set({ state: "pending", next_at: nowMs, done_at: null })\n    .where("endpoint_id", "=", endpointId)\n    .where("event_id", "=", eventId)',
    killedBy: on(again),
  },
  {
    name: "events of any age are redelivered",
    file: `${wing}/deliveries/ask-again.table.ts`,
    from: '.where("id", "=", eventId).where("audience", "=", audience).where("at", ">=", fromMs)',
    to: '.where("id", "=", eventId).where("audience", "=", audience).where("at", ">=", Math.min(fromMs, 0))',
    killedBy: on(again),
  },
  {
    name: "a replay starts what is being sent from the beginning",
    file: `${wing}/deliveries/ask-again.table.ts`,
    from: '    .where("state", "<>", "pending")\n',
    to: "",
    killedBy: on(exact),
  },
  {
    name: "a replay sends what the webhook endpoint did not choose",
    file: `${wing}/deliveries/ask-again.table.ts`,
    from: '        .where("e.type", "in", types)\n',
    to: "",
    killedBy: on(exact),
  },
  {
    name: "a replay sends tests again",
    file: `${wing}/endpoints/endpoint-rules.ts`,
    from: "readTypes(types) ?? choosableTypes(audienceKindOf(audience));",
    to: 'readTypes(types) ?? [...choosableTypes(audienceKindOf(audience)), "webhook.test"];',
    killedBy: on(exact),
  },
  {
    name: "a deleted webhook endpoint leaves its attempts behind",
    file: `${wing}/manage/delete-endpoint.work.ts`,
    from: "  await tx.change(deleteAttemptsOfEndpoint(tx.db, endpointId));\n",
    to: "",
    killedBy: on("are deleted with their log, and leave no delivery behind while events arrive"),
  },
  {
    name: "developers have the operators' webhook endpoints",
    file: "apps/api/src/console/developer/dashboard.routes.ts",
    from: "audienceOf: ({ accountId }) => accountId });",
    to: 'audienceOf: ({ accountId }) => (accountId === "" ? accountId : "operators") });',
    killedBy: ["apps/api/test/webhooks/endpoints-over-http.test.ts", "are an account's own, and operators' are for operators"],
  },
  {
    name: "the delivery log shows every account's deliveries",
    file: `${wing}/deliveries/log.table.ts`,
    from: '    .where("w.audience", "=", audience)\n    .where("e.audience", "=", audience)\n',
    to: '    .where("w.audience", "!=", `-${audience}`)\n',
    killedBy: ["apps/api/test/webhooks/endpoints-over-http.test.ts", "have a log that shows each owner its own deliveries, page by page, with request and answer"],
  },
];
