import type { Mutant } from "./mutant.ts";

const recordDay = "apps/api/src/money/findings/record-day.work.ts";
const closing = "apps/api/src/money/findings/close-finding.work.ts";
const closeFinding = "apps/api/src/scoring/traffic/close-finding.ts";
const watching = "apps/api/src/scoring/traffic/watch-sessions.ts";
const watchTest = "apps/api/test/watch-sessions.test.ts";
const findingsTest = "apps/api/test/findings.test.ts";

const acceptance =
  "finds a constant body after three days: nothing is payable, the developer sees it and accepts it once, and all its sessions are reversed [threat: accept-cheaply] [threat: answer-markup]";
const cheap = "is not accepted by somebody else, nor once its first sessions are deleted, nor again after it was opened again [threat: accept-cheaply] [threat: others-finding]";

export const watchMutants: readonly Mutant[] = [
  {
    name: "a decision does not start the evidence anew",
    file: recordDay,
    from: "latest.filter((row) => row.at >= decidedAtMs)",
    to: "latest.filter(() => decidedAtMs >= 0)",
    killedBy: [watchTest, "counts anew after a dismissal, and finds the same body again [threat: dismissal-immunity]"],
  },
  {
    name: "an open finding does not name later days",
    file: recordDay,
    from: "if (!row || row.log_factor <= 0) continue;",
    to: "if (!row || row.log_factor >= 0) continue;",
    killedBy: [watchTest, "counts anew after a dismissal, and finds the same body again [threat: dismissal-immunity]"],
  },
  {
    name: "a day is checked before all of its records are stored",
    file: watching,
    from: "startOfDay(settings.nowMs - recordDelayMsMax)",
    to: "startOfDay(settings.nowMs)",
    killedBy: [watchTest, acceptance],
  },
  {
    name: "accepting a finding reverses its examples only",
    file: closeFinding,
    from: "  return closeInParts(store, closing, sessionIds);\n}\n",
    to: "  return closeInParts(store, closing, sessionIds.slice(0, 20));\n}\n",
    killedBy: [watchTest, acceptance],
  },
  {
    name: "a finding is accepted though sessions of its days are gone",
    file: closeFinding,
    from: "if (!(await isStored(store, finding.account_id, day)))",
    to: "if ((await isStored(store, finding.account_id, day)) === undefined)",
    killedBy: [findingsTest, cheap],
  },
  {
    name: "findings can be accepted again and again",
    file: closing,
    from: 'acceptedAt > closing.nowMs - acceptEveryMs ? "accepted_before" : undefined',
    to: 'acceptedAt > closing.nowMs + acceptEveryMs ? "accepted_before" : undefined',
    killedBy: [findingsTest, cheap],
  },
  {
    name: "a stranger accepts a finding",
    file: closing,
    from: "if (!known || (acceptedBy !== null && known.account_id !== acceptedBy))",
    to: "if (!known)",
    killedBy: [findingsTest, cheap],
  },
  {
    name: "retention removes the sessions of a held account",
    file: "apps/api/src/operations/delete-expired.ts",
    from: "if (!(await keepEvidence(store, options))) return { deleted: 0, isMore: true };",
    to: "if (options.isOver()) return { deleted: 0, isMore: true };",
    killedBy: [findingsTest, "keeps the sessions of unsettled days beyond retention, until they are settled"],
  },
];
