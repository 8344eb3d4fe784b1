import type { Art } from "./draw-card.ts";
import { centredSvg, type Point } from "./set-text.ts";

const n = (value: number): string => value.toFixed(1);

function point(centre: Point, radius: number, degrees: number): string {
  const radians = (degrees * Math.PI) / 180;
  return `${n(centre.x + radius * Math.cos(radians))} ${n(centre.y + radius * Math.sin(radians))}`;
}

/** Clockwise from one angle to the other; 0 is to the right. */
function arc(centre: Point, radius: number, turn: { from: number; to: number }): string {
  const large = turn.to - turn.from > 180 ? 1 : 0;
  return `M${point(centre, radius, turn.from)}A${n(radius)} ${n(radius)} 0 ${large} 1 ${point(centre, radius, turn.to)}`;
}

/** A dial with a score. */
export const gauge: Art = ({ x, y, width }, palette) => {
  const centre = { x: x + width / 2, y: y + width * 0.54 };
  const radius = width * 0.42;
  const stroke = `fill="none" stroke-linecap="round" stroke-width="${n(width * 0.085)}"`;
  const ticks = Array.from({ length: 11 }, (_, index) => {
    const degrees = 150 + index * 24;
    return `M${point(centre, radius * 0.76, degrees)}L${point(centre, radius * 0.8, degrees)}`;
  });
  return [
    `<path d="${arc(centre, radius, { from: 150, to: 390 })}" ${stroke} stroke="${palette.ink}" stroke-opacity="0.16"/>`,
    `<path d="${arc(centre, radius, { from: 150, to: 358 })}" ${stroke} stroke="${palette.accent}"/>`,
    `<path d="${ticks.join("")}" fill="none" stroke="${palette.soft}" stroke-linecap="round" stroke-width="${n(width * 0.014)}"/>`,
    `<circle cx="${point(centre, radius, 358).replace(" ", '" cy="')}" r="${n(width * 0.026)}" fill="${palette.onAccent}"/>`,
    centredSvg("87", centre, { sizePx: width * 0.22, colour: palette.ink }),
  ].join("");
};

/** Columns that grow, and a coin above the last. */
export const earnings: Art = ({ x, y, width }, palette) => {
  const shares = [0.24, 0.36, 0.32, 0.5, 0.66];
  const step = width / shares.length;
  const columns = shares.map((share, index) => {
    const height = width * share;
    const isLast = index === shares.length - 1;
    const fill = isLast ? `fill="${palette.accent}"` : `fill="${palette.ink}" fill-opacity="${n(0.16 + index * 0.1)}"`;
    return `<rect x="${n(x + index * step + step * 0.14)}" y="${n(y + width - height)}" width="${n(step * 0.72)}" height="${n(height)}" rx="${n(step * 0.16)}" ${fill}/>`;
  });
  const coin = { x: x + width - step / 2, y: y + width * 0.16, r: width * 0.135 };
  return [
    ...columns,
    `<circle cx="${n(coin.x)}" cy="${n(coin.y)}" r="${n(coin.r)}" fill="${palette.accent}"/>`,
    `<circle cx="${n(coin.x)}" cy="${n(coin.y)}" r="${n(coin.r * 0.84)}" fill="none" stroke="${palette.onAccent}" stroke-opacity="0.35" stroke-width="${n(coin.r * 0.07)}"/>`,
    centredSvg("$", coin, { sizePx: coin.r * 0.9, colour: palette.onAccent }),
  ].join("");
};

/** A shield with a tick, inside empty rings. */
export const shield: Art = ({ x, y, width }, palette) => {
  const at = (across: number, down: number) => `${n(x + width * across)} ${n(y + width * down)}`;
  const outline = `M${at(0.5, 0.14)}C${at(0.6, 0.22)} ${at(0.7, 0.25)} ${at(0.8, 0.26)}V${n(y + width * 0.48)}C${at(0.8, 0.68)} ${at(0.66, 0.82)} ${at(0.5, 0.9)}C${at(0.34, 0.82)} ${at(0.2, 0.68)} ${at(0.2, 0.48)}V${n(y + width * 0.26)}C${at(0.3, 0.25)} ${at(0.4, 0.22)} ${at(0.5, 0.14)}Z`;
  const rings = [0.5, 0.41].map((share) => `<circle cx="${n(x + width / 2)}" cy="${n(y + width / 2)}" r="${n(width * share)}" fill="${palette.ink}" fill-opacity="0.05"/>`);
  const tick = `M${at(0.37, 0.51)}L${at(0.47, 0.61)}L${at(0.64, 0.41)}`;
  return [
    ...rings,
    `<path d="${outline}" fill="${palette.accent}"/>`,
    `<path d="${tick}" fill="none" stroke="${palette.onAccent}" stroke-width="${n(width * 0.062)}" stroke-linecap="round" stroke-linejoin="round"/>`,
  ].join("");
};
