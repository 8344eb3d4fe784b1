import type { Mutant } from "./mutant.ts";

const request = "packages/sdk/src/make-scoring-request.ts";
const clientTest = "packages/sdk/src/assay.test.ts";

/** Faults in what the SDK sends and says of attested sessions. */
export const attestationSdkMutants: readonly Mutant[] = [
  {
    name: "the SDK sends on everything that a page has posted",
    file: request,
    from: "return { session_data: report.session_data, ...(token && { session_token: token }) };",
    to: "return { ...report, ...(token && { session_token: token }) } as ScoringRequest;",
    killedBy: [clientTest, "is sent without anything else that the page has posted"],
  },
  {
    name: "the SDK sends an empty token",
    file: request,
    from: "...(token && { session_token: token })",
    to: "...(token !== undefined && token !== null && { session_token: token })",
    killedBy: [clientTest, "is sent without a token if that is empty, null or left out"],
  },
  {
    name: "an empty token of the options hides the report's own",
    file: request,
    from: "sessionToken || report.session_token",
    to: "sessionToken ?? report.session_token",
    killedBy: [clientTest, "is sent with the token of the options, if there are two"],
  },
  {
    name: "the SDK takes a report for signals",
    file: request,
    from: '"session_data" in session',
    to: '"session_token" in session',
    killedBy: [clientTest, "is sent without a token if that is empty, null or left out"],
  },
  {
    name: "the SDK repeats a call whose session was used",
    file: "packages/sdk/src/retry-rules.ts",
    from: '(status === 409 && code === "idempotency_in_progress")',
    to: '(status === 409 && code !== "idempotency_conflict")',
    killedBy: [clientTest, "is not sent again after session_token_used, which no fallback hides"],
  },
  {
    name: "an installation that says nothing of attestation has attested",
    file: "packages/sdk/src/read-verdict.ts",
    from: 'attestation = "asserted"',
    to: 'attestation = "server_timed"',
    killedBy: [clientTest, "says that nothing was measured where an installation says nothing about it"],
  },
];
