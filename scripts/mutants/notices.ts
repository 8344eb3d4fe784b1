import type { Mutant } from "./mutant.ts";

const room = "apps/api/src/people/notices";
const rules = `${room}/plan-digest.ts`;
const sendTest = `${room}/send-notices.test.ts`;
const linkTest = `${room}/unsubscribe.test.ts`;

export const noticesMutants: readonly Mutant[] = [
  {
    name: "a notice does not wait for what belongs to it",
    file: rules,
    from: "return isGathered && isTime ?",
    to: "return isTime ?",
    killedBy: [sendTest, "gather for a while, then tell everything in one mail, in the reader's words"],
  },
  {
    name: "notices follow each other at once",
    file: rules,
    from: "const isTime = noticedAtMs === null || nowMs >= noticedAtMs + spacingMs;",
    to: "const isTime = spacingMs > 0;",
    killedBy: [sendTest, "come once an hour at most, and sooner if they are about security"],
  },
  {
    name: "a notice about security waits for an hour",
    file: "apps/api/src/webhooks/events/notices.table.ts",
    from: 'eb("h.noticed_at", "<=", page.soonerMs),',
    to: 'eb("h.noticed_at", "<=", page.laterMs),',
    killedBy: [sendTest, "come once an hour at most, and sooner if they are about security"],
  },
  {
    name: "choices are not asked",
    file: `${room}/wanted-topics.ts`,
    from: "return chosen ? chosen.wanted === 1 : wantedByDefault[topic];",
    to: "return chosen === undefined || wantedByDefault[topic];",
    killedBy: [sendTest, "tell what was chosen; what nobody wants by mail only moves the cursor"],
  },
  {
    name: "security can be switched off",
    file: `${room}/wanted-topics.ts`,
    from: "if (mandatoryTopics.has(topic)) return true;",
    to: "",
    killedBy: [sendTest, "end with the link of a mail, except those about security, which have none"],
  },
  {
    name: "what has a mail of its own is mailed again",
    file: `${room}/told-by.ts`,
    from: 'return told.by === "digest" || (told.unless as ((data: unknown) => boolean) | undefined)?.(data) === true;',
    to: "return data !== undefined;",
    killedBy: [sendTest, "are not sent for what has a mail of its own"],
  },
  {
    name: "two nodes mail the same events",
    file: "apps/api/src/webhooks/events/notices.table.ts",
    from: ".$if(locksRows(db), (query) => query.forUpdate())",
    to: ".$if(locksRows(db), (query) => query)",
    killedBy: [sendTest, "are sent once when two nodes send at once"],
    needs: "postgres",
  },
  {
    name: "a notice is mailed and its events are not marked as told",
    file: `${room}/send-notice.work.ts`,
    from: "toSequence: plan.toSequence, mailedMs",
    to: "toSequence: 0, mailedMs",
    killedBy: [sendTest, "are neither lost nor sent twice if a node is interrupted"],
  },
  {
    name: "events that were not read count as told",
    file: `${room}/read-pending.ts`,
    from: "const readTo = isMore ? lastRead : cursor.sequence;",
    to: "const readTo = cursor.sequence;",
    killedBy: [sendTest, "take a flood in bounded steps: what does not fit into one mail comes with the next"],
  },
  {
    name: "a closed account is mailed",
    file: "apps/api/src/register/accounts.table.ts",
    from: '    .where("status", "!=", "closed")\n    .where("verified_at", "is not", null)\n',
    to: '    .where("verified_at", "is not", null)\n',
    killedBy: [sendTest, "go to a suspended account, and to no closed, unverified or demo account"],
  },
  {
    name: "a notice outlives the account that is erased meanwhile",
    file: "apps/api/src/register/accounts.table.ts",
    from: "account.isLocked && locksRows(db)",
    to: "account.isLocked && !account.isLocked && locksRows(db)",
    killedBy: [sendTest, "leave no mail behind if the account is erased at the same moment"],
    needs: "postgres",
  },
  {
    name: "a suspended operator is told what operators are told",
    file: "apps/api/src/register/accounts.table.ts",
    from: '    .where("status", "=", "active")\n    .where("verified_at", "is not", null)\n',
    to: '    .where("verified_at", "is not", null)\n',
    killedBy: [sendTest, "go to each operator by that operator's own choices, and to nobody else"],
  },
  {
    name: "a forged link ends mails",
    file: `${room}/unsubscribe-token.ts`,
    from: "if (!isToken(mac, macOf(key, `${accountId}.${joined}`))) return undefined;",
    to: "if (!isToken(mac, macOf(key, `${accountId}.${joined}`)) && mac.length < 43) return undefined;",
    killedBy: [linkTest, "is 404 when it is forged, changed, cut off or of a closed account, as a page or as JSON [threat: unsubscribe-link]"],
  },
  {
    name: "opening a link ends mails",
    file: `${room}/unsubscribe.routes.ts`,
    from: "if (!found) return sendBroken(request, reply);",
    to: "if (!found) return sendBroken(request, reply);\n        await unsubscribe(store, found, nowMs());",
    killedBy: [linkTest, "shows a page when it is opened, changes nothing, and reveals no address [threat: unsubscribe-link]"],
  },
  {
    name: "a link ends mails about security",
    file: `${room}/unsubscribe-token.ts`,
    from: ".filter((topic) => !mandatoryTopics.has(topic))",
    to: ".filter(() => mandatoryTopics.size > 0)",
    killedBy: [linkTest, "never ends mails about security"],
  },
  {
    name: "choices of notices survive their account",
    file: "apps/api/src/people/settle-closure.ts",
    from: "    deleteChoices(db, accountId),\n",
    to: "",
    killedBy: ["apps/api/src/people/close-account.test.ts", "erases all personal data, revokes the keys on every node and leaves the ledger intact"],
  },
];
