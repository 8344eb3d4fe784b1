import { canWrite } from "./stroke-font.ts";
import { fit, lineSvg, linesSvg, widthPx } from "./set-text.ts";

export type Size = { width: number; height: number };
export type Area = Size & { x: number; y: number };
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

/** The same advertiser has the same colours on all cards. */
export function paletteOf(name: string): Palette {
  let sum = 7;
  for (const character of name.toLowerCase()) sum = (sum * 31 + character.codePointAt(0)!) % 1_000_003;
  return palettes[sum % palettes.length]!;
}

const stripAspectMin = 4;
const landscapeAspectMin = 1.35;
const roomyHeightPx = 400;

const written = (text: string): string => (canWrite(text) ? text : "");

/** A pill with a label, its left edge at x. */
function buttonSvg(label: string, place: { x: number; y: number; heightPx: number; widthMaxPx: number }, palette: Palette) {
  const { heightPx, x, y } = place;
  const sidePx = heightPx * 0.55;
  const { sizePx, lines } = fit(label, { widthPx: place.widthMaxPx - 2 * sidePx, heightPx: heightPx * 0.5 }, {
    fromPx: heightPx * 0.22,
    toPx: heightPx * 0.32,
    weight: "bold",
  });
  const text = lines[0] ?? "";
  const style = { sizePx, weight: "bold" as const, colour: palette.onAccent };
  const width = widthPx(text, style) + 2 * sidePx;
  const svg =
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${heightPx.toFixed(1)}" rx="${(heightPx / 2).toFixed(1)}" fill="${palette.accent}"/>` +
    lineSvg(text, { x: x + sidePx, y: y + (heightPx - sizePx) / 2 }, style);
  return { svg, width };
}

/** The advertiser's name as a line of its own. */
function nameSvg(name: string, place: { x: number; y: number; sizePx: number; widthMaxPx: number }, palette: Palette): string {
  const { sizePx, lines } = fit(name, { widthPx: place.widthMaxPx, heightPx: place.sizePx }, { fromPx: place.sizePx * 0.75, toPx: place.sizePx, weight: "bold" });
  return lineSvg(lines[0] ?? "", place, { sizePx, weight: "bold", colour: palette.soft });
}

/** Name, headline, description and button below each other, filling the area. */
function textBlock(copy: CardCopy, area: Area, palette: Palette): string {
  const unit = Math.min(area.height, area.width * 1.1);
  const gap = unit * 0.075;
  const nameSizePx = Math.max(8, unit * 0.05);
  const buttonPx = Math.max(30, unit * 0.15);
  const hasDescription = copy.description !== "" && area.height >= roomyHeightPx * 0.8;
  const buttonTop = area.y + area.height - buttonPx;
  const headTop = area.y + (copy.advertiser === "" ? 0 : nameSizePx + gap);
  const room = buttonTop - gap - headTop;
  const headline = fit(copy.headline, { widthPx: area.width, heightPx: hasDescription ? room * 0.62 : room }, {
    fromPx: Math.max(9, unit * 0.045),
    toPx: unit * 0.17,
    weight: "bold",
  });
  const headPx = (headline.lines.length - 1) * headline.sizePx * 1.54 + headline.sizePx;
  const column = { x: area.x, widthPx: area.width, align: "left" as const };
  const parts = [
    nameSvg(copy.advertiser, { x: area.x, y: area.y, sizePx: nameSizePx, widthMaxPx: area.width }, palette),
    linesSvg(headline.lines, { ...column, y: headTop }, { sizePx: headline.sizePx, weight: "bold", colour: palette.ink }),
  ];
  if (hasDescription) {
    const top = headTop + headPx + gap * 1.1;
    const bounds = { fromPx: Math.max(9, unit * 0.035), toPx: Math.min(unit * 0.05, headline.sizePx * 0.6), weight: "regular" as const };
    const { sizePx, lines } = fit(copy.description, { widthPx: area.width * 0.94, heightPx: Math.max(bounds.fromPx, buttonTop - gap - top) }, bounds);
    parts.push(linesSvg(lines, { ...column, y: top }, { sizePx, weight: "regular", colour: palette.soft }));
  }
  if (copy.ctaText !== "") {
    parts.push(buttonSvg(copy.ctaText, { x: area.x, y: buttonTop, heightPx: buttonPx, widthMaxPx: area.width }, palette).svg);
  }
  return parts.join("");
}

function strip(copy: CardCopy, { width, height }: Size, palette: Palette, art: Art): string {
  const pad = height * 0.2;
  const artSide = height - 2 * pad * 0.7;
  const buttonPx = height * 0.46;
  const label = copy.ctaText === "" ? undefined : buttonSvg(copy.ctaText, { x: 0, y: 0, heightPx: buttonPx, widthMaxPx: width * 0.28 }, palette);
  const textX = pad + artSide + pad;
  const textWidth = width - textX - (label ? label.width + 2 * pad : pad);
  const headline = fit(copy.headline, { widthPx: textWidth, heightPx: height * 0.42 }, { fromPx: height * 0.12, toPx: height * 0.22, weight: "bold" });
  const headPx = (headline.lines.length - 1) * headline.sizePx * 1.54 + headline.sizePx;
  const nameSizePx = height * 0.11;
  const top = (height - headPx - (copy.advertiser === "" ? 0 : nameSizePx * 2.1)) / 2;
  const button = copy.ctaText === "" ? "" : buttonSvg(copy.ctaText, { x: width - pad - (label?.width ?? 0), y: (height - buttonPx) / 2, heightPx: buttonPx, widthMaxPx: width * 0.28 }, palette).svg;
  return [
    art({ x: pad * 0.7, y: pad * 0.7, width: artSide, height: artSide }, palette),
    linesSvg(headline.lines, { x: textX, y: top, widthPx: textWidth, align: "left" }, { sizePx: headline.sizePx, weight: "bold", colour: palette.ink }),
    nameSvg(copy.advertiser, { x: textX, y: top + headPx + nameSizePx * 1.1, sizePx: nameSizePx, widthMaxPx: textWidth }, palette),
    button,
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

/** Rings with the advertiser's initial: for those who sent no picture. */
export function monogram(name: string): Art {
  const initial = written(Array.from(name.trim().toUpperCase())[0] ?? "");
  return (area, palette) => {
    const cx = area.x + area.width / 2;
    const cy = area.y + area.height / 2;
    const r = area.width / 2;
    const style = { sizePx: r * 0.8, weight: "bold" as const, colour: palette.onAccent };
    const rings = [1, 0.8].map((share, index) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(r * share).toFixed(1)}" fill="${palette.accent}" fill-opacity="${index === 0 ? 0.25 : 0.5}"/>`);
    const disc = `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(r * 0.62).toFixed(1)}" fill="${palette.accent}"/>`;
    const letter = lineSvg(initial, { x: cx - widthPx(initial, style) / 2, y: cy - style.sizePx / 2 }, style);
    return rings.join("") + disc + letter;
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

/** A card as SVG in which no text element occurs: all letters are paths, so it needs no font and holds nobody's markup. */
export function drawCard(given: CardCopy, size: Size, look: { palette: Palette; art: Art }): string {
  const copy = {
    advertiser: written(given.advertiser),
    headline: written(given.headline),
    description: written(given.description),
    ctaText: written(given.ctaText),
  };
  const aspect = size.width / size.height;
  const arrange = aspect >= stripAspectMin ? strip : aspect >= landscapeAspectMin ? beside : stacked;
  const { width, height } = size;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `${backdrop(size, look.palette)}${arrange(copy, size, look.palette, look.art)}</svg>`
  );
}
