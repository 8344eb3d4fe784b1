import type { StatementReply } from "@assay/contract/usage.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";

/** To the cent it would hide what a single call earns; more than four decimals nobody reads. */
const usd = (amount: number): string => `${amount < 0 ? "-" : ""}$${Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
const count = (value: number, one: string, many: string): string => `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;

/** What a month came to, in sentences. What did not happen is not mentioned. */
function tellSums(statement: StatementReply): string[] {
  const { ads, payouts } = statement;
  return [
    `${count(statement.calls, "billed call", "billed calls")} earned you ${usd(statement.developer_usd)}.`,
    ...(statement.charged_usd > 0 ? [`Your account was charged ${usd(statement.charged_usd)} for them.`] : []),
    ...(ads.clicks > 0 ? [`${count(ads.clicks, "click on an ad", "clicks on ads")} earned you ${usd(ads.developer_usd)}, of which ${usd(ads.pending_usd)} may still be reversed.`] : []),
    ...(statement.adjustments_usd === 0 ? [] : [`Corrections came to ${usd(statement.adjustments_usd)}.`]),
    ...(payouts.paid_usd > 0 ? [`${usd(payouts.paid_usd)} were paid out to you.`] : []),
    ...(payouts.returned_usd > 0 ? [`A payout of ${usd(payouts.returned_usd)} came back and is yours again.`] : []),
    `Your balance was ${usd(statement.opening_balance_usd)} at the beginning of the month and ${usd(statement.closing_balance_usd)} at its end.`,
  ];
}

export function statementMail(whom: { to: string; accountId: string }, about: { statement: StatementReply; publicUrl: string }): Mail {
  const { statement, publicUrl } = about;
  return {
    kind: "statement",
    ...whom,
    ...layOutMail({
      subject: `Your statement for ${statement.month}`,
      preview: `Earned by calls: ${usd(statement.developer_usd)}.`,
      heading: `Your statement for ${statement.month}`,
      paragraphs: tellSums(statement),
      button: { label: "See it in the dashboard", url: `${publicUrl}/dashboard/revenue` },
      footnote: "All sums are in US dollars and equal to the ledger; months are UTC. The dashboard has the statement as CSV and PDF. You get this mail because money moved on your Assay account.",
    }),
  };
}
