import type { Audience, EventData, EventType } from "@assay/contract/webhooks.ts";

/** One line per event, in the reader's words. Events hold no personal data, and neither do these. */
type Lines = { [Each in EventType]: (data: EventData<Each>, audience: Audience) => string };

/** Up to four decimals: cents would hide what a few calls earn. */
const usd = (amount: number): string => `${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })} USD`;
const count = (value: number, one: string): string => `${value.toLocaleString("en-US")} ${one}${value === 1 ? "" : "s"}`;
const share = (value: number): string => `${Math.round(value * 100)} %`;
const minute = (isoText: string): string => `${isoText.slice(0, 16).replace("T", " ")} UTC`;

type Key = { mode: string; last_four: string };
const keyName = ({ mode, last_four: lastFour }: Key): string => `${mode} key ending in ${lastFour}`;

type Limit = { limit: string; calls: number };
const limitName = ({ limit, calls }: Limit): string => `${count(calls, "call")} per ${limit === "burst" ? "minute" : "hour"}`;

/** A finding as its reader knows it: a developer's own one, or one of some account. */
const findingName = ({ finding_id: findingId, account_id: accountId }: { finding_id: string; account_id: string }, audience: Audience): string =>
  audience === "developer" ? `finding ${findingId} about your traffic` : `finding ${findingId} about account ${accountId}`;

const disabledReasons = { gone: "it answered 410", failing: "it failed for a week" };

