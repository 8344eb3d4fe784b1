import type { AdFormat, Placement } from "../../store/schema-ads.ts";

export const adFormats = ["banner", "native", "interstitial"] as const satisfies readonly AdFormat[];
export const placements = ["feed", "sidebar", "fullscreen"] as const satisfies readonly Placement[];

/** Image sizes in pixels. */
export const imageSizes: Readonly<Record<AdFormat, Readonly<Record<Placement, { width: number; height: number }>>>> = {
  banner: {
    feed: { width: 728, height: 90 },
    sidebar: { width: 300, height: 250 },
    fullscreen: { width: 970, height: 250 },
  },
  native: {
    feed: { width: 1200, height: 628 },
    sidebar: { width: 600, height: 600 },
    fullscreen: { width: 1200, height: 628 },
  },
  interstitial: {
    feed: { width: 1080, height: 1080 },
    sidebar: { width: 600, height: 1200 },
    fullscreen: { width: 1080, height: 1920 },
  },
};

/** The file extension in the URL, by stored content type. */
const extensionOfType: Readonly<Record<string, string>> = { "image/webp": "webp", "image/png": "png", "image/jpeg": "jpg" };

export function extensionOf(contentType: string): string {
  const extension = extensionOfType[contentType];
  if (extension === undefined) throw new Error(`unexpected image type ${contentType}`);
  return extension;
}
