import type { Campaign, CampaignRequest } from "@assay/contract/dashboard/campaigns.ts";

/** A campaign's terms as the form holds them, mostly as typed text. */
export type CampaignValues = {
  name: string;
  budget_usd: string;
  daily_budget_usd: string;
  bid_usd: string;
  starts: string;
  ends: string;
  categories: string;
  placements: string[];
  min_trust: string;
  /** Empty: any session. */
  min_attestation: "" | NonNullable<Campaign["min_attestation"]>;
  pacing: Campaign["pacing"];
};

export const emptyCampaign: CampaignValues = {
  name: "",
  budget_usd: "",
  daily_budget_usd: "",
  bid_usd: "",
  starts: "",
  ends: "",
  categories: "",
  placements: [],
  min_trust: "0",
  min_attestation: "",
  pacing: "asap",
};

/** `2026-01-31T09:30:00.000Z` → `2026-01-31T09:30`, the format of a datetime-local input. */
const toInputTime = (iso: string): string => iso.slice(0, 16);

export const valuesOf = (campaign: Campaign): CampaignValues => ({
  name: campaign.name,
  budget_usd: String(campaign.budget_usd),
  daily_budget_usd: campaign.daily_budget_usd === null ? "" : String(campaign.daily_budget_usd),
  bid_usd: String(campaign.bid_usd),
  starts: toInputTime(campaign.starts),
  ends: campaign.ends === null ? "" : toInputTime(campaign.ends),
  categories: campaign.categories.join(", "),
  placements: campaign.placements,
  min_trust: String(campaign.min_trust),
  min_attestation: campaign.min_attestation ?? "",
  pacing: campaign.pacing,
});

type Terms = Omit<CampaignRequest, "advertiser_id">;

const parseInputTime = (text: string): string | null => (text === "" ? null : `${text}:00Z`);

/** Converts the form to the API's types. The server validates the values. */
export const termsOf = (values: CampaignValues): Terms => ({
  name: values.name.trim(),
  budget_usd: Number(values.budget_usd),
  bid_usd: Number(values.bid_usd),
  daily_budget_usd: values.daily_budget_usd.trim() === "" ? null : Number(values.daily_budget_usd),
  starts: parseInputTime(values.starts),
  ends: parseInputTime(values.ends),
  categories: values.categories.split(",").map((category) => category.trim().toLowerCase()).filter((category) => category !== ""),
  placements: values.placements as NonNullable<Terms["placements"]>,
  min_trust: Number(values.min_trust),
  min_attestation: values.min_attestation === "" ? null : values.min_attestation,
  pacing: values.pacing,
});

/** Only the changed terms, because the server rejects some unchanged ones, such as an end in the past. */
export function changesOf(before: CampaignValues, after: CampaignValues): Partial<Terms> {
  const changed = Object.entries(termsOf(after)).filter(([name]) => {
    const key = name as keyof CampaignValues;
    return JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  });
  return Object.fromEntries(changed);
}
