import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Placement } from "../../store/schema-ads.ts";
import type { ServedCreative, ServedImage } from "../campaigns/follow-inventory.ts";

/** Public base URLs of images and tracking, without a trailing slash. */
export type AdAddresses = { cdnUrl: string; trackUrl: string };

/**
 * The constant parts of every answer with this creative in this placement, and how many bytes more than characters they
 * have. Nothing else in an answer is anything but ASCII.
 */
type Pieces = { upToClick: string; upToImpression: string; afterRevenue: string; bytesBeyondLength: number };

function makePieces(creative: ServedCreative, image: ServedImage, addresses: AdAddresses): Pieces {
  const text = JSON.stringify;
  const imageUrl = `${addresses.cdnUrl}/${image.hash}.${image.extension}`;
  const shown =
    `"headline":${text(creative.headline)},"description":${text(creative.description)},` +
    `"image_url":${text(imageUrl)},"cta_text":${text(creative.ctaText)}`;
  const upToClick = `","creative":{${shown},"click_url":"${addresses.trackUrl}/c/`;
  const upToImpression = `"},"impression_tracking_url":"${addresses.trackUrl}/i/`;
  const afterRevenue =
    `,"image_width":${image.width},"image_height":${image.height},"advertiser":${text(creative.advertiser)},` +
    `"house":${creative.house},"expires_at":"`;
  const bytesBeyondLength = [upToClick, upToImpression, afterRevenue].reduce((sum, piece) => sum + Buffer.byteLength(piece) - piece.length, 0);
  return { upToClick, upToImpression, afterRevenue, bytesBeyondLength };
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
    /** The answer's JSON: see AdReply in the contract. Its bytes are known without going through it. */
    write(ad: WrittenAd): { body: string; bytes: number } {
      const pieces = findPieces(ad.creative, ad.placement);
      if (!pieces) throw new Error(`creative ${ad.creative.id} has no image for ${ad.placement}`);
      const { click, impression } = ad.tokens;
      const body =
        `{"ad_id":"${ad.offerId}${pieces.upToClick}${click}${pieces.upToImpression}${impression}",` +
        `"estimated_revenue":${usdOf(ad.developerMicroUsd)}` +
        `${pieces.afterRevenue}${isoTime(ad.expiresMs)}"}`;
      return { body, bytes: body.length + pieces.bytesBeyondLength };
    },
  };
}
