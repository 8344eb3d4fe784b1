import type { Mutant } from "./mutant.ts";

const notices = "apps/api/src/scoring/traffic/find-notices.ts";
const networks = "apps/api/src/scoring/traffic/sum-up-networks.ts";
const noticesTest = "apps/api/src/scoring/traffic/find-notices.test.ts";
const networksTest = "apps/api/src/scoring/traffic/sum-up-networks.test.ts";
const watchTest = "apps/api/test/watch-sessions.test.ts";
const developerTest = "apps/api/src/console/developer/developer.test.ts";

const noticed = "tell of attested calls of which most came from one network, if there were enough";
const watched = "notices on the day itself that most attested calls came from one network, holds nothing for it, and shows the operator how many there were";
const shared = "shows which of the calls of 30 days were attested, today included and older ones not";

export const attestationPagesMutants: readonly Mutant[] = [
  {
    name: "half of the attested calls from one network are noticed",
    file: notices,
    from: "if (share <= networkShareMax) return undefined;",
    to: "if (share < networkShareMax) return undefined;",
    killedBy: [noticesTest, noticed],
  },
  {
    name: "a handful of attested calls is noticed",
    file: notices,
    from: "if (!networks || networks.calls < networkCallsMin) return undefined;",
    to: "if (!networks) return undefined;",
    killedBy: [noticesTest, noticed],
  },
  {
    name: "networks of another day are noticed",
    file: "apps/api/src/scoring/traffic/watch-sessions.ts",
    from: "sumUpNetworkDays(parts).find((each) => each.day === place.day)",
    to: "sumUpNetworkDays(parts)[1]",
    killedBy: [watchTest, watched],
  },
  {
    name: "an operator sees networks of calls that are long past",
    file: "apps/api/src/scoring/traffic/read-integrity.ts",
    from: "selectNetworkDays(store.db, { accountId, fromDay: nowMs - reviewedDays * msPerDay })",
    to: "selectNetworkDays(store.db, { accountId, fromDay: 0 })",
    killedBy: [watchTest, watched],
  },
  {
    name: "networks that two processes saw are counted twice",
    file: networks,
    from: "networks: Math.max(...parts.map(({ networks }) => networks)),",
    to: "networks: parts.reduce((sum, part) => sum + part.networks, 0),",
    killedBy: [networksTest, "are summed up by day: calls of all processes, the networks of the one that saw most"],
  },
  {
    name: "a quiet day weighs as much as a busy one",
    file: networks,
    from: "top_share: days.reduce((sum, day) => sum + day.topCalls, 0) / calls,",
    to: "top_share: days.reduce((sum, day) => sum + day.topCalls / day.calls, 0) / days.length,",
    killedBy: [networksTest, "of many days: a day with more calls weighs more, and networks are those of the best day"],
  },
  {
    name: "the overview leaves out the calls of this hour",
    file: "apps/api/src/console/developer/read-overview.ts",
    from: "fromMs: firstSummedDay(nowMs), toMs: hourAfter(nowMs)",
    to: "fromMs: firstSummedDay(nowMs), toMs: startOfHour(nowMs)",
    killedBy: [developerTest, shared],
  },
  {
    name: "calls with a token count as attested",
    file: "apps/api/src/console/developer/read-overview.ts",
    from: "attested_calls: attested.attested",
    to: "attested_calls: attested.calls",
    killedBy: [developerTest, shared],
  },
  {
    name: "a campaign is opened to any session by leaving its attestation out",
    file: "apps/dashboard/src/pages/operator/campaign-values.ts",
    from: 'min_attestation: values.min_attestation === "" ? null : values.min_attestation,',
    to: 'min_attestation: values.min_attestation === "" ? undefined! : values.min_attestation,',
    killedBy: ["apps/dashboard/src/pages/operator/campaign-values.test.ts", "asks for attested sessions if chosen, and for any session again as null"],
  },
  {
    name: "another origin than the refused one is named",
    file: "apps/dashboard/src/pages/sites/site-values.ts",
    from: "sent.origins[Number(place)]",
    to: "sent.origins[Number(place) - 1]",
    killedBy: ["apps/dashboard/src/pages/sites/site-values.test.ts", "show a refusal at the field that it is about, with the origin that it means, and any other above the form"],
  },
];
