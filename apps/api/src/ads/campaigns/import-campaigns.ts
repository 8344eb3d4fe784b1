import { open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { insertAdvertiser, selectAdvertiserByName, selectNamesOfAdvertiser } from "./campaigns.table.ts";
import { imageBytesMax, ImageRefused } from "./inspect-image.ts";
import { placementsServed, prepareCard, prepareImage, type PreparedImage } from "./prepare-image.ts";
import { type CreativeInput, type Fault, type ImportInput, validateImport } from "./validate-campaign.ts";
import { addRows, campaignRow, creativeImageRows, creativeRow, storeImages, writeInventory } from "./write-inventory.ts";

export type ImportOutcome =
  | { kind: "imported"; advertiser: string; campaigns: { id: string; name: string; creatives: number }[] }
  | { kind: "refused"; faults: Fault[] };

const fileBytesMax = 16 * 1024 * 1024;
const creativesAtOnce = 2;

const cannotBeRead = (error: unknown): string => `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`;

async function readUpTo(path: string, bytesMax: number): Promise<Buffer | "too_large"> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return size > bytesMax ? "too_large" : await file.readFile();
  } finally {
    await file.close();
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Images must be in the file's folder or below it: path traversal would let a file from elsewhere read any file of this machine. */
async function readImage(image: string, folder: string): Promise<Buffer> {
  const path = resolve(folder, image);
  try {
    // Symbolic links can lead out of the folder, too.
    if (isAbsolute(image) || !isInside(folder, path) || !isInside(await realpath(folder), await realpath(path))) {
      throw new ImageRefused("not_an_image", "must be a path below the folder of the file");
    }
    const bytes = await readUpTo(path, imageBytesMax);
    if (bytes === "too_large") throw new ImageRefused("too_large", `the image has more than ${imageBytesMax} bytes (2 MiB)`);
    return bytes;
  } catch (error) {
    throw error instanceof ImageRefused ? error : new ImageRefused("not_an_image", cannotBeRead(error));
  }
}

type Job = { creative: CreativeInput; placements: readonly Placement[]; path: string };

/** Makes the images of all creatives. Creatives that look alike share them. */
async function prepareAll(input: ImportInput, folder: string): Promise<{ images: Map<CreativeInput, PreparedImage[]>; faults: Fault[] }> {
  const images = new Map<CreativeInput, PreparedImage[]>();
  const faults: Fault[] = [];
  const made = new Map<string, Promise<PreparedImage[]>>();
  const prepare = async ({ creative, placements }: Job): Promise<PreparedImage[]> => {
    const look = { format: creative.format, placements: placementsServed(placements) };
    if (creative.image !== undefined) return prepareImage(await readImage(creative.image, folder), look);
    const { headline, description, ctaText } = creative;
    return prepareCard({ advertiser: input.advertiser, headline, description, ctaText }, look);
  };
  const jobs: Job[] = input.campaigns.flatMap(({ placements, creatives }, at) =>
    creatives.map((creative, index) => ({ creative, placements, path: `campaigns[${at}].creatives[${index}].image` })),
  );
  const takeJobs = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { creative, placements, path } = job;
      const { landingUrl: _landingUrl, ...look } = creative;
      const key = JSON.stringify([creative.image === undefined ? look : [creative.format, creative.image], placements]);
      const found = made.get(key) ?? prepare(job);
      made.set(key, found);
      try {
        images.set(creative, await found);
      } catch (error) {
        if (!(error instanceof ImageRefused)) throw error;
        faults.push({ path, message: error.message });
      }
    }
  };
  await Promise.all(Array.from({ length: creativesAtOnce }, takeJobs));
  return { images, faults };
}

async function findTakenNames(store: Store, input: ImportInput, advertiserId: string | undefined): Promise<Fault[]> {
  if (advertiserId === undefined) return [];
  const rows = await selectNamesOfAdvertiser(store.db, advertiserId).execute();
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()));
  return input.campaigns.flatMap(({ name }, index) =>
    taken.has(name.toLowerCase())
      ? [{ path: `campaigns[${index}].name`, message: `${input.advertiser} has a campaign "${name}" already; give this one another name` }]
      : [],
  );
}

