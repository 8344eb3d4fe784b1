/** Whether an advertiser's wishes can be taken as they are. Finds everything that is wrong, not only the first thing. */
import type { AdFormat, Pacing, Placement } from "../../store/schema-ads.ts";
import { adFormats, placements } from "./image-sizes.ts";
import { parseTime } from "../../formats/time.ts";

export type Fault = { path: string; message: string };

export type CampaignTerms = {
  budgetMicroUsd: number;
  dailyBudgetMicroUsd: number | undefined;
  bidMicroUsd: number;
  startsMs: number;
  endsMs: number | undefined;
  categories: string[];
  placements: Placement[];
  minTrust: number;
  pacing: Pacing;
};

export type CreativeWish = {
  format: AdFormat;
  headline: string;
  description: string;
  ctaText: string;
  landingUrl: string;
  /** A path, as it was given; undefined: a card is drawn. */
  image: string | undefined;
};

export type CampaignWish = CampaignTerms & { name: string; creatives: CreativeWish[] };
export type ImportWish = { advertiser: string; campaigns: CampaignWish[] };
export type Validated<Wish> = { kind: "valid"; wish: Wish } | { kind: "invalid"; faults: Fault[] };

export const textLengthMax = { advertiser: 80, name: 100, headline: 90, description: 200, cta_text: 30, landing_url: 2_048, image: 1_024 } as const;
export const campaignsPerFileMax = 2_000;
export const creativesPerCampaignMax = 50;
const categoriesMax = 50;
const usdMax = 1_000_000_000;
const faultsShownMax = 100;
const categoryPattern = /^[a-z0-9_-]{1,40}$/;
/** Control characters, and those that change the direction of what follows: they make a text look like another. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const pacings = ["even", "asap"] as const satisfies readonly Pacing[];

type Members = Readonly<Record<string, unknown>>;

/** Reads members one by one and notes what is wrong with them; what it returns for a wrong one is never used. */
class Reader {
  readonly faults: Fault[];
  private readonly path: string;
  private readonly members: Members;

  constructor(value: unknown, path: string, known: readonly string[], faults: Fault[]) {
    this.faults = faults;
    this.path = path;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    this.members = isObject ? (value as Members) : {};
    if (!isObject) this.fault("", "must be an object");
    for (const name of Object.keys(this.members)) if (!known.includes(name)) this.fault(name, `is not known here; known are ${known.join(", ")}`);
  }

  at(name: string): string {
    return name === "" ? this.path : this.path === "" ? name : `${this.path}.${name}`;
  }

  fault(name: string, message: string): void {
    if (this.faults.length < faultsShownMax) this.faults.push({ path: this.at(name) || "the file", message });
  }

  /** Undefined and null alike: the member was left out. */
  has(name: string): boolean {
    return this.members[name] !== undefined && this.members[name] !== null;
  }

  /** Trimmed; empty where it is wrong. */
  text(name: keyof typeof textLengthMax, { mayBeEmpty = false } = {}): string {
    const value = this.members[name];
    const text = typeof value === "string" ? value.trim() : "";
    const max = textLengthMax[name];
    if (typeof value !== "string") this.fault(name, value === undefined ? "is missing" : "must be a text");
    else if (text === "" && !mayBeEmpty) this.fault(name, "must not be empty");
    else if (Array.from(text).length > max) this.fault(name, `must have at most ${max} characters, and has ${Array.from(text).length}`);
    else if (unprintable.test(text)) this.fault(name, "must not hold control characters");
    else return text;
    return "";
  }

  usd(name: string): number {
    const value = this.members[name];
    const micro = typeof value === "number" ? Math.round(value * 1_000_000) : Number.NaN;
    if (value === undefined) this.fault(name, "is missing");
    else if (typeof value !== "number" || !Number.isFinite(value)) this.fault(name, "must be a number, in USD");
    else if (value <= 0 || value > usdMax) this.fault(name, `must be more than 0 and at most ${usdMax}`);
    else if (micro < 1 || micro / 1_000_000 !== value) this.fault(name, "must have at most 6 decimals");
    return micro;
  }

