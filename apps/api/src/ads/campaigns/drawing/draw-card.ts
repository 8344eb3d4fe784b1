import { blockSvg, centredSvg, fit, type Point, settable } from "./set-text.ts";

export type Size = { width: number; height: number };
export type Area = Size & Point;
export type CardCopy = { advertiser: string; headline: string; description: string; ctaText: string };

export type Palette = { from: string; to: string; ink: string; soft: string; accent: string; onAccent: string };

/** Draws something into an area of the card; text never overlaps it. */
export type Art = (area: Area, palette: Palette) => string;

const palettes: readonly Palette[] = [
  { from: "#101d3f", to: "#24418f", ink: "#ffffff", soft: "#c3d0f5", accent: "#ffc857", onAccent: "#1b2340" },
  { from: "#0b3b3c", to: "#14746f", ink: "#ffffff", soft: "#bfe5df", accent: "#ffd166", onAccent: "#0b3b3c" },
  { from: "#3a1650", to: "#7b2f8f", ink: "#ffffff", soft: "#e6c9f0", accent: "#ff9e7a", onAccent: "#3a1650" },
  { from: "#fff4e6", to: "#ffdcb8", ink: "#3b2412", soft: "#7d5a3f", accent: "#c8401f", onAccent: "#ffffff" },
  { from: "#eaf3ff", to: "#c8defc", ink: "#12284c", soft: "#46628c", accent: "#1f5fd0", onAccent: "#ffffff" },
  { from: "#e9f7ee", to: "#c4e8d1", ink: "#123a25", soft: "#46735a", accent: "#14794a", onAccent: "#ffffff" },
];

/** An advertiser has the same colours on all cards. */
export function paletteOf(name: string): Palette {
  let sum = 7;
  for (const character of name.toLowerCase()) sum = (sum * 31 + character.codePointAt(0)!) % 1_000_003;
  return palettes[sum % palettes.length]!;
}

const stripAspectMin = 4;
const landscapeAspectMin = 1.35;
const roomyHeightPx = 400;

/** A pill with a label. Its position depends on its width, so it is placed afterwards. */
function button(label: string, { heightPx, widthMaxPx }: { heightPx: number; widthMaxPx: number }, palette: Palette) {
  if (label === "") return { widthPx: 0, svgAt: () => "" };
  const sidePx = heightPx * 0.55;
  const text = fit(label, { widthPx: widthMaxPx - 2 * sidePx, heightPx: heightPx * 0.5 }, { fromPx: heightPx * 0.22, toPx: heightPx * 0.3, weight: "bold" });
  const widthPx = text.widthPx + 2 * sidePx;
  const svgAt = ({ x, y }: Point): string =>
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${widthPx.toFixed(1)}" height="${heightPx.toFixed(1)}" rx="${(heightPx / 2).toFixed(1)}" fill="${palette.accent}"/>` +
    blockSvg(text, { x: x + sidePx, y: y + (heightPx - text.sizePx) / 2 }, palette.onAccent);
  return { widthPx, svgAt };
}

/** The advertiser's name, on one line. */
const fitName = (name: string, widthPx: number, sizePx: number) =>
  fit(name, { widthPx, heightPx: sizePx * 1.5 }, { fromPx: sizePx * 0.75, toPx: sizePx, weight: "bold" });

/** Name, headline, description and button below each other, filling the area. */
function textBlock(copy: CardCopy, area: Area, palette: Palette): string {
  const { x, y, width } = area;
  const unit = Math.min(area.height, width * 1.1);
  const hasDescription = copy.description !== "" && area.height >= roomyHeightPx * 0.8;
  const gap = unit * (hasDescription ? 0.065 : 0.085);
  const name = fitName(copy.advertiser, width, Math.max(8, unit * 0.05));
  const buttonPx = Math.max(34, unit * 0.15);
  const buttonTop = y + area.height - buttonPx;
  const headTop = y + (name.heightPx === 0 ? 0 : name.heightPx + gap);
  const room = buttonTop - gap - headTop;
  const headline = fit(copy.headline, { widthPx: width, heightPx: hasDescription ? room * 0.58 : room }, { fromPx: Math.max(9, unit * 0.045), toPx: unit * (hasDescription ? 0.16 : 0.2), weight: "bold" });
  const parts = [blockSvg(name, area, palette.soft), blockSvg(headline, { x, y: headTop }, palette.ink)];
  if (hasDescription) {
    const top = headTop + (headline.heightPx === 0 ? 0 : headline.heightPx + gap);
    const fromPx = Math.max(9, unit * 0.033);
    const box = { widthPx: width * 0.96, heightPx: buttonTop - gap - top };
    const description = fit(copy.description, box, { fromPx, toPx: Math.max(fromPx, Math.min(unit * 0.048, headline.sizePx * 0.6)), weight: "regular" });
    parts.push(blockSvg(description, { x, y: top }, palette.soft));
  }
  parts.push(button(copy.ctaText, { heightPx: buttonPx, widthMaxPx: width }, palette).svgAt({ x, y: buttonTop }));
  return parts.join("");
}

