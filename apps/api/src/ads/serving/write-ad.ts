import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Placement } from "../../store/schema-ads.ts";
import type { ServedCreative, ServedImage } from "../campaigns/follow-inventory.ts";

/** Where images and tracking are reached from outside, without a slash at the end. */
export type AdAddresses = { cdnUrl: string; trackUrl: string };

/** What stays the same in every answer that shows this creative in this placement. */
type Pieces = { upToClickUrl: string; afterRevenue: string };

function makePieces(creative: ServedCreative, image: ServedImage, addresses: AdAddresses): Pieces {
  const text = JSON.stringify;
  const imageUrl = `${addresses.cdnUrl}/${image.hash}.${image.extension}`;
  const shown =
    `"headline":${text(creative.headline)},"description":${text(creative.description)},` +
    `"image_url":${text(imageUrl)},"cta_text":${text(creative.ctaText)}`;
  return {
    upToClickUrl: `","creative":{${shown},"click_url":`,
    afterRevenue:
      `,"image_width":${image.width},"image_height":${image.height},"advertiser":${text(creative.advertiser)},` +
      `"house":${creative.house},"expires_at":"`,
  };
}

export type WrittenAd = {
  creative: ServedCreative;
  placement: Placement;
  offerId: string;
  tokens: { click: string; impression: string };
  developerMicroUsd: number;
  expiresMs: number;
};

/**
 * Writes answers from pieces that are made once for each creative and placement: most of an answer is the
 * creative's own text. A creative that is read anew is another object, so an edit makes new pieces.
 */
export function createAdWriter(addresses: () => AdAddresses) {
  const piecesOf = new WeakMap<ServedCreative, Partial<Record<Placement, Pieces>>>();

  function findPieces(creative: ServedCreative, placement: Placement): Pieces | undefined {
    let byPlacement = piecesOf.get(creative);
    if (!byPlacement) piecesOf.set(creative, (byPlacement = {}));
    const known = byPlacement[placement];
    if (known) return known;
    const image = creative.images[placement];
    return image && (byPlacement[placement] = makePieces(creative, image, addresses()));
  }

  return {
    canShow: (creative: ServedCreative, placement: Placement): boolean => creative.images[placement] !== undefined,
    /** The answer's JSON: see AdReply in the contract. */
    write(ad: WrittenAd): string {
      const pieces = findPieces(ad.creative, ad.placement);
      if (!pieces) throw new Error(`creative ${ad.creative.id} has no image for ${ad.placement}`);
      const { trackUrl } = addresses();
      const { click, impression } = ad.tokens;
      return (
        `{"ad_id":"${ad.offerId}${pieces.upToClickUrl}"${trackUrl}/c/${click}"},` +
        `"impression_tracking_url":"${trackUrl}/i/${impression}","estimated_revenue":${usdOf(ad.developerMicroUsd)}` +
        `${pieces.afterRevenue}${isoTime(ad.expiresMs)}"}`
      );
    },
  };
}
