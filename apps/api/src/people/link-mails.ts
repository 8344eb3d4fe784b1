import { layOutMail } from "../mail/lay-out-mail.ts";
import type { Mail } from "../mail/queue-mail.ts";

export type LinkDecision = "unlinked" | "owner_proven" | "other_proven" | "linked_again" | "proof_withdrawn";

const texts: Record<LinkDecision, { heading: string; paragraph: string }> = {
  unlinked: {
    heading: "Your account is no longer linked to another one",
    paragraph: "Another account had named the same bank account or tax number before yours did. An operator has ended this link: its holds no longer keep your money back.",
  },
  owner_proven: {
    heading: "The bank account or tax number is yours",
    paragraph: "Another account had named the same bank account or tax number before yours did. An operator has accepted your proof that it is yours: the other account's holds no longer keep your money back, and that account is linked to yours instead.",
  },
  other_proven: {
    heading: "Your account is linked to another one",
    paragraph: "Another account has proved to an operator that the bank account or tax number that both accounts named is its own. Your account is linked to it from now on: it shares that account's holds and what it may be paid without a review.",
  },
  linked_again: {
    heading: "Your account is linked to another one again",
    paragraph: "An operator has taken back the decision that ended the link between your account and one that named the same bank account or tax number before yours did.",
  },
  proof_withdrawn: {
    heading: "Your account is no longer linked to the other one",
    paragraph: "An operator has taken back the decision that a bank account or tax number that your account named is another account's. Your account is no longer linked to that one for it.",
  },
};

/** To the account's own address, without a word about who the other one is. Only the account that was decided about is told the reason, which may be about its bank. */
export function linkMail(recipient: { to: string; accountId: string }, { decision, reason }: { decision: LinkDecision; reason: string | undefined }): Mail {
  const { heading, paragraph } = texts[decision];
  return {
    kind: "link_decided",
    ...recipient,
    ...layOutMail({
      subject: heading,
      preview: paragraph,
      heading,
      paragraphs: [paragraph, ...(reason === undefined ? [] : [`Reason: ${reason}`])],
      footnote: "If you have questions, contact the operator of this service. You received this email because this address belongs to an Assay account.",
    }),
  };
}
