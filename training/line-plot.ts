/** A named line through its points in order; `dots` marks each point as well. */
export type PlotLine = { name: string; points: readonly (readonly [x: number, y: number])[]; dots?: boolean };

export type Plot = {
  title: string;
  xLabel: string;
  yLabel: string;
  x: readonly [from: number, to: number];
  y: readonly [from: number, to: number];
  /** Tick marks of the x axis with their labels; absent: five evenly spaced ones. */
  xMarks?: readonly (readonly [at: number, text: string])[];
  lines: readonly PlotLine[];
  /** Draws the diagonal from corner to corner: chance, or perfect calibration. */
  diagonal?: boolean;
};

const panel = { width: 420, height: 300, left: 52, right: 14, top: 34, bottom: 46 } as const;
/** They differ in lightness too, so that a greyscale print stays readable. */
const colours = ["#1b4f8a", "#c2571a", "#3f8f5f", "#8b5fb0"] as const;

/** Draws the plots as one SVG in two columns. */
export function drawPlots(plots: readonly Plot[]): string {
  const columns = Math.min(2, plots.length);
  const rows = Math.ceil(plots.length / columns);
  const [width, height] = [columns * panel.width, rows * panel.height];
  const panels = plots.map((plot, index) => {
    const [x, y] = [(index % columns) * panel.width, Math.floor(index / columns) * panel.height];
    return `<g transform="translate(${x} ${y})">\n${drawPlot(plot)}\n</g>`;
  });
  const titles = plots.map(({ title }) => title).join("; ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    '  role="img" font-family="system-ui, sans-serif" font-size="11" fill="#222">',
    `<title>${escapeText(titles)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    "</svg>",
    "",
  ].join("\n");
}

function drawPlot(plot: Plot): string {
  const toX = (x: number) => toPixels(x, plot.x, panel.left, panel.width - panel.right);
  const toY = (y: number) => toPixels(y, plot.y, panel.height - panel.bottom, panel.top);
  const [bottom, right] = [panel.height - panel.bottom, panel.width - panel.right];
  const parts = [`<text x="${panel.left}" y="18" font-size="13" font-weight="600">${escapeText(plot.title)}</text>`];
  for (const [at, text] of plot.xMarks ?? evenMarks(plot.x)) {
    parts.push(`<path d="M${toX(at)} ${bottom}V${panel.top}" stroke="#eee"/>`);
    parts.push(`<text x="${toX(at)}" y="${bottom + 14}" text-anchor="middle">${escapeText(text)}</text>`);
  }
  for (const [at, text] of evenMarks(plot.y)) {
    parts.push(`<path d="M${panel.left} ${toY(at)}H${right}" stroke="#eee"/>`);
    parts.push(`<text x="${panel.left - 6}" y="${toY(at)}" dy="4" text-anchor="end">${text}</text>`);
  }
  if (plot.diagonal === true) {
    parts.push(`<path d="M${panel.left} ${bottom}L${right} ${panel.top}" stroke="#999" stroke-dasharray="4 4"/>`);
  }
  for (const [index, line] of plot.lines.entries()) parts.push(drawLine(line, index, toX, toY));
  parts.push(...drawLegend(plot, right, bottom));
  const [centre, middle] = [(panel.left + right) / 2, (panel.top + bottom) / 2];
  parts.push(
    `<text x="${centre}" y="${panel.height - 12}" text-anchor="middle">${escapeText(plot.xLabel)}</text>`,
  );
  parts.push(
    `<text transform="translate(14 ${middle}) rotate(-90)" text-anchor="middle">${escapeText(plot.yLabel)}</text>`,
  );
  return parts.join("\n");
}

type ToPixels = (value: number) => string;

function drawLine(line: PlotLine, index: number, toX: ToPixels, toY: ToPixels): string {
  const colour = colours[index % colours.length] as string;
  const path = line.points.map(([x, y], step) => `${step === 0 ? "M" : "L"}${toX(x)} ${toY(y)}`).join("");
  const dotted = line.dots === true ? line.points : [];
  const dots = dotted.map(([x, y]) => `<circle cx="${toX(x)}" cy="${toY(y)}" r="2.5" fill="${colour}"/>`);
  return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`, ...dots].join("\n");
}

/** Below the diagonal if there is one, where such plots are empty; otherwise at the top left. */
function drawLegend({ lines, diagonal }: Plot, right: number, bottom: number): string[] {
  const named = lines.filter(({ name }) => name !== "");
  return named.map(({ name }, index) => {
    const attributes =
      diagonal === true
        ? `x="${right - 8}" y="${bottom - 8 - 15 * (named.length - 1 - index)}" text-anchor="end"`
        : `x="${panel.left + 8}" y="${panel.top + 12 + 15 * index}"`;
    return `<text ${attributes} fill="${colours[index % colours.length]}">${escapeText(name)}</text>`;
  });
}

function toPixels(value: number, [from, to]: readonly [number, number], start: number, end: number): string {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return String(Number((start + share * (end - start)).toFixed(1)));
}

function evenMarks([from, to]: readonly [number, number]): [number, string][] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = from + share * (to - from);
    return [at, String(Number(at.toFixed(2)))];
  });
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
