/** SQLite's half of make-offers.ts: runs on the writer thread, inside the transaction that the worker opened. */
import type { SQLInputValue } from "node:sqlite";
import { startOfDay, startOfHour } from "../../formats/time.ts";
import { insertText, layOut } from "../../store/batch-columns.ts";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import { type NewOffer, offerFields, type PackedOffers, type RefusedRows, storedFields } from "./offer-batch.ts";

const layout = layOut(offerFields);
const [textCount, numberCount, quotedCount] = [layout.texts.length, layout.numbers.length, layout.quoted.length];
const textAt = (name: keyof NewOffer): number => layout.texts.indexOf(name);
const place = {
  accountId: textAt("accountId"),
  mode: textAt("mode"),
  campaignId: textAt("campaignId"),
  creativeId: textAt("creativeId"),
  placement: textAt("placement"),
  trustBand: textAt("trustBand"),
  sessionId: textAt("sessionId"),
  atMs: layout.numbers.indexOf("atMs"),
  category: layout.quoted.indexOf("category"),
};

/** The stored fields of one part of a packed row: their columns, and their places in it. */
const storedIn = (names: readonly string[]) =>
  storedFields.flatMap(({ name, column }) => (names.includes(name) ? [{ column, index: names.indexOf(name) }] : []));
const [storedTexts, storedNumbers, storedQuoted] = [storedIn(layout.texts), storedIn(layout.numbers), storedIn(layout.quoted)];

export const statements = {
  countOfSession: `INSERT INTO session_offers (account_id, session_id, offers) VALUES (?, ?, 1)
    ON CONFLICT (account_id, session_id) DO UPDATE SET offers = offers + 1 RETURNING offers`,
  insertOffer: insertText("offers", [...storedTexts, ...storedNumbers, ...storedQuoted].map(({ column }) => column)),
  addToHour: `INSERT INTO ad_hours (account_id, hour, campaign_id, creative_id, placement, trust_band, offers, impressions,
      valid_clicks, spend_micro, developer_micro) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)
    ON CONFLICT (account_id, hour, campaign_id, creative_id, placement, trust_band) DO UPDATE SET offers = offers + excluded.offers`,
  addToCategory: `INSERT INTO ad_category_days (account_id, day, category, offers, impressions, valid_clicks, developer_micro)
    VALUES (?, ?, ?, ?, 0, 0, 0) ON CONFLICT (account_id, day, category) DO UPDATE SET offers = offers + excluded.offers`,
};

/** Offers of the same ad in the same hour are summed and written once. `text`: where the texts of the first begin. */
type HourSum = { text: number; hour: number; offers: number };
type CategorySum = { accountId: string; day: number; category: string; offers: number };

export const procedure: SqliteProcedure<PackedOffers, RefusedRows> = (database) => {
  const countOfSession = database.prepare(statements.countOfSession);
  const insertOffer = database.prepare(statements.insertOffer);
  const addToHour = database.prepare(statements.addToHour);
  const addToCategory = database.prepare(statements.addToCategory);

  return ({ offers: { numbers, texts: joined, quoted }, offersPerSessionMax }) => {
    const texts = joined.split("\n");
    const refused: RefusedRows = [];
    const hours = new Map<string, HourSum>();
    const categories = new Map<string, CategorySum>();
    const values: SQLInputValue[] = [];
    const rows = numbers.length / numberCount;
    for (let row = 0; row < rows; row += 1) {
      const [text, number] = [row * textCount, row * numberCount];
      const accountId = texts[text + place.accountId]!;
      const sessionId = texts[text + place.sessionId]!;
      if (sessionId !== "") {
        const { offers } = countOfSession.get(accountId, sessionId) as { offers: number };
        if (offers > offersPerSessionMax) {
          refused.push(row);
          continue;
        }
      }
      values.length = 0;
      for (const { index } of storedTexts) values.push(texts[text + index]!);
      for (const { index } of storedNumbers) values.push(numbers[number + index]!);
      for (const { index } of storedQuoted) values.push(quoted[row * quotedCount + index]!);
      insertOffer.run(...values);
      if (texts[text + place.mode] !== "live") continue;
      const atMs = numbers[number + place.atMs]!;
      const hour = startOfHour(atMs);
      const name = `${accountId} ${texts[text + place.creativeId]} ${texts[text + place.placement]} ${texts[text + place.trustBand]} ${hour}`;
      const sum = hours.get(name);
      if (sum) sum.offers += 1;
      else hours.set(name, { text, hour, offers: 1 });
      const category = quoted[row * quotedCount + place.category]!;
      const day = startOfDay(atMs);
      const categoryName = `${accountId} ${day} ${category}`;
      const ofCategory = categories.get(categoryName);
      if (ofCategory) ofCategory.offers += 1;
      else categories.set(categoryName, { accountId, day, category, offers: 1 });
    }
    for (const { text, hour, offers } of hours.values()) {
      const [accountId, campaignId, creativeId] = [texts[text + place.accountId]!, texts[text + place.campaignId]!, texts[text + place.creativeId]!];
      addToHour.run(accountId, hour, campaignId, creativeId, texts[text + place.placement]!, texts[text + place.trustBand]!, offers);
    }
    for (const { accountId, day, category, offers } of categories.values()) addToCategory.run(accountId, day, category, offers);
    return refused;
  };
};
