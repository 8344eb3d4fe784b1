import type { Mutant } from "./mutant.ts";

const written = "apps/api/src/webhooks/events/write-events.test.ts";
const told = "apps/api/test/webhooks/told-events.test.ts";
const table = "apps/api/src/webhooks/events/events.table.ts";
const ofKeys = "of keys: created, rotated, revoked, used in a browser, and about to expire, never the key or its name";
const ofLimits = "of limits: near and reached, once per limit and hour, whatever number of calls; not of test keys";

export const eventsMutants: readonly Mutant[] = [
  {
    name: "an event goes to every endpoint, whatever types it chose",
    file: table,
    from: 'each("types", "=", "*")',
    to: 'each("types", "!=", "")',
    killedBy: [written, "go to the active endpoints of their audience that chose the type, and to no other"],
  },
  {
    name: "a paused endpoint is told of new events",
    file: table,
    from: '.where("state", "=", "active")',
    to: '.where("state", "!=", "disabled")',
    killedBy: [written, "go to the active endpoints of their audience that chose the type, and to no other"],
  },
  {
    name: "an event goes to other accounts' endpoints",
    file: table,
    from: '.where("audience", "=", audience)\n        .where("state"',
    to: '.where("audience", "!=", "")\n        .where("state"',
    killedBy: [written, "go to the active endpoints of their audience that chose the type, and to no other"],
  },
  {
    name: "two nodes that notice the same condition both tell of it",
    file: "apps/api/src/webhooks/events/write-once.work.ts",
    from: `  await tx.change(lockHead(tx.db, event.audience));
  // A node that wrote it meanwhile held the head, and has committed.
  if ((await tx.run(selectOnce(tx.db, event))).length > 0) return "already_written";`,
    to: '  await tx.change(lockHead(tx.db, event.audience));\n  event = { ...event, onceKey: `${event.onceKey}:${event.id}` };',
    needs: "postgres",
    killedBy: [written, "with a key are written once, whichever nodes notice it"],
  },
  {
    name: "a payout step that is refused is told",
    file: "apps/api/src/money/payouts/move-payouts.work.ts",
    from: "      outcomes.push({ kind: \"wrong_state\", status: payout.status });\n",
    to: "      outcomes.push({ kind: \"wrong_state\", status: payout.status });\n      events.push(payoutEvent(move.to, payout));\n",
    killedBy: [told, "of a payout: each step to its account, once, and to the operators what waits for them; a refused step is not told"],
  },
  {
    name: "a hold is told with the reason that an operator wrote",
    file: "apps/api/src/money/holds/change-hold.work.ts",
    from: 'type: "hold.opened", data: { account_id: accountId, kind }',
    to: 'type: "hold.opened", data: { account_id: accountId, kind: `${kind} ${reason}` }',
    killedBy: [told, "of holds, also of those that come with a suspension, without the reason that an operator wrote"],
  },
  {
    name: "an overdue finding that was decided meanwhile is alerted all the same",
    file: "apps/api/src/money/findings/alert-overdue.work.ts",
    from: "if ((await tx.change(markAlerted(tx.db, { findingId: finding.id, nowMs }))) === 1) overdue.push(finding);",
    to: "await tx.change(markAlerted(tx.db, { findingId: finding.id, nowMs }));\n    overdue.push(finding);",
    needs: "postgres",
    killedBy: [told, "of an overdue finding: nothing, if it is decided at the same moment"],
  },
  {
    name: "a key that is replaced is announced as expiring",
    file: "apps/api/src/access/keys/keys.table.ts",
    from: '    .where("revoked_at", "is", null)\n    .where("replaced_by", "is", null)\n    .where("id", ">", page.afterId)',
    to: '    .where("revoked_at", "is", null)\n    .where("id", ">", page.afterId)',
    killedBy: [told, ofKeys],
  },
  {
    name: "an expiring key is told at every run",
    file: "apps/api/src/access/keys/tell-keys.ts",
    from: "onceKey: `key.expiring:${key.id}:${days}:${key.expires_at}`",
    to: "onceKey: `key.expiring:${key.id}:${days}:${Math.random()}`",
    killedBy: [told, ofKeys],
  },
  {
    name: "calls of test keys are told as the account's",
    file: "apps/api/src/access/limits/tell-limits.ts",
    from: 'subject.startsWith("acct_") && !subject.includes(":")',
    to: 'subject.startsWith("acct_")',
    killedBy: [told, ofLimits],
  },
  {
    name: "a limit is near only when nothing is left",
    file: "apps/api/src/access/limits/tell-limits.ts",
    from: "remaining * nearPart <= limit",
    to: "remaining * nearPart <= 0",
    killedBy: [told, ofLimits],
  },
  {
    name: "a limit is told at every call",
    file: "apps/api/src/access/limits/tell-limits.ts",
    from: "onceKey: `${type}:${limit}:${hour}`",
    to: "onceKey: `${type}:${limit}:${hour}:${Math.random()}`",
    killedBy: [told, ofLimits],
  },
  {
    name: "a budget is told as exhausted at every click after it is",
    file: "apps/api/src/ads/clicks/pay-clicks.ts",
    from: "leftMicroUsd < bidMicroUsd && leftMicroUsd + addedMicroUsd >= bidMicroUsd",
    to: "leftMicroUsd < 2 * bidMicroUsd",
    killedBy: [told, "of ads: clicks that are reversed, a budget that is used up, and a creative that waits for approval"],
  },
  {
    name: "a low balance is told at every run",
    file: "apps/api/src/money/corrections/tell-low-balances.ts",
    from: "onceKey: `balance.low:${depositSeq}`",
    to: "onceKey: `balance.low:${nowMs}:${Math.random()}`",
    killedBy: [told, "of prepaid money that runs out: once per deposit"],
  },
  {
    name: "the statement's event is written without its mail's record",
    file: "apps/api/src/money/statements/queue-statement.work.ts",
    from: 'if (inserted === 0) return "already_queued";',
    to: 'if (inserted === 0) {\n    await writeEvents(tx, [{ audience: accountId, type: "statement.closed", data: closed }], nowMs);\n    return "already_queued";\n  }',
    killedBy: [told, "of a statement: that the month is closed, once, in the transaction that queues its mail"],
  },
  {
    name: "a fresh installation announces its first model",
    file: "apps/api/src/scoring/tell-release.ts",
    from: "? before?.version : undefined",
    to: '? (before?.version ?? "none") : undefined',
    killedBy: [told, "of a new model: to every active account, once, and nothing on a fresh installation"],
  },
  {
    name: "what chance explains is told as drift",
    file: "apps/api/src/scoring/calibration/tell-drift.ts",
    from: "if (difference < differenceMin || difference < z * deviation) return undefined;",
    to: "if (difference < 0) return undefined;",
    killedBy: [told, "of outcomes that no longer go with the scores: once per month, and not of what chance explains"],
  },
];
