/** Checks advertisers, campaigns and creatives against the contract, and reports every fault, not only the first. */
import { AdvertiserRequest, CampaignFields, CampaignFile, CampaignName, CampaignTerms as TermFields, CreativeFields } from "@assay/contract/dashboard/campaigns.ts";
import { parseIsoTime } from "@assay/contract/iso-time.ts";
import Type, { type Static, type TArrayOptions, type TObject, type TSchema, type TSchemaOptions } from "typebox";
import { Check, Errors } from "typebox/value";
import { microUsdOf, usdOf } from "../../formats/money.ts";
import { placements } from "./image-formats.ts";

export type Fault = { path: string; message: string };
export type Validated<Value> = { kind: "valid"; value: Value } | { kind: "invalid"; faults: Fault[] };
export type CampaignTerms = ReturnType<typeof readTerms>;
export type CampaignInput = ReturnType<typeof readCampaign>;
export type CreativeInput = ReturnType<typeof readCreative>;
export type ImportInput = ReturnType<typeof readFile>;

const faultsMax = 100;

const ifGiven = <Value, Read>(value: Value | null | undefined, read: (value: Value) => Read): Read | undefined =>
  value === null || value === undefined ? undefined : read(value);
/** The schema has checked the decimals. */
const toMicroUsd = (usd: number): number => microUsdOf(usd)!;

function readTerms(fields: Static<typeof TermFields>, nowMs: number) {
  const wanted = fields.placements ?? [];
  return {
    budgetMicroUsd: toMicroUsd(fields.budget_usd),
    dailyBudgetMicroUsd: ifGiven(fields.daily_budget_usd, toMicroUsd),
    bidMicroUsd: toMicroUsd(fields.bid_usd),
    startsMs: ifGiven(fields.starts, parseIsoTime) ?? nowMs,
    endsMs: ifGiven(fields.ends, parseIsoTime),
    categories: [...new Set(fields.categories?.map((category) => category.toLowerCase()))],
    placements: placements.filter((placement) => wanted.includes(placement)),
    minTrust: fields.min_trust ?? 0,
    minAttestation: fields.min_attestation ?? null,
    pacing: fields.pacing ?? "asap",
  };
}

const readCampaign = (fields: Static<typeof CampaignFields>, nowMs: number) => ({ name: fields.name.trim(), ...readTerms(fields, nowMs) });

const readCreative = (fields: Static<typeof CreativeFields>) => ({
  format: fields.format,
  headline: fields.headline.trim(),
  description: fields.description.trim(),
  ctaText: fields.cta_text.trim(),
  /** Encoded, as a Location header needs it. */
  landingUrl: new URL(fields.landing_url.trim()).href,
  /** A path as written in the file. Undefined: a card is drawn. */
  image: ifGiven(fields.image, (path) => path.trim()),
});

const readFile = (file: Static<typeof CampaignFile>, nowMs: number) => ({
  advertiser: file.advertiser.trim(),
  campaigns: file.campaigns.map((campaign) => ({ ...readCampaign(campaign, nowMs), creatives: campaign.creatives.map(readCreative) })),
});

/** `mayHaveEnded`: an end that has passed stays valid while another field of the campaign is changed. */
type Circumstances = { nowMs: number; mayHaveEnded?: boolean; spentMicroUsd?: number };

function* findConflicts(terms: CampaignTerms, { nowMs, mayHaveEnded = false, spentMicroUsd = 0 }: Circumstances): Generator<[field: string, message: string]> {
  const { budgetMicroUsd, dailyBudgetMicroUsd, bidMicroUsd, startsMs, endsMs } = terms;
  if (budgetMicroUsd < spentMicroUsd) yield ["budget_usd", `must not be below what is spent: ${usdOf(spentMicroUsd)}`];
  if (bidMicroUsd > budgetMicroUsd) yield ["bid_usd", "must not be above budget_usd"];
  if (dailyBudgetMicroUsd !== undefined && dailyBudgetMicroUsd > budgetMicroUsd) yield ["daily_budget_usd", "must not be above budget_usd"];
  if (dailyBudgetMicroUsd !== undefined && bidMicroUsd > dailyBudgetMicroUsd) yield ["bid_usd", "must not be above daily_budget_usd"];
  if (endsMs !== undefined && endsMs <= nowMs && !mayHaveEnded) yield ["ends", "must be in the future"];
  else if (endsMs !== undefined && endsMs <= startsMs) yield ["ends", "must be after starts"];
}