function strip(copy: CardCopy, { width, height }: Size, palette: Palette, art: Art): string {
  const pad = height * 0.2;
  const artSide = height - 2 * pad * 0.7;
  const buttonPx = height * 0.46;
  const label = button(copy.ctaText, { heightPx: buttonPx, widthMaxPx: width * 0.28 }, palette);
  const x = pad + artSide + pad;
  const textWidth = width - x - (label.widthPx === 0 ? pad : label.widthPx + 2 * pad);
  const headline = fit(copy.headline, { widthPx: textWidth, heightPx: height * 0.46 }, { fromPx: height * 0.12, toPx: height * 0.22, weight: "bold" });
  const name = fitName(copy.advertiser, textWidth, height * 0.11);
  const gap = name.heightPx === 0 || headline.heightPx === 0 ? 0 : height * 0.08;
  const top = (height - headline.heightPx - gap - name.heightPx) / 2;
  return [
    art({ x: pad * 0.7, y: pad * 0.7, width: artSide, height: artSide }, palette),
    blockSvg(headline, { x, y: top }, palette.ink),
    blockSvg(name, { x, y: top + headline.heightPx + gap }, palette.soft),
    label.svgAt({ x: width - pad - label.widthPx, y: (height - buttonPx) / 2 }),
  ].join("");
}

function beside(copy: CardCopy, { width, height }: Size, palette: Palette, art: Art): string {
  const pad = height * 0.11;
  const artWidth = Math.min(height - 2 * pad, width * 0.38);
  const text = { x: pad, y: pad, width: width - 3 * pad - artWidth, height: height - 2 * pad };
  const artTop = (height - artWidth) / 2;
  return textBlock(copy, text, palette) + art({ x: width - pad - artWidth, y: artTop, width: artWidth, height: artWidth }, palette);
}

function stacked(copy: CardCopy, { width, height }: Size, palette: Palette, art: Art): string {
  const pad = width * 0.09;
  const inner = width - 2 * pad;
  const isSmall = height < roomyHeightPx;
  const artSide = isSmall ? 0 : Math.min(inner * 0.8, height * (height > width * 1.3 ? 0.36 : 0.28));
  const top = isSmall ? pad : pad + artSide + pad * 0.9;
  const text = { x: pad, y: top, width: inner, height: height - top - pad };
  const picture = isSmall ? "" : art({ x: pad, y: pad, width: artSide, height: artSide }, palette);
  return picture + textBlock(copy, text, palette);
}

/** Rings with the advertiser's initial, for creatives without an image. */
export function monogram(name: string): Art {
  const initial = settable(Array.from(name.trim().toUpperCase())[0] ?? "");
  return (area, palette) => {
    const cx = area.x + area.width / 2;
    const cy = area.y + area.height / 2;
    const r = area.width / 2;
    const rings = [1, 0.8].map((share, index) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(r * share).toFixed(1)}" fill="${palette.accent}" fill-opacity="${index === 0 ? 0.25 : 0.5}"/>`);
    const disc = `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(r * 0.62).toFixed(1)}" fill="${palette.accent}"/>`;
    return rings.join("") + disc + centredSvg(initial, { x: cx, y: cy }, { sizePx: r * 0.5, colour: palette.onAccent });
  };
}

/** Large, faint discs behind everything, so that no card is a flat field. */
function backdrop({ width, height }: Size, palette: Palette): string {
  const r = Math.max(width, height) * 0.42;
  return (
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${palette.from}"/><stop offset="1" stop-color="${palette.to}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#g)"/>` +
    `<circle cx="${width}" cy="0" r="${r.toFixed(0)}" fill="${palette.accent}" fill-opacity="0.07"/>` +
    `<circle cx="${(width * 0.86).toFixed(0)}" cy="${height}" r="${(r * 0.62).toFixed(0)}" fill="${palette.ink}" fill-opacity="0.05"/>`
  );
}

/** A card as SVG without text elements: all letters are paths, so it needs no installed font and cannot carry markup. */
export function drawCard(given: CardCopy, size: Size, look: { palette: Palette; art: Art }): string {
  const copy = {
    advertiser: settable(given.advertiser),
    headline: settable(given.headline),
    description: settable(given.description),
    ctaText: settable(given.ctaText),
  };
  const aspect = size.width / size.height;
  const arrange = aspect >= stripAspectMin ? strip : aspect >= landscapeAspectMin ? beside : stacked;
  const { width, height } = size;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `${backdrop(size, look.palette)}${arrange(copy, size, look.palette, look.art)}</svg>`
  );
}
