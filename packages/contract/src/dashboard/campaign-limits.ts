/** Limits on what operators and import files send. No TypeBox here: the dashboard's forms load this file in the browser. */

/** In characters (code points), without surrounding white space. */
export const textLengthMax = { advertiser: 80, name: 100, headline: 90, description: 200, cta_text: 30, landing_url: 2_048, image: 1_024 } as const;
export const amountUsdMax = 1_000_000_000;
export const minTrustMax = 100;
export const categoriesMax = 50;
export const creativesPerCampaignMax = 50;
export const campaignsPerFileMax = 2_000;
