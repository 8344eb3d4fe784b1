import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Placement } from "../../store/schema-ads.ts";
import type { ServedCreative, ServedImage } from "../campaigns/follow-inventory.ts";

/** Public base URLs of images and tracking, without a trailing slash. */
export type AdAddresses = { cdnUrl: string; trackUrl: string };

/** The constant parts of every answer with this creative in this placement. */
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
 * Writes answers from pieces that are cached per creative and placement, because most of an answer is the creative's
 * text. A creative that is read again is a new object, so an edit invalidates its pieces.
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
