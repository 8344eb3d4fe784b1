import type { AdFormat, Placement } from "../../store/schema-ads.ts";

export const adFormats = ["banner", "native", "interstitial"] as const satisfies readonly AdFormat[];
export const placements = ["feed", "sidebar", "fullscreen"] as const satisfies readonly Placement[];

/** What each format measures in each placement, in pixels. */
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
