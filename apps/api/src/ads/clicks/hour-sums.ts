import { startOfDay, startOfHour } from "../../formats/time.ts";
import type { AdCategoryDayRow, AdHourRow, ClickRateRow, IgnoredClickDayRow, IgnoredClickHourRow, IgnoreReason } from "../../store/schema-ads.ts";
import type { Transaction } from "../../store/store.ts";
import { addToAdHours, addToClickRates, addToIgnoredClickHours } from "../reports/ad-hours.table.ts";
import { addToCategoryDays, addToIgnoredClickDays } from "../reports/ad-days.table.ts";
import { learntCategory } from "../serving/category-names.ts";
import type { OfferFacts } from "./read-offers.ts";

/** Both databases limit the parameters per statement; these rows have at most eleven. */
const rowsPerInsert = 500;

export type HourSums = {
  /** For live offers only. */
  addImpression(offer: OfferFacts, atMs: number): void;
  addPaidClick(offer: OfferFacts, atMs: number): void;
  addIgnoredClick(offer: OfferFacts, reason: IgnoreReason, atMs: number): void;
  /** Must come last in a transaction: these rows are last in the lock order. */
  write(tx: Transaction): Promise<void>;
};

/** Sorted by key, the lock order. No key contains a character below the space that joins its parts. */
const inOrder = <Row>(rows: Map<string, Row>): Row[] =>
  [...rows].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);

async function insertInParts<Row>(rows: Row[], insert: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) await insert(rows.slice(from, from + rowsPerInsert));
}

/** Collects what one transaction adds to reports and click rates, to write it once. */
export function createHourSums(): HourSums {
  const hours = new Map<string, AdHourRow>();
  const categoryDays = new Map<string, AdCategoryDayRow>();
  const ignored = new Map<string, IgnoredClickHourRow>();
  const ignoredDays = new Map<string, IgnoredClickDayRow>();
  const rates = new Map<string, ClickRateRow>();
  function hourRow(offer: OfferFacts, atMs: number): AdHourRow {
    const hour = startOfHour(atMs);
    const { account_id, campaign_id, creative_id, placement, trust_band } = offer;
    const name = `${account_id} ${hour} ${campaign_id} ${creative_id} ${placement} ${trust_band}`;
    let row = hours.get(name);
    if (!row) {
      const none = { offers: 0, impressions: 0, valid_clicks: 0, spend_micro: 0, developer_micro: 0 };
      row = { account_id, hour, campaign_id, creative_id, placement, trust_band, ...none };
      hours.set(name, row);
    }
    return row;
  }

  function categoryRow({ account_id, category }: OfferFacts, atMs: number): AdCategoryDayRow {
    const day = startOfDay(atMs);
    const name = `${account_id} ${day} ${category}`;
    let row = categoryDays.get(name);
    if (!row) categoryDays.set(name, (row = { account_id, day, category, offers: 0, impressions: 0, valid_clicks: 0, developer_micro: 0 }));
    return row;
  }

  function rateRow({ creative_id, placement, category: stored }: OfferFacts): ClickRateRow {
    const category = learntCategory(stored);
    const name = `${creative_id} ${placement} ${category}`;
    let row = rates.get(name);
    if (!row) rates.set(name, (row = { creative_id, placement, category, impressions: 0, clicks: 0 }));
    return row;
  }

  return {
    addImpression(offer, atMs) {
      hourRow(offer, atMs).impressions += 1;
      categoryRow(offer, atMs).impressions += 1;
      // Clicks on house ads are never paid, so their impressions would bias the click rate to 0.
      if (offer.house === 0) rateRow(offer).impressions += 1;
    },
    addPaidClick(offer, atMs) {
      const row = hourRow(offer, atMs);
      row.valid_clicks += 1;
      row.spend_micro += offer.price_micro;
      row.developer_micro += offer.developer_micro;
      const ofCategory = categoryRow(offer, atMs);
      ofCategory.valid_clicks += 1;
      ofCategory.developer_micro += offer.developer_micro;
      rateRow(offer).clicks += 1;
    },
    addIgnoredClick({ account_id, campaign_id, format, placement, category }, reason, atMs) {
      const hour = startOfHour(atMs);
      const name = `${account_id} ${hour} ${campaign_id} ${reason}`;
      const row = ignored.get(name);
      if (row) row.clicks += 1;
      else ignored.set(name, { account_id, hour, campaign_id, reason, clicks: 1 });
      const day = startOfDay(atMs);
      const dayName = `${account_id} ${day} ${format} ${placement} ${category} ${reason}`;
      const ofDay = ignoredDays.get(dayName);
      if (ofDay) ofDay.clicks += 1;
      else ignoredDays.set(dayName, { account_id, day, format, placement, category, reason, clicks: 1 });
    },
    async write(tx) {
      await insertInParts(inOrder(hours), (part) => tx.change(addToAdHours(tx.db, part)));
      await insertInParts(inOrder(categoryDays), (part) => tx.change(addToCategoryDays(tx.db, part)));
      await insertInParts(inOrder(ignored), (part) => tx.change(addToIgnoredClickHours(tx.db, part)));
      await insertInParts(inOrder(ignoredDays), (part) => tx.change(addToIgnoredClickDays(tx.db, part)));
      await insertInParts(inOrder(rates), (part) => tx.change(addToClickRates(tx.db, part)));
    },
  };
}
