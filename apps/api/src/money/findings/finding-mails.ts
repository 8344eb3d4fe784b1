import { usdOf, usdText } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";
import { titleOf } from "./finding-codes.ts";

type Recipient = { to: string; accountId: string };

const footnote = "If you have questions, contact the operator of this service. You received this email because this address belongs to an Assay account.";

const make = (kind: string, recipient: Recipient, content: { heading: string; preview: string; paragraphs: string[] }): Mail => ({
  kind,
  ...recipient,
  ...layOutMail({ subject: content.heading, ...content, footnote }),
});

const heldText = "Nothing is confirmed or paid out until it is decided. What you earned stays with your account.";
const answerText = "The dashboard's Findings page shows what it rests on. You can answer there, or accept it if it is right.";

export const findingOpenedMail = (recipient: Recipient, finding: { code: string; detail: string; isReopened: boolean }): Mail =>
  make("finding_opened", recipient, {
    heading: finding.isReopened ? "A finding about your traffic was opened again" : "A finding about your traffic",
    preview: heldText,
    paragraphs: [`${titleOf(finding.code)}. ${finding.detail}`, heldText, answerText],
  });

const decisionTexts = {
  upheld: "An operator has upheld the finding about your traffic.",
  dismissed: "An operator has dismissed the finding about your traffic.",
  accepted: "You have accepted the finding about your traffic.",
};

export type FindingDecision = keyof typeof decisionTexts;

export const findingDecidedMail = (
  recipient: Recipient,
  finding: { code: string; decision: FindingDecision; reason: string; reversedCalls: number; reversedMicroUsd: number },
): Mail =>
  make("finding_decided", recipient, {
    heading: `Finding ${finding.decision}`,
    preview: decisionTexts[finding.decision],
    paragraphs: [
      `${decisionTexts[finding.decision]} It was: ${titleOf(finding.code)}.`,
      `Reason: ${finding.reason}`,
      finding.reversedCalls > 0
        ? `Calls that were reversed: ${finding.reversedCalls}. This takes back ${usdText(usdOf(finding.reversedMicroUsd))} USD of your share.`
        : "No calls were reversed.",
      "If no other finding or hold is open, your calls are confirmed and paid as usual again.",
    ],
  });

export const findingsOverdueMail = (recipient: Recipient, overdue: readonly { id: string; code: string; email: string; opened_at: number }[]): Mail =>
  make("findings_overdue", recipient, {
    heading: "Findings wait for a decision",
    preview: "They hold developers' money until an operator decides.",
    paragraphs: [
      "These findings have been open for more than 14 days. They hold the money of their accounts until an operator decides, and never end by themselves:",
      ...overdue.map(({ id, code, email, opened_at }) => `${email}: ${titleOf(code)}, opened on ${isoTime(opened_at).slice(0, "YYYY-MM-DD".length)} (${id}).`),
    ],
  });
