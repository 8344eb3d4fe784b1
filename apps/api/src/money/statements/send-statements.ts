import type { StatementReply } from "@assay/contract/usage.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";
import type { Store } from "../../store/store.ts";
import { makeStatement, monthOf, numberOf, parseMonth } from "./make-statement.ts";
import type { StatementMail } from "./queue-statement.work.ts";
import { selectAccountsToMail } from "./statement-mails.table.ts";

const queueModule = new URL("./queue-statement.work.ts", import.meta.url);

/** By then every node has committed the calls of the month's last moment. */
const closeDelayMs = msPerHour;
/** Entries are logged within a minute. A statement does not wait for a log that stands still. */
const logDelayMsMax = msPerDay;
/** After a longer downtime, older months are not mailed any more. */
const monthsBackMax = 3;
const accountsPerPage = 200;

/** Four decimals: cents would hide what a single call earns. */
const usd = (amount: number): string => `${amount < 0 ? "-" : ""}$${Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
const count = (value: number, one: string, many: string): string => `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;

/** The month's totals as sentences, without those that are zero. */
function describeTotals(statement: StatementReply): string[] {
  const { ads, payouts } = statement;
  return [
    `${count(statement.calls, "billed call", "billed calls")} earned you ${usd(statement.developer_usd)}.`,
    ...((statement.calls_settlement?.pending_usd ?? 0) > 0 ? [`${usd(statement.calls_settlement!.pending_usd)} of it was still pending at the end of the month.`] : []),
    ...((statement.call_reversals ?? []).length > 0 ? [`${usd(statement.calls_reversed_usd)} was taken back for calls; the statement says why.`] : []),
    ...(statement.charged_usd > 0 ? [`Your account was charged ${usd(statement.charged_usd)} for them.`] : []),
    ...(ads.clicks > 0 ? [`${count(ads.clicks, "click on an ad", "clicks on ads")} earned you ${usd(ads.developer_usd)}, of which ${usd(ads.pending_usd)} can still be reversed.`] : []),
    ...(statement.deposits_usd > 0 ? [`You paid in ${usd(statement.deposits_usd)} for calls.`] : []),
    ...(statement.adjustments_usd === 0 ? [] : [`Adjustments changed your balance by ${usd(statement.adjustments_usd)}.`]),
    ...(payouts.paid_usd > 0 ? [`You were paid out ${usd(payouts.paid_usd)}.`] : []),
    ...(payouts.returned_usd > 0 ? [`A payout of ${usd(payouts.returned_usd)} was returned to your balance.`] : []),
    `Your balance was ${usd(statement.opening_balance_usd)} at the start of the month and ${usd(statement.closing_balance_usd)} at the end.`,
  ];
}

/** A mail that is kept is a receipt that nobody else can change. */
function describeReceipt({ last_receipt: lastReceipt, checkpoint }: StatementReply): string[] {
  if (checkpoint === undefined || lastReceipt === null) return [];
  const covered = checkpoint
    ? `The log ${checkpoint.origin} covers it: its signed checkpoint of ${count(checkpoint.size, "entry", "entries")} has the root ${checkpoint.root}.`
    : "It is not in the log yet.";
  return [`The month's last receipt is ${lastReceipt}. ${covered} Keep this email: whoever changes the ledger later contradicts it.`];
}

function statementMail(recipient: { to: string; accountId: string }, statement: StatementReply, publicUrl: string): Mail {
  return {
    kind: "statement",
    ...recipient,
    ...layOutMail({
      subject: `Your statement for ${statement.month}`,
      preview: `Your calls earned ${usd(statement.developer_usd)}.`,
      heading: `Your statement for ${statement.month}`,
      paragraphs: [...describeTotals(statement), ...describeReceipt(statement)],
      button: { label: "View in the dashboard", url: `${publicUrl}/dashboard/revenue` },
      footnote: "All amounts are in US dollars and match the ledger. Months are in UTC. The dashboard has the statement as CSV and PDF. You received this email because money moved in your Assay account.",
    }),
  };
}

const closedData = (accountId: string, { month, closing_balance_usd: closingUsd }: StatementReply): StatementMail["closed"] => ({
  account_id: accountId,
  month,
  document_number: numberOf(month, accountId),
  closing_usd: closingUsd,
});

/** The months that are over, oldest first. */
export function closedMonths(nowMs: number): string[] {
  const at = new Date(nowMs - closeDelayMs);
  return Array.from({ length: monthsBackMax }, (_, index) => monthOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - (monthsBackMax - index))));
}

type Sending = { nowMs: number; isOver: () => boolean; publicUrl: string };

async function sendMonth(store: Store, month: string, { nowMs, isOver, publicUrl }: Sending): Promise<{ queued: number; isMore: boolean }> {
  const span = parseMonth(month)!;
  let queued = 0;
  for (let afterId = ""; ; ) {
    const accounts = await selectAccountsToMail(store.db, { month, ...span, afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, email } of accounts) {
      if (isOver()) return { queued, isMore: true };
      const statement = (await makeStatement(store, { accountId, month, nowMs }))!;
      afterId = accountId;
      const isWaiting = statement.checkpoint === null && statement.last_receipt !== null && nowMs < span.toMs + logDelayMsMax;
      if (isWaiting) continue;
      const mail = statementMail({ to: email, accountId }, statement, publicUrl);
      const outcome = await store.transact<StatementMail, "queued" | "already_queued">(queueModule, { accountId, month, mail, closed: closedData(accountId, statement), nowMs });
      if (outcome === "queued") queued += 1;
    }
    if (accounts.length < accountsPerPage) return { queued, isMore: false };
  }
}

/** Mails each account its statement of every closed month in which its money moved, once, when the log covers the month. */
export async function sendStatements(
  store: Store,
  options: Omit<Sending, "publicUrl"> & { publicUrl: string | undefined },
): Promise<{ queued: number; isMore: boolean }> {
  const { publicUrl, nowMs } = options;
  if (publicUrl === undefined) return { queued: 0, isMore: true };
  let queued = 0;
  for (const month of closedMonths(nowMs)) {
    const sent = await sendMonth(store, month, { ...options, publicUrl });
    queued += sent.queued;
    if (sent.isMore) return { queued, isMore: true };
  }
  return { queued, isMore: false };
}
