// Draws the images of the house ads into apps/api/src/ads/campaigns/house/. They are committed: a first start only
// copies them. Run again after a change of their words (house.json) or of the drawing:
//   node scripts/draw-house-ads.ts
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Art, drawCard, type Palette } from "../apps/api/src/ads/campaigns/drawing/draw-card.ts";
import { earnings, gauge, shield } from "../apps/api/src/ads/campaigns/drawing/house-art.ts";
import type { HouseManifest } from "../apps/api/src/ads/campaigns/house-ads.ts";
import { imageSizes } from "../apps/api/src/ads/campaigns/image-formats.ts";

const folder = join(import.meta.dirname, "..", "apps", "api", "src", "ads", "campaigns", "house");
type Draw = (svg: Buffer) => { webp(options: { quality: number; effort: number }): { toBuffer(): Promise<Buffer> } };
// It is the service's dependency, not this folder's: so it is found from there.
const sharp = createRequire(join(folder, "house.json"))("sharp") as Draw;

const looks: Record<string, { palette: Palette; art: Art }> = {
  trust: {
    palette: { from: "#0d1b3e", to: "#1f4b99", ink: "#ffffff", soft: "#b9cdf6", accent: "#5eead4", onAccent: "#0d1b3e" },
    art: gauge,
  },
  earn: {
    palette: { from: "#fff6e5", to: "#ffe0b3", ink: "#3b2a12", soft: "#7a5f38", accent: "#e2572b", onAccent: "#fff6e5" },
    art: earnings,
  },
  private: {
    palette: { from: "#0f3d3e", to: "#15706a", ink: "#ffffff", soft: "#bfe6df", accent: "#ffcf5c", onAccent: "#0f3d3e" },
    art: shield,
  },
};

const manifest = JSON.parse(readFileSync(join(folder, "house.json"), "utf8")) as HouseManifest;
mkdirSync(folder, { recursive: true });
for (const { file, format, headline, description, cta_text: ctaText } of manifest.creatives) {
  const look = looks[file.split("-")[1] ?? ""];
  if (!look) throw new Error(`no look is known for ${file}`);
  for (const [placement, size] of Object.entries(imageSizes[format])) {
    const svg = drawCard({ advertiser: manifest.advertiser, headline, description, ctaText }, size, look);
    const bytes = await sharp(Buffer.from(svg)).webp({ quality: 88, effort: 6 }).toBuffer();
    const name = `${file}-${placement}.webp`;
    writeFileSync(join(folder, name), bytes);
    console.log(`${name}: ${size.width} × ${size.height}, ${bytes.length} bytes`);
  }
}
