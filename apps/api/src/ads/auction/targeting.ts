import type { AuctionCampaign, BucketKind } from "./snapshot.ts";

/** Whether a campaign wants requests of this placement and category. Formats are its creatives' matter. */
export const wants = ({ placements, categories }: AuctionCampaign, { placement, category }: BucketKind): boolean =>
  (placements.length === 0 || placements.includes(placement)) && (categories.length === 0 || categories.includes(category));