  number(name: string, bounds: { from: number; to: number; fallback: number }): number {
    if (!this.has(name)) return bounds.fallback;
    const value = this.members[name];
    if (typeof value === "number" && value >= bounds.from && value <= bounds.to) return value;
    this.fault(name, `must be a number from ${bounds.from} to ${bounds.to}`);
    return bounds.fallback;
  }

  time(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.members[name];
    try {
      if (typeof value === "string") return parseTime(value, name);
    } catch {
      // Said below, in the words that all faults have.
    }
    this.fault(name, 'must be a date such as "2026-01-31" or an ISO 8601 time');
    return undefined;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice | undefined): Choice {
    const value = this.members[name];
    if (value === undefined && fallback !== undefined) return fallback;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.fault(name, `must be ${choices.join(" or ")}`);
    return found ?? choices[0]!;
  }

  list(name: string, bounds: { from: number; to: number }): unknown[] {
    const value = this.members[name];
    if (value === undefined && bounds.from === 0) return [];
    if (!Array.isArray(value)) this.fault(name, value === undefined ? "is missing" : "must be an array");
    else if (value.length < bounds.from || value.length > bounds.to) this.fault(name, `must have ${bounds.from} to ${bounds.to} items, and has ${value.length}`);
    else return value;
    return [];
  }
}

/** An address that people are sent to: as it will stand in a Location header. */
function readLandingUrl(reader: Reader): string {
  const text = reader.text("landing_url");
  if (text === "") return text;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text) || url.hostname === "") reader.fault("landing_url", "must be an http or https address");
  else if (url.username !== "" || url.password !== "") reader.fault("landing_url", "must not hold a name or a password");
  else if (url.href.length > textLengthMax.landing_url) reader.fault("landing_url", `must have at most ${textLengthMax.landing_url} characters when encoded`);
  return url?.href ?? text;
}

const creativeMembers = ["format", "headline", "description", "cta_text", "landing_url", "image"];

function readCreative(value: unknown, path: string, faults: Fault[]): CreativeWish {
  const reader = new Reader(value, path, creativeMembers, faults);
  return {
    format: reader.choice("format", adFormats, undefined),
    headline: reader.text("headline"),
    description: reader.text("description", { mayBeEmpty: true }),
    ctaText: reader.text("cta_text"),
    landingUrl: readLandingUrl(reader),
    image: reader.has("image") ? reader.text("image") : undefined,
  };
}

function readCategories(reader: Reader): string[] {
  const categories = reader.list("categories", { from: 0, to: categoriesMax }).map((value, index) => {
    const category = typeof value === "string" ? value.toLowerCase() : "";
    if (!categoryPattern.test(category)) reader.fault(`categories[${index}]`, "must be 1 to 40 of the characters a-z, 0-9, _ and -");
    return category;
  });
  return [...new Set(categories)];
}

function readPlacements(reader: Reader): Placement[] {
  const wanted = new Set(reader.list("placements", { from: 0, to: placements.length }));
  for (const [index, value] of [...wanted].entries()) {
    if (!placements.some((placement) => placement === value)) reader.fault(`placements[${index}]`, `must be ${placements.join(" or ")}`);
  }
  return placements.filter((placement) => wanted.has(placement));
}

/** What must fit together. Also used where terms are changed one at a time. */
export function findClashes(terms: CampaignTerms, at: (name: string) => string): Fault[] {
  const faults: Fault[] = [];
  const clash = (name: string, message: string) => faults.push({ path: at(name), message });
  const { budgetMicroUsd, dailyBudgetMicroUsd, bidMicroUsd, startsMs, endsMs } = terms;
  if (bidMicroUsd > budgetMicroUsd) clash("bid_usd", "must not be above budget_usd");
  if (dailyBudgetMicroUsd !== undefined && dailyBudgetMicroUsd > budgetMicroUsd) clash("daily_budget_usd", "must not be above budget_usd");
  if (dailyBudgetMicroUsd !== undefined && bidMicroUsd > dailyBudgetMicroUsd) clash("bid_usd", "must not be above daily_budget_usd");
  if (endsMs !== undefined && endsMs <= startsMs) clash("ends", "must be after starts");
  return faults;
}

