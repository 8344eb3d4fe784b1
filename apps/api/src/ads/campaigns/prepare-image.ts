import { createHash } from "node:crypto";
import type { Sharp, SharpOptions } from "sharp";
import { overloaded } from "../../failure/failure.ts";
import type { AdFormat, ImageRow, Placement } from "../../store/schema-ads.ts";
import type { CardCopy } from "./drawing/draw-card.ts";
import { imageSizes, placements } from "./image-formats.ts";
import { checkImageBytes, checkImageHeader, imagePixelsMax, ImageRefused, type ImageType } from "./inspect-image.ts";

export type PreparedImage = Omit<ImageRow, "created_at"> & { placement: Placement };

/** Up to this difference in shape a picture is cropped; beyond, it is shown whole over a blurred copy of itself. */
const croppedAspectRatioMax = 1.4;
/** A small picture is blurred and enlarged: it looks the same and costs a fiftieth. */
const blurredShare = 1 / 8;
const blurPx = 3;
/** Measured: more effort takes twice the time for 4% fewer bytes. */
const webp = { quality: 85, effort: 2 } as const;
const workSecondsMax = 20;
/** Images under way at once; the machine has other work. */
const atOnceMax = 2;
const waitingMax = 32;

/** Loaded with the first image: an installation that only serves ads need not hold it in memory. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

let working = 0;
const waiting: (() => void)[] = [];

async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (working >= atOnceMax) {
    if (waiting.length >= waitingMax) throw overloaded("too many images are being prepared");
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  working += 1;
  try {
    return await work();
  } finally {
    working -= 1;
    waiting.shift()?.();
  }
}

const inputOptions = { limitInputPixels: imagePixelsMax, failOn: "truncated", animated: false, pages: 1, sequentialRead: true } satisfies SharpOptions;

type Source = { bytes: Uint8Array; type: ImageType; width: number; height: number };

/** The library's own words may quote the file, so they are not passed on. */
const damaged = (type: ImageType) => (): never => {
  throw new ImageRefused("damaged", `the image is damaged or cut short: it could not be read as ${type.toUpperCase()}`);
};

/** Reads the header only. */
async function inspect(sharp: Awaited<ReturnType<typeof loadSharp>>, bytes: Uint8Array): Promise<Source> {
  const type = checkImageBytes(bytes);
  const header = await sharp(bytes, { ...inputOptions, limitInputPixels: false, animated: true, pages: -1 }).metadata().catch(damaged(type));
  const pages = header.pages ?? 1;
  const heightOfPage = header.pageHeight ?? header.height;
  checkImageHeader({ width: header.width, height: heightOfPage, pages });
  // Cameras say how to turn a picture: orientations 5 and above swap the sides.
  const isTurned = (header.orientation ?? 1) >= 5;
  const [width, height] = isTurned ? [heightOfPage, header.width] : [header.width, heightOfPage];
  return { bytes, type, width, height };
}

async function fitInto(sharp: Awaited<ReturnType<typeof loadSharp>>, source: Source, size: { width: number; height: number }): Promise<Sharp> {
  const open = () => sharp(source.bytes, inputOptions).timeout({ seconds: workSecondsMax }).autoOrient();
  const aspect = source.width / source.height / (size.width / size.height);
  if (Math.max(aspect, 1 / aspect) <= croppedAspectRatioMax) {
    return open().flatten({ background: "#ffffff" }).resize({ ...size, fit: "cover", position: "centre" });
  }
  const whole = await open().resize({ ...size, fit: "inside" }).png({ compressionLevel: 1 }).toBuffer();
  const small = { width: Math.ceil(size.width * blurredShare), height: Math.ceil(size.height * blurredShare) };
  const behind = await open()
    .flatten({ background: "#ffffff" })
    .resize({ ...small, fit: "cover", position: "centre" })
    .blur(blurPx)
    .modulate({ brightness: 0.82 })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(behind).resize({ ...size, fit: "fill", kernel: "cubic" }).composite([{ input: whole, gravity: "centre" }]);
}

function toImage(placement: Placement, size: { width: number; height: number }, bytes: Buffer): PreparedImage {
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { placement, hash, content_type: "image/webp", ...size, bytes };
}

/** The placements that a campaign serves in; none named: all. */
export const placementsServed = (wanted: readonly Placement[]): readonly Placement[] => (wanted.length === 0 ? placements : wanted);

/**
 * Decodes an image and encodes it anew for each placement: what is served is made of pixels only, whatever
 * else the file held. The same bytes give the same images.
 */
export function prepareImage(bytes: Uint8Array, order: { format: AdFormat; placements: readonly Placement[] }): Promise<PreparedImage[]> {
  return takeTurn(async () => {
    const type = checkImageBytes(bytes);
    const sharp = await loadSharp();
    const source = await inspect(sharp, bytes);
    const prepared: PreparedImage[] = [];
    for (const placement of order.placements) {
      const size = imageSizes[order.format][placement];
      const fitted = await fitInto(sharp, source, size).catch(damaged(type));
      prepared.push(toImage(placement, size, await fitted.webp(webp).toBuffer().catch(damaged(type))));
    }
    return prepared;
  });
}

/** For creatives without an image. */
export function prepareCard(copy: CardCopy, order: { format: AdFormat; placements: readonly Placement[] }): Promise<PreparedImage[]> {
  return takeTurn(async () => {
    const sharp = await loadSharp();
    // Loads the fonts, which only cards need.
    const { drawCard, monogram, paletteOf } = await import("./drawing/draw-card.ts");
    const look = { palette: paletteOf(copy.advertiser), art: monogram(copy.advertiser) };
    const prepared: PreparedImage[] = [];
    for (const placement of order.placements) {
      const size = imageSizes[order.format][placement];
      const svg = Buffer.from(drawCard(copy, size, look));
      prepared.push(toImage(placement, size, await sharp(svg).webp(webp).toBuffer()));
    }
    return prepared;
  });
}
