import type { Mutant } from "./mutant.ts";

const attest = "packages/contract/src/measuring/attest-session.ts";
const track = "packages/contract/src/measuring/track-session.ts";
const collector = "packages/collector/src/collector.ts";
const script = "apps/api/src/attestation/collector-script.route.ts";
const attestTest = "packages/collector/src/attest-session.test.ts";
const visitsTest = "packages/collector/src/attested-visits.test.ts";
const scriptTest = "apps/api/src/attestation/collector-script.route.test.ts";

/** Faults in what pages report to the service, and in the script that they load. */
export const attestationCollectorMutants: readonly Mutant[] = [
  {
    name: "what a lost answer was for is not reported again",
    file: attest,
    from: "attested.failures += 1;",
    to: "attested.failures += 1;\n      attested.covered = counts;",
    killedBy: [attestTest, "repeats what an answer was lost for, from the token it has, and counts nothing twice"],
  },
  {
    name: "every beat reports the whole session again",
    file: attest,
    from: "d: countsSince(counts, asked.covered)",
    to: "d: counts",
    killedBy: [visitsTest, "with clicks, keys and scrolling"],
  },
  {
    name: "a page that nobody sees calls the service",
    file: attest,
    from: "if (isStopped || !isInView()) return nothing;",
    to: "if (isStopped) return nothing;",
    killedBy: [attestTest, "calls the service for a hidden tab never, for one that is hidden once more, and reports after that answer"],
  },
  {
    name: "two requests of a page are under way at once",
    file: attest,
    from: "if (running) return running;",
    to: "",
    killedBy: [attestTest, "asks for a token once for all who ask at the same time, and at most one request is ever under way"],
  },
  {
    name: "whoever asks for a token ends the wait that the service has asked for",
    file: attest,
    from: "(failures > 0 || !hasNews)",
    to: "!hasNews",
    killedBy: [attestTest, "waits as long as a refusal says, on the next page too, and retries at once when the connection is back"],
  },
  {
    name: "the wait that the service asks for is not respected",
    file: attest,
    from: "Math.max(backOffMs, retryAfterMs)",
    to: "backOffMs",
    killedBy: [attestTest, "waits as long as a refusal says, on the next page too, and retries at once when the connection is back"],
  },
  {
    name: "waits after failures do not grow",
    file: attest,
    from: "backOffMsMin * 2 ** attested.failures",
    to: "backOffMsMin",
    killedBy: [attestTest, "backs off while the service fails, and the page notices nothing"],
  },
  {
    name: "a new token counts what an expired one has counted",
    file: attest,
    from: "const covered = countsOf(session.totals);",
    to: "const covered = countsOf(newTotals(0));",
    killedBy: [attestTest, "starts anew where its token has expired, without what was counted before"],
  },
  {
    name: "an expired token ends attestation",
    file: attest,
    from: 'isStopped = !asked.token || reply.error !== "session_token_expired";',
    to: "isStopped = true;",
    killedBy: [visitsTest, "goes on where its token has expired, as a new session of the service"],
  },
  {
    name: "a token that was refused is handed on",
    file: attest,
    from: "      startOver(later);\n",
    to: "",
    killedBy: [attestTest, "stops for this page when its token is refused, and hands that token to nobody"],
  },
  {
    name: "a new session goes on with the old one's token",
    file: track,
    from: "session = { totals: newTotals(nowMs()), sequence: session.sequence };",
    to: "session = { ...session, totals: newTotals(nowMs()) };",
    killedBy: [attestTest, "has the new session attested after half an hour without activity, and asks nothing while nobody is there"],
  },
  {
    name: "a visitor's objection is not heard",
    file: collector,
    from: "if (site === undefined || asksForPrivacy()) return undefined;",
    to: "if (site === undefined) return undefined;",
    killedBy: [attestTest, "never calls the service under globalPrivacyControl, and reports as ever"],
  },
  {
    name: "a token from before a visitor objected is reported",
    file: collector,
    from: "(attestor && tracker.session().attested?.token)",
    to: "tracker.session().attested?.token",
    killedBy: [attestTest, "never calls the service under doNotTrack, and reports as ever"],
  },
  {
    name: "a report does not wait for the beat before it",
    file: collector,
    from: "else void renewToken(reportMsMax).then(sendWaiting);",
    to: "else sendWaiting();",
    killedBy: [attestTest, "reports in order to the page's own server, each change once, with the newest token"],
  },
  {
    name: "a report waits for a service that does not answer",
    file: collector,
    from: "Promise.race([attestor?.beat(), ",
    to: "Promise.all([attestor?.beat(), ",
    killedBy: [attestTest, "works without the service: refused connections, and a service that never answers"],
  },
  {
    name: "a compressed script has the plain one's tag",
    file: script,
    from: "createHash(\"sha256\").update(bytes)",
    to: "createHash(\"sha256\").update(file)",
    killedBy: [scriptTest, "is not sent again to those who have it, in the form that they have"],
  },
  {
    name: "a refused encoding is used",
    file: script,
    from: "name === encoding && !parameters.some((parameter) => /^q=0(\\.0*)?$/.test(parameter))",
    to: "name === encoding",
    killedBy: [scriptTest, "is sent as the browser can read it, in as few bytes as possible"],
  },
];