/** Indexes of the campaigns whose name an earlier one has; case-insensitive. */
function* findRepeatedNames(campaigns: readonly unknown[]): Generator<number> {
  const seen = new Set<string>();
  for (const [index, campaign] of campaigns.entries()) {
    if (!Check(CampaignName, campaign)) continue;
    const name = campaign.name.trim().toLowerCase();
    if (seen.has(name)) yield index;
    seen.add(name);
  }
}

const join = (...names: string[]): string => names.filter((name) => name !== "").join(".");

/** The rules between fields. A rule applies wherever the fields that it compares are valid by themselves. */
type Rules = (schema: TSchema, value: unknown, path: string) => Iterable<Fault>;

const campaignRules = (circumstances: Circumstances): Rules =>
  function* applyRules(schema, value, path) {
    if (schema === TermFields && Check(TermFields, value)) {
      for (const [field, message] of findConflicts(readTerms(value, circumstances.nowMs), circumstances)) yield { path: join(path, field), message };
    }
    if (schema === CampaignFile.properties.campaigns) {
      for (const index of findRepeatedNames(value as unknown[])) yield { path: `${path}[${index}].name`, message: "is in this file twice" };
    }
  };

/** One fault for each wrong field, in the order of the schema. TypeBox alone stops after eight errors, and reports several for one field. */
function* findFaults(schema: TSchema, value: unknown, path: string, rules: Rules): Generator<Fault> {
  if (Type.IsUnion(schema)) {
    // Every union here is of a schema and null.
    if (value !== null) yield* findFaults(schema.anyOf[0]!, value, path, rules);
  } else if (Type.IsArray(schema)) {
    const { minItems = 0, maxItems = Infinity } = schema as typeof schema & TArrayOptions;
    if (!Array.isArray(value)) return yield { path, message: "must be an array" };
    if (value.length < minItems || value.length > maxItems) return yield { path, message: `must have ${minItems} to ${maxItems} items, and has ${value.length}` };
    for (const [index, item] of value.entries()) yield* findFaults(schema.items, item, `${path}[${index}]`, rules);
    yield* rules(schema, value, path);
  } else if (Type.IsObject(schema) || Type.IsIntersect(schema)) {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject) yield { path, message: "must be an object" };
    const fields = new Map<string, unknown>(isObject ? Object.entries(value) : []);
    const parts = Type.IsIntersect(schema) ? (schema.allOf as TObject[]) : [schema];
    const known = parts.flatMap(({ properties }) => Object.keys(properties));
    for (const name of fields.keys()) if (!known.includes(name)) yield { path: join(path, name), message: `is not known here; known are ${known.join(", ")}` };
    for (const part of parts) {
      for (const [name, field] of Object.entries(part.properties)) {
        const at = join(path, name);
        if (fields.get(name) !== undefined) yield* findFaults(field, fields.get(name), at, rules);
        else if (!Type.IsOptional(field)) yield { path: at, message: "is missing" };
      }
      yield* rules(part, value, path);
    }
  } else {
    const [error] = Errors(schema, value);
    if (error) yield { path, message: error.keyword === "~refine" ? error.message : `must be ${(schema as TSchemaOptions).description}` };
  }
}

type Checks<Schema extends TSchema, Value> = { schema: Schema; read: (fields: Static<Schema>) => Value; rules?: Rules; path?: string };

function validate<Schema extends TSchema, Value>(document: unknown, { schema, read, rules = () => [], path = "" }: Checks<Schema, Value>): Validated<Value> {
  const faults: Fault[] = [];
  for (const fault of findFaults(schema, document, path, rules)) if (faults.push({ ...fault, path: fault.path || "the file" }) === faultsMax) break;
  return faults.length > 0 ? { kind: "invalid", faults } : { kind: "valid", value: read(document as Static<Schema>) };
}

export const validateImport = (document: unknown, nowMs: number): Validated<ImportInput> =>
  validate(document, { schema: CampaignFile, read: (file) => readFile(file, nowMs), rules: campaignRules({ nowMs }) });

/** One campaign without creatives: they are added one by one. */
export const validateCampaign = (document: unknown, nowMs: number, change: Omit<Circumstances, "nowMs"> = {}): Validated<CampaignInput> =>
  validate(document, { schema: CampaignFields, read: (fields) => readCampaign(fields, nowMs), rules: campaignRules({ nowMs, ...change }) });

export const validateCreative = (document: unknown): Validated<CreativeInput> => validate(document, { schema: CreativeFields, read: readCreative });

export const validateAdvertiser = (name: string): Validated<string> =>
  validate(name, { schema: AdvertiserRequest.properties.name, read: (text) => text.trim(), path: "name" });

export const faultLine = ({ path, message }: Fault): string => `${path}: ${message}`;
