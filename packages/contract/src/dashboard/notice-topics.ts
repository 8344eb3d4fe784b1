/** The topics of notices by mail in people's words, for pages and mails. */

/** What a person chooses mails by, in the order in which they are listed. */
export const topicTexts = {
  security: {
    title: "Security",
    explanation: "Your keys, your payout details and your webhook endpoints: a key was created, was revoked, expires soon or was used in a browser.",
  },
  money: {
    title: "Money",
    explanation: "What happens to what you earn: a payout was approved, paid or returned, an adjustment was booked, clicks were reversed, a prepaid balance is low.",
  },
  findings: {
    title: "Findings",
    explanation: "What becomes of a finding about traffic: it was answered, or it waits for a decision for too long.",
  },
  limits: {
    title: "Limits",
    explanation: "Calls come close to a limit of your tier, or were refused with 429.",
  },
  models: {
    title: "Models",
    explanation: "A new model scores your sessions, a model ends, or reported outcomes no longer fit the scores.",
  },
  operations: {
    title: "Operations",
    explanation: "What operators must look after: payouts and creatives that wait for approval, requests for a tier, low funds, failing jobs.",
  },
} as const;

export type Topic = keyof typeof topicTexts;
export const topics = Object.keys(topicTexts) as Topic[];

/** These mails cannot be switched off. */
export const mandatoryTopics: ReadonlySet<Topic> = new Set(["security"]);
