import type { StatementReply } from "@assay/contract/usage.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";

/** Four decimals: cents would hide what a single call earns. */
const usd = (amount: number): string => `${amount < 0 ? "-" : ""}$${Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
const count = (value: number, one: string, many: string): string => `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;

/** The month's totals as sentences, without those that are zero. */
function describeTotals(statement: StatementReply): string[] {
  const { ads, payouts } = statement;
  return [
    `${count(statement.calls, "billed call", "billed calls")} earned you ${usd(statement.developer_usd)}.`,
    ...(statement.charged_usd > 0 ? [`Your account was charged ${usd(statement.charged_usd)} for them.`] : []),
    ...(ads.clicks > 0 ? [`${count(ads.clicks, "click on an ad", "clicks on ads")} earned you ${usd(ads.developer_usd)}, of which ${usd(ads.pending_usd)} can still be reversed.`] : []),
    ...(statement.adjustments_usd === 0 ? [] : [`Adjustments changed your balance by ${usd(statement.adjustments_usd)}.`]),
    ...(payouts.paid_usd > 0 ? [`You were paid out ${usd(payouts.paid_usd)}.`] : []),
    ...(payouts.returned_usd > 0 ? [`A payout of ${usd(payouts.returned_usd)} was returned to your balance.`] : []),
    `Your balance was ${usd(statement.opening_balance_usd)} at the start of the month and ${usd(statement.closing_balance_usd)} at the end.`,
  ];
}

export function statementMail(recipient: { to: string; accountId: string }, { statement, publicUrl }: { statement: StatementReply; publicUrl: string }): Mail {
  return {
    kind: "statement",
    ...recipient,
    ...layOutMail({
      subject: `Your statement for ${statement.month}`,
      preview: `Your calls earned ${usd(statement.developer_usd)}.`,
      heading: `Your statement for ${statement.month}`,
      paragraphs: describeTotals(statement),
      button: { label: "View in the dashboard", url: `${publicUrl}/dashboard/revenue` },
      footnote: "All amounts are in US dollars and match the ledger. Months are in UTC. The dashboard has the statement as CSV and PDF. You received this email because money moved in your Assay account.",
    }),
  };
}
