import { conversionDaysMax, groupNames } from "@assay/contract/ads-report.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { addToConversionDays } from "../reports/ad-days.table.ts";
import { insertConversion, selectClickOfCampaign } from "./conversions.table.ts";

export type ConversionOutcome =
  | { kind: "converted"; atMs: number }
  /** The campaign has no paid click on the ad, or it was reversed. */
  | { kind: "no_click" }
  | { kind: "too_late" };

/**
 * Records an advertiser's word that a click has converted, once: a repeat finds the first report. No money depends on it.
 * Only a new conversion writes.
 */
export async function reportConversion(store: Store, { campaignId, offerId, nowMs }: { campaignId: string; offerId: string; nowMs: number }): Promise<ConversionOutcome> {
  const find = () => selectClickOfCampaign(store.db, { offerId, campaignId }).executeTakeFirst();
  const click = await find();
  if (!click) return { kind: "no_click" };
  if (click.converted_at !== null) return { kind: "converted", atMs: click.converted_at };
  if (click.status === "reversed") return { kind: "no_click" };
  if (nowMs - click.at > conversionDaysMax * msPerDay) return { kind: "too_late" };
  const { account_id, format, placement, category } = click;
  const group = { account_id, day: startOfDay(nowMs), campaign_id: campaignId, format, placement, category: category ?? groupNames.unknown };
  const [inserted] = await store.write(
    [insertConversion(store.db, { offer_id: offerId, at: nowMs }), addToConversionDays(store.db, { ...group, conversions: 1 })],
    { guards: 1 },
  );
  if (inserted === 1) return { kind: "converted", atMs: nowMs };
  // Another report of the same click was faster, here or on another node.
  const first = await find();
  if (first?.converted_at === null || first === undefined) throw new Error(`the conversion of ${offerId} was neither inserted nor found`);
  return { kind: "converted", atMs: first.converted_at };
}
