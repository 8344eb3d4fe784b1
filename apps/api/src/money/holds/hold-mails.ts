import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";

/** To the account's own address, with the operator's reason. */
export function holdMail(recipient: { to: string; accountId: string }, hold: { isOpened: boolean; reason: string }): Mail {
  const heading = hold.isOpened ? "Your payouts are on hold" : "A hold on your payouts was lifted";
  return {
    kind: hold.isOpened ? "hold_opened" : "hold_lifted",
    ...recipient,
    ...layOutMail({
      subject: heading,
      preview: hold.isOpened ? "What you earned stays with your account until an operator lifts the hold." : "What is payable can be paid out again.",
      heading,
      paragraphs: [
        hold.isOpened
          ? "An operator has put your account's payouts on hold. What you earned stays with your account. Nothing is paid out, and pending calls and clicks stay pending, until the hold is lifted."
          : "An operator has lifted a hold on your account's payouts. If no other hold is open, what is payable can be proposed for payout again.",
        `Reason: ${hold.reason}`,
      ],
      footnote: "If you have questions, contact the operator of this service. You received this email because this address belongs to an Assay account.",
    }),
  };
}
