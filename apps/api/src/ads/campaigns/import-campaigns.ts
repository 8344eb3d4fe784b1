import { open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { insertAdvertiser, selectAdvertiserByName, selectNamesOfAdvertiser } from "./campaigns.table.ts";
import { imageBytesMax, ImageRefused } from "./inspect-image.ts";
import { placementsServed, prepareCard, prepareImage, type PreparedImage } from "./prepare-image.ts";
import { type CampaignWish, type CreativeWish, type Fault, type ImportWish, validateImport } from "./validate-campaign.ts";
import { addRows, campaignRow, creativeImageRows, creativeRow, storeImages, writeInventory } from "./write-inventory.ts";

export type ImportOutcome =
  | { kind: "imported"; advertiser: string; campaigns: { id: string; name: string; creatives: number }[] }
  | { kind: "refused"; faults: Fault[] };

const fileBytesMax = 16 * 1024 * 1024;
const creativesAtOnce = 2;

async function readUpTo(path: string, bytesMax: number): Promise<Buffer | "too_large"> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > bytesMax) return "too_large";
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Images lie beside the file or below it: a file from elsewhere must not pull in whatever else this machine holds. */
async function readImage(image: string, folder: string): Promise<Buffer> {
  const path = resolve(folder, image);
  const inside = (from: string, to: string) => !relative(from, to).startsWith(`..${sep}`) && relative(from, to) !== ".." && !isAbsolute(relative(from, to));
  if (isAbsolute(image) || !inside(folder, path)) throw new ImageRefused("not_an_image", "must be a path below the folder of the file");
  let bytes: Buffer | "too_large";
  try {
    // Links may lead out as well as dots do.
    if (!inside(await realpath(folder), await realpath(path))) throw new ImageRefused("not_an_image", "must be a path below the folder of the file");
    bytes = await readUpTo(path, imageBytesMax);
  } catch (error) {
    if (error instanceof ImageRefused) throw error;
    throw new ImageRefused("not_an_image", `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
  if (bytes === "too_large") throw new ImageRefused("too_large", `the image has more than ${imageBytesMax} bytes (2 MiB)`);
  return bytes;
}

type Job = { creative: CreativeWish; campaign: CampaignWish; path: string };

/** Makes the images of all creatives; those that are alike are made once. */
async function prepareAll(wish: ImportWish, folder: string): Promise<{ images: Map<CreativeWish, PreparedImage[]>; faults: Fault[] }> {
  const images = new Map<CreativeWish, PreparedImage[]>();
  const faults: Fault[] = [];
  const made = new Map<string, Promise<PreparedImage[]>>();
  const prepare = async ({ creative, campaign }: Job): Promise<PreparedImage[]> => {
    const order = { format: creative.format, placements: placementsServed(campaign.placements) };
    if (creative.image !== undefined) return prepareImage(await readImage(creative.image, folder), order);
    const { headline, description, ctaText } = creative;
    return prepareCard({ advertiser: wish.advertiser, headline, description, ctaText }, order);
  };
  const jobs: Job[] = wish.campaigns.flatMap((campaign, at) =>
    campaign.creatives.map((creative, index) => ({ creative, campaign, path: `campaigns[${at}].creatives[${index}].image` })),
  );
  const takeJobs = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { creative, campaign, path } = job;
      const { landingUrl: _landingUrl, ...look } = creative;
      const key = JSON.stringify([creative.image === undefined ? look : [creative.format, creative.image], campaign.placements]);
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

async function findTakenNames(store: Store, wish: ImportWish, advertiserId: string | undefined): Promise<Fault[]> {
  if (advertiserId === undefined) return [];
  const rows = await selectNamesOfAdvertiser(store.db, advertiserId).execute();
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()));
  return wish.campaigns.flatMap(({ name }, index) =>
    taken.has(name.toLowerCase())
      ? [{ path: `campaigns[${index}].name`, message: `${wish.advertiser} has a campaign "${name}" already; give this one another name` }]
      : [],
  );
}

type Import = { wish: ImportWish; images: ReadonlyMap<CreativeWish, PreparedImage[]>; nowMs: number; actorAccountId: string | null };

/** One write: the advertiser, where it is new, and everything of it. */
async function writeAll(store: Store, advertiserId: string | undefined, order: Import): Promise<ImportOutcome> {
  const { wish, images, nowMs, actorAccountId } = order;
  const id = advertiserId ?? timeOrderedId("adv", nowMs);
  const made = wish.campaigns.map((campaign) => {
    const row = campaignRow(campaign, { advertiserId: id, house: false, status: "active", nowMs });
    const creatives = campaign.creatives.map((creative) => ({ row: creativeRow(creative, { campaignId: row.id, status: "approved", nowMs }), wish: creative }));
    return { row, creatives };
  });
  const creatives = made.flatMap((each) => each.creatives);
  const rows = {
    campaigns: made.map(({ row }) => row),
    creatives: creatives.map(({ row }) => row),
    images: creatives.flatMap(({ row, wish: each }) => creativeImageRows(row.id, images.get(each)!)),
  };
  const advertiser = advertiserId === undefined ? [insertAdvertiser(store.db, { id, name: wish.advertiser, created_at: nowMs })] : [];
  const detail = { campaigns: made.length, creatives: creatives.length };
  await writeInventory(store, [...advertiser, ...addRows(store, rows)], { actorAccountId, nowMs, action: "campaign.import", subject: id, detail });
  const campaigns = made.map(({ row, creatives: { length } }) => ({ id: row.id, name: row.name, creatives: length }));
  return { kind: "imported", advertiser: wish.advertiser, campaigns };
}

/**
 * Takes a whole document or nothing of it. All that can be wrong is looked for before anything is written;
 * then all campaigns appear in one write, active, with approved creatives.
 */
export async function importCampaigns(
  store: Store,
  document: unknown,
  context: { folder: string; nowMs: number; actorAccountId: string | null },
): Promise<ImportOutcome> {
  const { folder, nowMs, actorAccountId } = context;
  const validated = validateImport(document, nowMs);
  if (validated.kind === "invalid") return { kind: "refused", faults: validated.faults };
  const { wish } = validated;
  const known = await selectAdvertiserByName(store.db, wish.advertiser).executeTakeFirst();
  const taken = await findTakenNames(store, wish, known?.id);
  const { images, faults } = await prepareAll(wish, folder);
  if (taken.length + faults.length > 0) return { kind: "refused", faults: [...taken, ...faults].toSorted(byPath) };

  await storeImages(store, [...images.values()].flat(), nowMs);
  const order = { wish, images, nowMs, actorAccountId };
  try {
    return await writeAll(store, known?.id, order);
  } catch (error) {
    // Another import may have taken a name meanwhile: the database lets one of them in.
    const quicker = await selectAdvertiserByName(store.db, wish.advertiser).executeTakeFirst();
    const nowTaken = await findTakenNames(store, wish, quicker?.id);
    if (nowTaken.length > 0) return { kind: "refused", faults: nowTaken };
    if (quicker && !known) return writeAll(store, quicker.id, order);
    throw error;
  }
}

const byPath = (left: Fault, right: Fault): number => left.path.localeCompare(right.path, "en", { numeric: true });

/** Reads the document itself; images are looked for beside it. */
export async function importCampaignFile(
  store: Store,
  path: string,
  context: { nowMs: number; actorAccountId: string | null },
): Promise<ImportOutcome> {
  const refuse = (message: string): ImportOutcome => ({ kind: "refused", faults: [{ path: "the file", message }] });
  let text: Buffer | "too_large";
  try {
    text = await readUpTo(path, fileBytesMax);
  } catch (error) {
    return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
  if (text === "too_large") return refuse(`has more than ${fileBytesMax} bytes`);
  let document: unknown;
  try {
    document = JSON.parse(text.toString("utf8"));
  } catch {
    return refuse("is not valid JSON");
  }
  return importCampaigns(store, document, { ...context, folder: dirname(resolve(path)) });
}
