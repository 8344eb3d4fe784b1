import { type Font, openSync } from "fontkit";
import { fileURLToPath } from "node:url";

export type Point = { x: number; y: number };
type Weight = "regular" | "bold";

const open = (url: string): Font => openSync(fileURLToPath(url)) as Font;

/** Whole TTF files, not web subsets: one covers Latin, Greek and Cyrillic, and there is nothing to decompress. */
const fonts: Record<Weight, Font> = {
  regular: open(import.meta.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf")),
  bold: open(import.meta.resolve("@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf")),
};

/** From baseline to baseline, and below the last one, as multiples of the cap height. At 1.68 an Å clears a g on the line above. */
const lineSpacing: Record<Weight, number> = { regular: 1.95, bold: 1.68 };
const descent = 0.3;

/** Contextual alternates are off: they triple the time of a layout, for little on a card. */
const layOut = (text: string, weight: Weight) => fonts[weight].layout(text, { calt: false });

/** The text in composed form, or nothing if the font lacks one of its characters. */
export function settable(text: string): string {
  const composed = text.normalize("NFC");
  return Array.from(composed).every((character) => fonts.bold.hasGlyphForCodePoint(character.codePointAt(0)!)) ? composed : "";
}

/** Words set in a row; their width is a multiple of the cap height, so it holds for every size. */
type Run = { text: string; width: number };

const measure = (text: string, weight: Weight): Run => ({ text, width: layOut(text, weight).advanceWidth / fonts[weight].capHeight });

/** Of all ways to break the words into lines, takes the one that fills the lines most evenly. */
function wrap(words: readonly Run[], widthMax: number, space: number): Run[] {
  const best: { lines: Run[]; cost: number }[] = [];
  best[words.length] = { lines: [], cost: 0 };
  for (let from = words.length - 1; from >= 0; from -= 1) {
    let line = words[from]!;
    best[from] = { lines: [], cost: Infinity };
    for (let to = from + 1; to <= words.length; to += 1) {
      const cost = best[to]!.cost + (widthMax - line.width) ** 2;
      if (cost < best[from]!.cost) best[from] = { lines: [line, ...best[to]!.lines], cost };
      const next = words[to] ?? { text: "", width: Infinity };
      line = { text: `${line.text} ${next.text}`, width: line.width + space + next.width };
      if (line.width > widthMax) break;
    }
  }
  return best[0]!.lines;
}

/** Breaks a word that is wider than a line. */
function breakUp(word: Run, widthMax: number, weight: Weight): Run[] {
  if (word.width <= widthMax) return [word];
  const pieces: Run[] = [];
  for (const character of word.text) {
    const piece = pieces.at(-1) ?? { text: "", width: Infinity };
    const width = fonts[weight].glyphForCodePoint(character.codePointAt(0)!).advanceWidth / fonts[weight].capHeight;
    if (piece.width + width > widthMax) pieces.push({ text: character, width });
    else pieces[pieces.length - 1] = { text: piece.text + character, width: piece.width + width };
  }
  return pieces;
}

/** `sizePx` is the height of a capital, `heightPx` reaches from the top of the first line's capitals to below the last line's descenders. */
export type Block = { lines: readonly Run[]; sizePx: number; weight: Weight; widthPx: number; heightPx: number };

function block(lines: readonly Run[], sizePx: number, weight: Weight): Block {
  const widthPx = Math.max(0, ...lines.map(({ width }) => width)) * sizePx;
  return { lines, sizePx, weight, widthPx, heightPx: lines.length === 0 ? 0 : sizePx * (1 + (lines.length - 1) * lineSpacing[weight] + descent) };
}

/** Sets the text at the largest size that fits the box. At the smallest, long words are broken and an ellipsis replaces the last words. */
export function fit(text: string, box: { widthPx: number; heightPx: number }, { fromPx, toPx, weight }: { fromPx: number; toPx: number; weight: Weight }): Block {
  const words = text.split(" ").filter((word) => word !== "").map((word) => measure(word, weight));
  const space = measure(" ", weight).width;
  for (let sizePx = toPx; sizePx >= fromPx; sizePx = Math.min(sizePx - 0.5, sizePx * 0.96)) {
    const set = block(wrap(words, box.widthPx / sizePx, space), sizePx, weight);
    if (set.widthPx <= box.widthPx && set.heightPx <= box.heightPx) return set;
  }
  const widthMax = box.widthPx / fromPx;
  const pieces = words.flatMap((word) => breakUp(word, widthMax - measure("…", weight).width, weight));
  let set = block(wrap(pieces, widthMax, space), fromPx, weight);
  for (let kept = pieces.length - 1; kept > 0 && set.heightPx > box.heightPx; kept -= 1) {
    const last = measure(`${pieces[kept - 1]!.text.replace(/\p{P}+$/u, "")}…`, weight);
    set = block(wrap([...pieces.slice(0, kept - 1), last], widthMax, space), fromPx, weight);
  }
  return set;
}

/** The outline of a line whose ink starts at x, on the baseline y: lines of all sizes are flush left. */
function outline(text: string, start: Point, { sizePx, weight }: { sizePx: number; weight: Weight }): string {
  const { glyphs, positions, bbox } = layOut(text, weight);
  const scale = sizePx / fonts[weight].capHeight;
  let x = start.x - bbox.minX * scale;
  return glyphs
    .map((glyph, index) => {
      const { xAdvance, xOffset, yOffset } = positions[index]!;
      const path = glyph.path.transform(scale, 0, 0, -scale, x + xOffset * scale, start.y - yOffset * scale);
      x += xAdvance * scale;
      return path.toSVG();
    })
    .join("");
}

/** A block whose first capitals have their upper left corner at the point. */
export function blockSvg({ lines, ...style }: Block, { x, y }: Point, colour: string): string {
  const paths = lines.map(({ text }, index) => outline(text, { x, y: y + style.sizePx * (1 + index * lineSpacing[style.weight]) }, style));
  return `<path fill="${colour}" d="${paths.join("")}"/>`;
}

/** A few bold characters around a point. */
export function centredSvg(text: string, centre: Point, { sizePx, colour }: { sizePx: number; colour: string }): string {
  const inkPx = (layOut(text, "bold").bbox.width * sizePx) / fonts.bold.capHeight;
  const start = { x: centre.x - inkPx / 2, y: centre.y + sizePx / 2 };
  return `<path fill="${colour}" d="${outline(text, start, { sizePx, weight: "bold" })}"/>`;
}
