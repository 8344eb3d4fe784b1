import type { Mutant } from "./mutant.ts";

const attestedOnly = "apps/api/src/ads/auction/attested-only.test.ts";
const demo = "apps/api/src/cli/demo/make-demo.test.ts";
const demoTitle = "goes from calls to a payout by the rules for everybody, and no total includes it";
const hostileTokens = "apps/api/test/attestation/hostile-tokens.test.ts";
const neverOffered = "is never offered to another session, and serves to an attested one like any campaign";

export const attestationAdsMutants: readonly Mutant[] = [
  {
    name: "a campaign that asks for attested sessions serves to any",
    file: "apps/api/src/ads/auction/may-serve.ts",
    from: 'if (columns.attestedOnly[campaign] === 1 && !context.isAttested) return "trust_required";',
    to: "",
    killedBy: [attestedOnly, neverOffered],
  },
  {
    name: "attestation is asked for only together with a minimum trust",
    file: "apps/api/src/ads/auction/may-serve.ts",
    from: "columns.attestedOnly[campaign] === 1 && !context.isAttested",
    to: "columns.attestedOnly[campaign] === 1 && minTrust > 0 && !context.isAttested",
    killedBy: [attestedOnly, "may ask for a minimum trust as well; whichever is missing, the reason is the trust"],
  },
  {
    name: "every campaign asks for attested sessions",
    file: "apps/api/src/ads/auction/may-serve.ts",
    from: "columns.attestedOnly[campaign] === 1 && !context.isAttested",
    to: "!context.isAttested",
    killedBy: [attestedOnly, "does not change what other campaigns get, attested or not"],
  },
  {
    name: "a session counts as attested without a measured signal",
    file: "apps/api/src/ads/serving/session-trust.ts",
    from: "row.attested !== null && row.attested > 0",
    to: "row.attested !== null",
    killedBy: ["apps/api/src/ads/serving/session-trust.test.ts", "is attested if the service measured any of its signals"],
  },
  {
    name: "a verified session counts as attested",
    file: "apps/api/src/ads/serving/request-ad.ts",
    from: "isAttested: session?.isAttested,",
    to: "isAttested: session !== undefined,",
    killedBy: ["apps/api/src/ads/serving/request-ad.test.ts", "matches a campaign that asks for attested sessions only with one of the account's own"],
  },
  {
    name: "a node forgets that a campaign asks for attested sessions",
    file: "apps/api/src/ads/campaigns/read-inventory.ts",
    from: "attestedOnly: row.min_attestation !== null,",
    to: "attestedOnly: false,",
    killedBy: ["apps/api/src/ads/serving/request-ad.test.ts", "matches a campaign that asks for attested sessions only with one of the account's own"],
  },
  {
    name: "an edit of something else clears the attestation that a campaign asks for",
    file: "apps/api/src/ads/campaigns/describe-campaign.ts",
    from: "min_attestation: row.min_attestation,",
    to: "min_attestation: null,",
    killedBy: ["apps/api/src/ads/campaigns/campaigns-over-http.test.ts", "can ask for attested sessions, from a file or by an operator, and stop asking"],
  },
  {
    name: "asserted sessions count among those that a campaign was eligible for",
    file: "apps/api/src/ads/auction/auction-statistics.ts",
    from: "campaign.attestedOnly ? attestedByTrust : byTrust",
    to: "byTrust",
    killedBy: ["apps/api/src/ads/auction/explain-serving.test.ts", "count only attested sessions for a campaign that asks for them, and say so"],
  },
  {
    name: "an answer repeats a session token",
    file: "apps/api/src/attestation/answer-beat.ts",
    from: 'if (opened.kind === "invalid") throw invalidToken();',
    to: 'if (opened.kind === "invalid") throw new Failure("invalid_request", `${token} is not a valid session token`);',
    killedBy: [hostileTokens, "is refused wherever a bit of a real one was changed, without repeating it, and nothing is billed"],
  },
  {
    name: "two texts are the same session token",
    file: "apps/api/src/attestation/tokens/session-tokens.ts",
    from: 'if (bytes.toString("base64url") !== parts[2]) return { kind: "invalid" };',
    to: "",
    killedBy: [hostileTokens, "is refused when it was cut short, lengthened, doubled or made up"],
  },
  {
    name: "every demo account's sessions are attested",
    file: "apps/api/src/cli/demo/make-demo.ts",
    from: "const visit = account === shop ? pages.visit : withoutPages;",
    to: "const visit = pages.visit;",
    killedBy: [demo, demoTitle],
  },
  {
    name: "a demo's attested calls are missing from the counts of its site",
    file: "apps/api/src/cli/demo/make-demo.ts",
    from: "  await pages.close();\n",
    to: "",
    killedBy: [demo, demoTitle],
  },
];