type Import = { input: ImportInput; images: ReadonlyMap<CreativeInput, PreparedImage[]>; nowMs: number; actorAccountId: string | null };

/** One write: the campaigns with all they need, and the advertiser if it is new. */
async function writeAll(store: Store, advertiserId: string | undefined, order: Import): Promise<ImportOutcome> {
  const { input, images, nowMs, actorAccountId } = order;
  const id = advertiserId ?? timeOrderedId("adv", nowMs);
  const made = input.campaigns.map((campaign) => {
    const row = campaignRow(campaign, { advertiserId: id, house: false, status: "active", nowMs });
    const creatives = campaign.creatives.map((creative) => ({ row: creativeRow(creative, { campaignId: row.id, status: "approved", nowMs }), creative }));
    return { row, creatives };
  });
  const creatives = made.flatMap((each) => each.creatives);
  const rows = {
    campaigns: made.map(({ row }) => row),
    creatives: creatives.map(({ row }) => row),
    images: creatives.flatMap(({ row, creative }) => creativeImageRows(row.id, images.get(creative)!)),
  };
  const advertiser = advertiserId === undefined ? [insertAdvertiser(store.db, { id, name: input.advertiser, created_at: nowMs })] : [];
  const detail = { campaigns: made.length, creatives: creatives.length };
  await writeInventory(store, [...advertiser, ...addRows(store, rows)], { actorAccountId, nowMs, action: "campaign.import", subject: id, detail });
  const campaigns = made.map(({ row, creatives: { length } }) => ({ id: row.id, name: row.name, creatives: length }));
  return { kind: "imported", advertiser: input.advertiser, campaigns };
}

/**
 * Imports all of a document or nothing. Every check comes before the first write; then one write adds all campaigns,
 * active and with approved creatives.
 */
export async function importCampaigns(
  store: Store,
  document: unknown,
  context: { folder: string; nowMs: number; actorAccountId: string | null },
): Promise<ImportOutcome> {
  const { folder, nowMs, actorAccountId } = context;
  const validated = validateImport(document, nowMs);
  if (validated.kind === "invalid") return { kind: "refused", faults: validated.faults };
  const { value: input } = validated;
  const known = await selectAdvertiserByName(store.db, input.advertiser).executeTakeFirst();
  const taken = await findTakenNames(store, input, known?.id);
  const { images, faults } = await prepareAll(input, folder);
  if (taken.length + faults.length > 0) return { kind: "refused", faults: [...taken, ...faults].toSorted(byPath) };

  await storeImages(store, [...images.values()].flat(), nowMs);
  const order = { input, images, nowMs, actorAccountId };
  try {
    return await writeAll(store, known?.id, order);
  } catch (error) {
    // A concurrent import may have taken a name: the unique index admits one of them.
    const quicker = await selectAdvertiserByName(store.db, input.advertiser).executeTakeFirst();
    const nowTaken = await findTakenNames(store, input, quicker?.id);
    if (nowTaken.length > 0) return { kind: "refused", faults: nowTaken };
    if (quicker && !known) return writeAll(store, quicker.id, order);
    throw error;
  }
}

const byPath = (left: Fault, right: Fault): number => left.path.localeCompare(right.path, "en", { numeric: true });

/** Image paths are relative to the file. */
export async function importCampaignFile(
  store: Store,
  path: string,
  context: { nowMs: number; actorAccountId: string | null },
): Promise<ImportOutcome> {
  const refuse = (message: string): ImportOutcome => ({ kind: "refused", faults: [{ path: "the file", message }] });
  let document: unknown;
  try {
    const bytes = await readUpTo(path, fileBytesMax);
    if (bytes === "too_large") return refuse(`has more than ${fileBytesMax} bytes`);
    document = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? "is not valid JSON" : cannotBeRead(error));
  }
  return importCampaigns(store, document, { ...context, folder: dirname(resolve(path)) });
}
