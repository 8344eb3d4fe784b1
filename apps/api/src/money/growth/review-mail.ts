import { usdOf } from "../../formats/money.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";

/** To the account's own address, with the operator's reason. */
export function reviewMail(recipient: { to: string; accountId: string }, review: { monthlyMicroUsd: number; reason: string }): Mail {
  const sum = `${usdOf(review.monthlyMicroUsd).toFixed(2)} USD`;
  return {
    kind: "growth_reviewed",
    ...recipient,
    ...layOutMail({
      subject: "Your account was reviewed",
      preview: `Calls and clicks can make up to ${sum} payable per month from now on.`,
      heading: "Your account was reviewed",
      paragraphs: [
        `An operator has reviewed your account. From now on, calls and clicks can make up to ${sum} payable per month. What waited for the review becomes payable up to that sum at once, and the rest with later months.`,
        "What you earn beyond that stays with your account.",
        `Reason: ${review.reason}`,
      ],
      footnote: "If you have questions, contact the operator of this service. You received this email because this address belongs to an Assay account.",
    }),
  };
}
