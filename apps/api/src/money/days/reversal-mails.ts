import { usdOf, usdText } from "../../formats/money.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";

/** To the account's own address, with the reason. */
export function callsReversedMail(
  recipient: { to: string; accountId: string },
  reversal: { calls: number; developerMicroUsd: number; days: readonly string[]; reason: string },
): Mail {
  const { calls, developerMicroUsd, days, reason } = reversal;
  const [first, last] = [days[0]!, days.at(-1)!];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const heading = "Calls were reversed";
  return {
    kind: "calls_reversed",
    ...recipient,
    ...layOutMail({
      subject: heading,
      preview: `${usdText(usdOf(developerMicroUsd))} USD that calls ${when} earned was taken back.`,
      heading,
      paragraphs: [
        `${calls} ${calls === 1 ? "call" : "calls"} that you made ${when} will not be paid: ${usdText(usdOf(developerMicroUsd))} USD was taken back from what was pending. Your ledger and this month's statement show it.`,
        `Reason: ${reason}`,
      ],
      footnote: "If you have questions, contact the operator of this service. You received this email because this address belongs to an Assay account.",
    }),
  };
}
