import { capHeight, glyphOf, letterGap } from "./stroke-font.ts";

export type Weight = "regular" | "bold";
/** The pen's width, in the font's units. */
const penOf: Record<Weight, number> = { regular: 1.5, bold: 2.3 };
const lineHeightUnits = 21.5;

export type TextStyle = { /** Height of a capital, in pixels. */ sizePx: number; weight: Weight; colour: string };

const charactersOf = (text: string): string[] => Array.from(text.normalize("NFC"));

const gapOf = (weight: Weight): number => letterGap + penOf[weight];

function widthUnits(text: string, weight: Weight): number {
  const characters = charactersOf(text);
  const letters = characters.reduce((sum, character) => sum + (glyphOf(character)?.width ?? 0), 0);
  return letters + gapOf(weight) * Math.max(0, characters.length - 1) + penOf[weight];
}

export const widthPx = (text: string, { sizePx, weight }: Pick<TextStyle, "sizePx" | "weight">): number =>
  (widthUnits(text, weight) * sizePx) / capHeight;

/** From one line's capitals to the next one's. */
export const linePx = (sizePx: number): number => (lineHeightUnits * sizePx) / capHeight;

/** Breaks at spaces; a word that is wider than a line is broken anywhere. */
export function wrap(text: string, style: Pick<TextStyle, "sizePx" | "weight">, widthMaxPx: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthPx(longer, style) <= widthMaxPx) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of charactersOf(word)) {
      if (line !== "" && widthPx(line + character, style) > widthMaxPx) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  return line === "" ? lines : [...lines, line];
}

export type Box = { widthPx: number; heightPx: number };

/** The largest size at which the text fits, and how it breaks there; at the smallest, the end is left out with an ellipsis. */
export function fit(text: string, box: Box, bounds: { fromPx: number; toPx: number; weight: Weight }): { sizePx: number; lines: string[] } {
  const { weight } = bounds;
  const heightOf = (lines: number, sizePx: number) => (lines - 1) * linePx(sizePx) + sizePx;
  for (let sizePx = bounds.toPx; sizePx >= bounds.fromPx; sizePx = Math.min(sizePx - 0.5, sizePx * 0.96)) {
    const lines = wrap(text, { sizePx, weight }, box.widthPx);
    const breaksWord = lines.some((line, index) => index > 0 && !text.includes(` ${line.split(" ")[0]}`));
    if (!breaksWord && heightOf(lines.length, sizePx) <= box.heightPx) return { sizePx, lines };
  }
  const style = { sizePx: bounds.fromPx, weight };
  const lines = wrap(text, style, box.widthPx);
  const linesMax = Math.max(1, Math.floor((box.heightPx - bounds.fromPx) / linePx(bounds.fromPx)) + 1);
  return { sizePx: bounds.fromPx, lines: lines.length <= linesMax ? lines : cutShort(lines.slice(0, linesMax), style, box.widthPx) };
}

function cutShort(lines: string[], style: Pick<TextStyle, "sizePx" | "weight">, widthMaxPx: number): string[] {
  let last = charactersOf(lines.at(-1) ?? "");
  while (last.length > 0 && widthPx(`${last.join("").trimEnd()}…`, style) > widthMaxPx) last = last.slice(0, -1);
  return [...lines.slice(0, -1), `${last.join("").trimEnd()}…`];
}

/** A line of text as SVG; `x` is where it starts, `y` the top of its capitals. */
export function lineSvg(text: string, place: { x: number; y: number }, style: TextStyle): string {
  const scale = style.sizePx / capHeight;
  const pen = penOf[style.weight];
  let x = pen / 2;
  let path = "";
  for (const character of charactersOf(text)) {
    const glyph = glyphOf(character);
    if (!glyph) continue;
    if (glyph.path !== "") path += `<path transform="translate(${x.toFixed(2)} 0)" d="${glyph.path}"/>`;
    x += glyph.width + gapOf(style.weight);
  }
  return (
    `<g transform="translate(${place.x.toFixed(2)} ${place.y.toFixed(2)}) scale(${scale.toFixed(4)})" fill="none" ` +
    `stroke="${style.colour}" stroke-width="${pen}" stroke-linecap="round" stroke-linejoin="round">${path}</g>`
  );
}

export type Align = "left" | "middle";

/** Lines below each other in a column that starts at `x` and is `widthPx` wide. */
export function linesSvg(
  lines: readonly string[],
  column: { x: number; y: number; widthPx: number; align: Align },
  style: TextStyle,
): string {
  return lines
    .map((line, index) => {
      const indent = column.align === "left" ? 0 : (column.widthPx - widthPx(line, style)) / 2;
      return lineSvg(line, { x: column.x + indent, y: column.y + index * linePx(style.sizePx) }, style);
    })
    .join("");
}
