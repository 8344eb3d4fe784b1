import type { Mutant } from "./mutant.ts";

const track = "packages/contract/src/measuring/track-session.ts";
const share = "packages/contract/src/measuring/scroll-share.ts";
const totals = "packages/contract/src/measuring/session-totals.ts";
const reports = "packages/react-native/src/send-reports.ts";
const collector = "packages/react-native/src/collector.ts";
const corpusTest = "clients/conformance/sessions.test.ts";
const appTest = "packages/react-native/src/collector.test.ts";

/** Faults in what every collector shares, and in the one for apps. */
export const phonesMutants: readonly Mutant[] = [
  {
    name: "a look at a long pause hides that it ended the session",
    file: track,
    from: "    passTimeNow();\n    renew();",
    to: "    renew();\n    passTimeNow();",
    killedBy: [corpusTest, "TypeScript: 20 min idle in view, hidden, and 10 min more are half an hour"],
  },
  {
    name: "a new session begins without the screen that is open",
    file: track,
    from: "if (isInView && hasView) view();",
    to: "",
    killedBy: [corpusTest, "TypeScript: half an hour in view without activity ends the session with the next input"],
  },
  {
    name: "the first screen is activity",
    file: track,
    from: "totals.returning = countVisit();",
    to: "totals.returning = countVisit();\n      endPause(totals);",
    killedBy: [corpusTest, "TypeScript: no activity: opening the first screen is none"],
  },
  {
    name: "what merely overflows can be scrolled",
    file: share,
    from: "range < rangeMin",
    to: "range <= 0",
    killedBy: [corpusTest, "TypeScript: what merely overflows cannot be scrolled"],
  },
  {
    name: "a pause of half an hour and more counts in full",
    file: totals,
    from: "sessionPauseMsMax - totals.pauseMs)",
    to: "Infinity)",
    killedBy: [corpusTest, "TypeScript: a tap after 2 s, then left open in view for an hour"],
  },
  {
    name: "an app that is offline floods its server when the connection is back",
    file: reports,
    from: "backOffMsMin * 2 ** failures",
    to: "backOffMsMin",
    killedBy: [appTest, "are repeated while there is no connection, ever more rarely, and at once when the app is back"],
  },
  {
    name: "a report that the server refuses is sent forever",
    file: reports,
    from: "status === 0 || status === 408",
    to: "status === 0 || status === 400 || status === 408",
    killedBy: [appTest, "are not repeated after 400"],
  },
  {
    name: "reports of an app pile up on the phone",
    file: reports,
    from: ".slice(-reportsMax)",
    to: "",
    killedBy: [appTest, "of one session replace each other while they wait; there are never more than ten"],
  },
  {
    name: "an app's visitor who objects is reported to Assay",
    file: collector,
    from: "if (site === undefined || visitorObjects) return undefined;",
    to: "if (site === undefined) return undefined;",
    killedBy: [appTest, "is nothing of a visitor who objects, who is not reported to Assay either"],
  },
  {
    name: "an app's report does not wait for the last beat",
    file: collector,
    from: "    await renewToken(reportMsMax);\n",
    to: "",
    killedBy: [appTest, "is reported to Assay while in the foreground, and its newest token to the app's server"],
  },
];
