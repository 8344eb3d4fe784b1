import type { FaultsByTest } from "./locate.ts";

export const laneFaults: FaultsByTest = {
  "apps/api/test/lane/lane-states.test.ts": {
    "what is out of the ordinary goes to its route": [
      { means: "the lane takes calls with two hosts", in: "apps/api/src/lane/open-lane.ts", function: "hasOrdinaryHead", change: ["without", "headers.host.includes"] },
      { means: "the lane takes bodies of any type", in: "apps/api/src/lane/open-lane.ts", function: "hasOrdinaryHead", change: ["without", "jsonTypes.has"] },
      { means: "the lane takes any Idempotency-Key", in: "apps/api/src/lane/open-lane.ts", function: "openLane", change: ["replace", "!hasValidKey(idempotencyKey)", "false"] },
      { means: "the lane takes a browser's call", in: "apps/api/src/lane/open-lane.ts", function: "hasOrdinaryHead", change: ["without", "headers.origin"] },
    ],
    "a call that cannot be billed gets its failure, and one whose outcome is unknown gets none": [
      { means: "the lane answers when an outcome is unknown", in: "apps/api/src/lane/taken-call.ts", function: "TakenCall", change: ["replace", "this.#response.req.socket.destroy()", "this.answer(503, [], undefined)"] },
    ],
    "the limit refuses the same call, and lets the same call pass again": [
      { means: "the lane serves calls over the limit", in: "apps/api/src/lane/taken-call.ts", function: "TakenCall", change: ["replace", "outcome.allowed", "true"] },
    ],
    "a key stops working when it expires, is revoked, or when the feed of changes is stale": [
      { means: "the lane trusts an expired key", in: "apps/api/src/access/keys/authenticate-key.ts", function: "createAuthenticator", change: ["replace", "unlessExpired(findCached(key))", "findCached(key)"] },
    ],
  },
  "apps/api/test/lane/lane-or-framework.test.ts": {
    "with a wrong value gets the framework's answer": [
      { means: "the lane does not give back a body", in: "apps/api/src/lane/open-lane.ts", function: "openLane", change: ["drop", "request.unshift"] },
    ],
  },
  "apps/api/src/lane/read-bodies.test.ts": {
    "hands every doubtful body to the route": [
      { means: "the lane takes fractions for counts", in: "apps/api/src/lane/read-bodies.ts", function: "isCount", change: ["without", "Number.isInteger"] },
    ],
  },
  "apps/api/src/ads/clicks/track-offers.test.ts": {
    "is not paid for a click with a test key (test_key) [threat: fake-click]": [
      { means: "a test key's click is paid", in: "apps/api/src/ads/clicks/click-verdict.ts", function: "judgeFirstClick", change: ["drop", "offer.mode"] },
    ],
    "is not paid for a click after its end (expired) [threat: fake-click]": [
      { means: "an expired offer's click is paid", in: "apps/api/src/ads/clicks/click-verdict.ts", function: "judgeFirstClick", change: ["drop", "offer.expiresMs"] },
    ],
    "is not paid while the account is suspended": [
      { means: "a suspended account's click is paid", in: "apps/api/src/ads/clicks/click-verdict.ts", function: "judgeFirstClick", change: ["drop", "offer.accountStatus"] },
    ],
    "is not paid for a click of an ended campaign (campaign_ended) [threat: fake-click]": [
      { means: "a paused campaign pays", in: "apps/api/src/ads/clicks/click-verdict.ts", function: "judgePayment", change: ["without", "campaign.isActive"] },
    ],
    "is not paid for a click beyond the budget (budget_exhausted) [threat: fake-click]": [
      { means: "a campaign pays beyond its budget", in: "apps/api/src/ads/clicks/click-verdict.ts", function: "judgePayment", change: ["drop", "campaign.spentMicroUsd"] },
    ],
    "is paid once: a second click is a duplicate, and counted [threat: fake-click]": [
      { means: "a second click is paid", in: "apps/api/src/ads/clicks/decide-clicks.work.ts", function: "judge", change: ["drop", "state.clicked_at !== null"] },
    ],
    "is paid once when one batch holds a hundred clicks": [
      { means: "one batch pays an offer's clicks more than once", in: "apps/api/src/ads/clicks/decide-clicks.work.ts", function: "judge", change: ["drop", "click.atMs"] },
    ],
  },
  "apps/api/src/ads/campaigns/budgets.test.ts": {
    "spend a budget up to its end and never beyond it, however many run at once": [
      { means: "the budget's own guard is gone", in: "apps/api/src/ads/campaigns/budgets.table.ts", function: "spendOfCampaign", change: ["unchain", "eb"] },
    ],
  },
  "apps/api/src/ads/clicks/decide-clicks.test.ts": {
    "sees what was spent of its campaign's budget meanwhile": [
      { means: "campaigns are not locked while they are spent", in: "apps/api/src/ads/campaigns/budgets.table.ts", function: "lockCampaigns", change: ["unchain", "forUpdate"], needs: "postgres" },
    ],
  },
  "apps/api/src/ads/clicks/settlement.test.ts": {
    "reverses a pending click once: reversal entry, refund to budget and day, and removal from reports": [
      { means: "a reversal gives nothing back to the campaign", in: "apps/api/src/ads/clicks/reverse-clicks.work.ts", function: "work", change: ["drop", "refundCampaign"] },
    ],
    "reverses no confirmed click, and requires a reason": [
      { means: "a confirmed click is reversed", in: "apps/api/src/ads/clicks/reverse-clicks.work.ts", function: "work", change: ["replace", "click.status === \"pending\"", "click.status !== \"reversed\""] },
    ],
  },
};