const lines: Lines = {
  "payout.proposed": ({ amount_usd: amount, month }) => `A payout of ${usd(amount)} for ${month} was proposed. It waits for an operator's approval.`,
  "payout.approved": ({ amount_usd: amount }) => `Your payout of ${usd(amount)} was approved.`,
  "payout.exported": ({ amount_usd: amount }) => `Your payout of ${usd(amount)} is on its way to the bank.`,
  "payout.paid": ({ amount_usd: amount }) => `Your payout of ${usd(amount)} was paid.`,
  "payout.returned": ({ amount_usd: amount }) => `Your payout of ${usd(amount)} came back. Check your payout details.`,
  "payout.cancelled": ({ amount_usd: amount }) => `Your payout of ${usd(amount)} was cancelled. Its amount is in your balance again.`,
  "hold.opened": () => "Your payouts are on hold.",
  "hold.lifted": () => "A hold on your payouts was lifted.",
  "payee.changed": () => "Your payout details were changed.",
  "review.needed": ({ waiting_usd: waiting, account_id: accountId }, audience) =>
    audience === "developer" ? `${usd(waiting)} of your earnings waits until an operator has reviewed your account.` : `${usd(waiting)} of account ${accountId} waits for a review.`,
  "review.done": ({ monthly_usd: monthly }) =>
    monthly === null ? "The review of your account was taken back: further earnings wait for a new one." : `An operator reviewed your account: calls and clicks can make up to ${usd(monthly)} payable per month.`,
  "earnings.waiting": ({ waiting_usd: waiting, day, account_id: accountId }, audience) =>
    audience === "developer"
      ? `${usd(waiting)} that you earned on ${day} waits: nobody can examine it. Say what it was on your Revenue page.`
      : `${usd(waiting)} that account ${accountId} earned on ${day} waits for a decision.`,
  "earnings.settled": ({ settled_usd: settled, day }) => `An operator settled ${usd(settled)} that you earned on ${day}.`,
  "statement.closed": ({ month }) => `Your statement for ${month} is final.`,
  "adjustment.made": ({ kind, amount_usd: amount }) => (kind === "deposit" ? `A deposit of ${usd(amount)} was booked.` : `An adjustment of ${usd(amount)} was booked.`),
  "calls.reversed": ({ calls, developer_usd: amount }) => `${count(calls, "call")} that had earned ${usd(amount)} ${calls === 1 ? "was" : "were"} reversed.`,
  "clicks.reversed": ({ clicks, developer_usd: amount }) => `${count(clicks, "click")} that had earned ${usd(amount)} ${clicks === 1 ? "was" : "were"} reversed.`,
  "finding.opened": (data, audience) => `The check ${data.check} opened ${findingName(data, audience)}. Money is held until it is decided.`,
  "finding.answered": (data, audience) => (audience === "developer" ? `Your answer to ${findingName(data, audience)} has arrived.` : `The developer answered ${findingName(data, audience)}.`),
  "finding.overdue": (data, audience) => `Since ${data.opened_at.slice(0, 10)}, ${findingName(data, audience)} waits for an operator's decision.`,
  "finding.decided": (data, audience) => `What became of ${findingName(data, audience)}: it was ${data.decision}.`,
  "balance.low": ({ spendable_usd: spendable, calls_left: calls }) => `Your prepaid balance is low: ${usd(spendable)} pays for ${count(calls, "more call")}.`,
  "key.created": (data) => `A ${keyName(data)} was created.`,
  "key.expiring": (data) => `Your ${keyName(data)} stops working on ${minute(data.expires_at)}.`,
  "key.revoked": (data) => (data.works_until === null ? `Your ${keyName(data)} was revoked.` : `Your ${keyName(data)} was replaced. It works until ${minute(data.works_until)}.`),
  "key.used_in_browser": (data) => `Your ${keyName(data)} was sent by a browser, so visitors can read it. Replace it.`,
  "limit.near": (data) => `80 % of your limit of ${limitName(data)} is used up.`,
  "limit.reached": (data) => `Your limit of ${limitName(data)} was reached, and calls were refused.`,
  "model.released": ({ model_version: version, previous_version: previous, switches_at: switchesAt }) =>
    `Model ${version} has replaced ${previous}; the model card says what changes. ${
      // Events of earlier versions have no such time.
      switchesAt ? `Your sessions keep ${previous} until ${minute(switchesAt)}. To stay on it longer, pin it in your settings.` : "It scores your sessions now, unless you have pinned another."
    }`,
  "model.sunset": ({ model_version: version, ends_at: endsAt }) => `Model ${version}, which you use, ends for you on ${minute(endsAt)}. From then on the newest model scores your sessions. Compare both in your settings.`,
  "calibration.drifted": ({ sessions, expected_share: expected, observed_share: observed }) =>
    `The outcomes of ${count(sessions, "session")} no longer go with their scores as before: with good and bad ones weighing the same, scores promise ${share(observed)} good ones, and before it was ${share(expected)}.`,
  "campaign.exhausted": ({ campaign_id: campaignId }) => `The budget of campaign ${campaignId} is used up.`,
  "creative.pending": ({ campaign_id: campaignId, creative_id: creativeId }) => `Creative ${creativeId} of campaign ${campaignId} waits for approval.`,
  "payout.waiting": ({ payouts, amount_usd: amount }) => `${count(payouts, "payout")} of ${usd(amount)} in total ${payouts === 1 ? "waits" : "wait"} for approval.`,
  "tier.requested": ({ account_id: accountId, tier }) => `Account ${accountId} asks for the tier ${tier}.`,
  "funding.low": ({ available_usd: available, owed_usd: owed }) => `Funds are low: ${usd(available)} is available, and ${usd(owed)} is owed.`,
  "job.failing": ({ job, failures }) => `The job ${job} has failed ${failures} times in a row.`,
  "log.unwitnessed": ({ log, since }) => `No witness has cosigned the log ${log} since ${minute(since)}.`,
  "webhook.test": ({ endpoint_id: endpointId }) => `A test was sent to endpoint ${endpointId}.`,
  "webhook.disabled": ({ endpoint_id: endpointId, reason }) => `Webhook endpoint ${endpointId} was switched off, because ${disabledReasons[reason]}.`,
};

/** `data` is that of an event of this type. */
export const lineOf = (type: EventType, data: unknown, audience: Audience): string => (lines[type] as (data: unknown, audience: Audience) => string)(data, audience);