const termMembers = ["budget_usd", "daily_budget_usd", "bid_usd", "starts", "ends", "categories", "placements", "min_trust", "pacing"];

function readTerms(reader: Reader, nowMs: number): CampaignTerms {
  const before = reader.faults.length;
  const terms: CampaignTerms = {
    budgetMicroUsd: reader.usd("budget_usd"),
    dailyBudgetMicroUsd: reader.has("daily_budget_usd") ? reader.usd("daily_budget_usd") : undefined,
    bidMicroUsd: reader.usd("bid_usd"),
    startsMs: reader.time("starts") ?? nowMs,
    endsMs: reader.time("ends"),
    categories: readCategories(reader),
    placements: readPlacements(reader),
    minTrust: reader.number("min_trust", { from: 0, to: 100, fallback: 0 }),
    pacing: reader.choice("pacing", pacings, "asap"),
  };
  if (reader.faults.length > before) return terms;
  if (terms.endsMs !== undefined && terms.endsMs <= nowMs) reader.fault("ends", "must be in the future");
  else reader.faults.push(...findClashes(terms, (name) => reader.at(name)));
  return terms;
}

function readCampaign(value: unknown, path: string, context: { nowMs: number; faults: Fault[]; creativesMin: number }): CampaignWish {
  const reader = new Reader(value, path, ["name", ...termMembers, "creatives"], context.faults);
  const name = reader.text("name");
  const terms = readTerms(reader, context.nowMs);
  const creatives = reader
    .list("creatives", { from: context.creativesMin, to: creativesPerCampaignMax })
    .map((creative, index) => readCreative(creative, reader.at(`creatives[${index}]`), context.faults));
  return { name, ...terms, creatives };
}

const settle = <Wish>(wish: Wish, faults: Fault[]): Validated<Wish> => (faults.length > 0 ? { kind: "invalid", faults } : { kind: "valid", wish });

/** A whole file of `assay campaign import`. */
export function validateImport(document: unknown, nowMs: number): Validated<ImportWish> {
  const faults: Fault[] = [];
  const reader = new Reader(document, "", ["advertiser", "campaigns"], faults);
  const advertiser = reader.text("advertiser");
  const campaigns = reader
    .list("campaigns", { from: 1, to: campaignsPerFileMax })
    .map((campaign, index) => readCampaign(campaign, `campaigns[${index}]`, { nowMs, faults, creativesMin: 1 }));
  const seen = new Set<string>();
  for (const [index, { name }] of campaigns.entries()) {
    if (name !== "" && seen.has(name.toLowerCase())) faults.push({ path: `campaigns[${index}].name`, message: "is in this file twice" });
    seen.add(name.toLowerCase());
  }
  return settle({ advertiser, campaigns }, faults);
}

/** One campaign without creatives: they are added one by one. */
export function validateCampaign(document: unknown, nowMs: number): Validated<Omit<CampaignWish, "creatives">> {
  const faults: Fault[] = [];
  const { name, ...terms } = readTermsOnly(document, nowMs, faults);
  return settle({ name, ...terms }, faults);
}

function readTermsOnly(document: unknown, nowMs: number, faults: Fault[]): Omit<CampaignWish, "creatives"> {
  const reader = new Reader(document, "", ["name", ...termMembers], faults);
  return { name: reader.text("name"), ...readTerms(reader, nowMs) };
}

export function validateCreative(document: unknown): Validated<CreativeWish> {
  const faults: Fault[] = [];
  return settle(readCreative(document, "", faults), faults);
}

export function validateAdvertiser(name: unknown): Validated<string> {
  const faults: Fault[] = [];
  return settle(new Reader({ advertiser: name }, "", ["advertiser"], faults).text("advertiser"), faults);
}

export const faultLine = ({ path, message }: Fault): string => `${path}: ${message}`;
