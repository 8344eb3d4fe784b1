/**
 * Letters drawn as strokes, made for this project: a machine without any font installed shows the same text.
 * Capitals reach from y 0 to 14, small letters from y 4, the baseline is y 14. A glyph is its width and the
 * path of its pen; strokes have round ends, so a dot is a stroke of no length.
 */
export type Glyph = { width: number; path: string };

export const capHeight = 14;
/** Between letters, besides the pen's own width. */
export const letterGap = 1.6;
export const wordGap = 5.4;

const bowl = "M0 9A5 5 0 1 1 10 9A5 5 0 1 1 0 9";
const glyphs: Record<string, [number, string]> = {
  a: [10, `${bowl}M10 4V14`],
  b: [10, `${bowl}M0 0V14`],
  c: [8.8, "M8.7 5.6A5 5 0 1 0 8.7 12.4"],
  d: [10, `${bowl}M10 0V14`],
  e: [10, "M.1 9H10A5 5 0 1 0 8.6 12.5"],
  f: [6, "M6 .2C3.6 -.3 2.4 1 2.4 3.4V14M0 4.8H5.6"],
  g: [10, `${bowl}M10 4V13.6C10 16.6 8.2 18 5.2 18C3.3 18 1.8 17.4 .9 16.2`],
  h: [9, "M0 0V14M0 8.5A4.5 4.5 0 0 1 9 8.5V14"],
  i: [0, "M0 4.4V14M0 .3V.31"],
  j: [1.6, "M1.6 4.4V15.4C1.6 17.2 .6 18 -1 17.9M1.6 .3V.31"],
  k: [8, "M0 0V14M7.4 4.4L0 10.2M3 8L8 14"],
  l: [0, "M0 0V14"],
  m: [15, "M0 4.2V14M0 7.9A3.75 3.75 0 0 1 7.5 7.9V14M7.5 7.9A3.75 3.75 0 0 1 15 7.9V14"],
  n: [9, "M0 4.2V14M0 8.5A4.5 4.5 0 0 1 9 8.5V14"],
  o: [10, bowl],
  p: [10, `${bowl}M0 4.2V18`],
  q: [10, `${bowl}M10 4.2V18`],
  r: [5.2, "M0 4.2V14M0 8.6C.2 5.6 2.2 3.9 5.2 4.2"],
  s: [7.4, "M6.9 5.7C6.2 4.6 5 4 3.7 4C1.9 4 .6 5 .6 6.4C.6 9.9 7.4 8 7.4 11.4C7.4 13 5.8 14 3.8 14C2.1 14 .8 13.3 0 12"],
  t: [6, "M2.4 1V10.6C2.4 13.2 3.6 14.4 6 13.8M0 4.8H5.6"],
  u: [9, "M0 4.2V9.5A4.5 4.5 0 0 0 9 9.5M9 4.2V14"],
  v: [9, "M0 4.2L4.5 14L9 4.2"],
  w: [14, "M0 4.2L3.6 14L7 4.8L10.4 14L14 4.2"],
  x: [8.4, "M0 4.2L8.4 14M8.4 4.2L0 14"],
  y: [9, "M0 4.2L4.6 13.6M9 4.2L3 18"],
  z: [8, "M0 4.2H7.8L0 14H8"],
  A: [11.6, "M0 14L5.8 0L11.6 14M2.1 9.2H9.5"],
  B: [9, "M0 0V14H5.2A3.8 3.8 0 0 0 5.2 6.4H0M0 0H4.6A3.2 3.2 0 0 1 4.6 6.4"],
  C: [12.4, "M12.4 2.7A7 7 0 1 0 12.4 11.3"],
  D: [11, "M0 0V14H4A7 7 0 0 0 4 0Z"],
  E: [8.4, "M8.4 0H0V14H8.4M0 6.8H7.4"],
  F: [8, "M8 0H0V14M0 6.9H7"],
  G: [13.4, "M12.3 2.7A7 7 0 1 0 13.6 7.4H8.2"],
  H: [10, "M0 0V14M10 0V14M0 6.8H10"],
  I: [0, "M0 0V14"],
  J: [6.4, "M6.4 0V9.8C6.4 12.6 5 14 3 14C1.6 14 .6 13.4 0 12.2"],
  K: [9.6, "M0 0V14M9.2 0L0 8.8M3.3 5.8L9.6 14"],
  L: [7.8, "M0 0V14H7.8"],
  M: [13, "M0 14V0L6.5 9.6L13 0V14"],
  N: [10.4, "M0 14V0L10.4 14V0"],
  O: [14, "M0 7A7 7 0 1 1 14 7A7 7 0 1 1 0 7"],
  P: [9, "M0 14V0H4.8A4.1 4.1 0 0 1 4.8 8.2H0"],
  Q: [14, "M0 7A7 7 0 1 1 14 7A7 7 0 1 1 0 7M9 9.4L13.6 14.2"],
  R: [9.4, "M0 14V0H4.8A4.1 4.1 0 0 1 4.8 8.2H0M4.4 8.2L9.4 14"],
  S: [9.6, "M8.9 2.3C8 .8 6.6 0 4.8 0C2.5 0 .8 1.4 .8 3.5C.8 8.3 9.6 5.6 9.6 10.4C9.6 12.6 7.6 14 5 14C2.8 14 1 13 0 11.3"],
  T: [10.4, "M0 0H10.4M5.2 0V14"],
  U: [10, "M0 0V9A5 5 0 0 0 10 9V0"],
  V: [11.2, "M0 0L5.6 14L11.2 0"],
  W: [16.8, "M0 0L4.2 14L8.4 .6L12.6 14L16.8 0"],
  X: [10, "M0 0L10 14M10 0L0 14"],
  Y: [10.4, "M0 0L5.2 7.4L10.4 0M5.2 7.4V14"],
  Z: [9.8, "M0 0H9.6L0 14H9.8"],
  "0": [9, "M0 7C0 2.4 1.6 0 4.5 0S9 2.4 9 7S7.4 14 4.5 14S0 11.6 0 7"],
  "1": [4, "M0 2.8L4 0V14"],
  "2": [8.6, "M.3 3.8C.5 1.5 2.1 0 4.3 0C6.6 0 8.2 1.5 8.2 3.7C8.2 6.6 5.8 8.2 0 14H8.6"],
  "3": [8.6, "M.5 2.2C1.2 .8 2.5 0 4.2 0C6.4 0 7.9 1.3 7.9 3.2C7.9 5.2 6.4 6.5 4 6.5H3.2M4 6.5C6.8 6.5 8.6 8 8.6 10.2C8.6 12.5 6.8 14 4.2 14C2.3 14 .8 13.1 0 11.5"],
  "4": [9.6, "M7 14V0L0 9.9H9.6"],
  "5": [8.6, "M7.8 0H1.3L.6 6.8C1.6 5.9 2.8 5.4 4.2 5.4C6.8 5.4 8.6 7.1 8.6 9.6C8.6 12.3 6.7 14 4.1 14C2.3 14 .8 13.2 0 11.8"],
  "6": [9, "M6.6 0L1 7M0 9.5A4.5 4.5 0 1 1 9 9.5A4.5 4.5 0 1 1 0 9.5"],
  "7": [8.8, "M0 0H8.8L3 14"],
  "8": [9, "M1.2 3.3A3.3 3.3 0 1 1 7.8 3.3A3.3 3.3 0 1 1 1.2 3.3M.3 10.3A4.2 3.7 0 1 1 8.7 10.3A4.2 3.7 0 1 1 .3 10.3"],
  "9": [9, "M2.4 14L8 7M0 4.5A4.5 4.5 0 1 1 9 4.5A4.5 4.5 0 1 1 0 4.5"],
  ".": [0, "M0 13.9V14"],
  ",": [1, "M1 13.4L0 16.4"],
  ":": [0, "M0 6.4V6.5M0 13.4V13.5"],
  ";": [1, "M1 6.4V6.5M1 13.4L0 16.4"],
  "!": [0, "M0 0V9.4M0 13.9V14"],
  "?": [7.6, "M0 3.2C.3 1.2 1.8 0 3.8 0C6 0 7.6 1.4 7.6 3.5C7.6 6 3.8 6.4 3.8 9.6M3.8 13.9V14"],
  "'": [0, "M0 0V3"],
  '"': [3.4, "M0 0V3M3.4 0V3"],
  "-": [5, "M0 8.6H5"],
  "–": [7.5, "M0 8.6H7.5"],
  "—": [12, "M0 8.6H12"],
  "_": [8, "M0 16H8"],
  "/": [6.4, "M6.4 -1L0 16"],
  "\\": [6.4, "M0 -1L6.4 16"],
  "|": [0, "M0 -1V17"],
  "(": [3.2, "M3.2 -1.2C1 1.4 0 4.2 0 7.4S1 13.4 3.2 16"],
  ")": [3.2, "M0 -1.2C2.2 1.4 3.2 4.2 3.2 7.4S2.2 13.4 0 16"],
  "[": [3, "M3 -1H0V16H3"],
  "]": [3, "M0 -1H3V16H0"],
  "{": [4, "M4 -1.2C1.4 -1.2 1.8 1 1.8 4C1.8 6.4 1.2 7.4 0 7.5C1.2 7.6 1.8 8.6 1.8 11C1.8 14 1.4 16.2 4 16.2"],
  "}": [4, "M0 -1.2C2.6 -1.2 2.2 1 2.2 4C2.2 6.4 2.8 7.4 4 7.5C2.8 7.6 2.2 8.6 2.2 11C2.2 14 2.6 16.2 0 16.2"],
  "<": [8, "M8 3.6L0 8.4L8 13.2"],
  ">": [8, "M0 3.6L8 8.4L0 13.2"],
  "+": [9, "M0 8.4H9M4.5 3.9V12.9"],
  "×": [7, "M0 4.9L7 11.9M7 4.9L0 11.9"],
  "=": [9, "M0 6.4H9M0 10.8H9"],
  "~": [8.6, "M0 9.4C1 7.6 2.6 7.2 4.3 8.4S7.6 9.2 8.6 7.4"],
  "^": [7, "M0 5L3.5 0L7 5"],
  "*": [6.4, "M3.2 0V6.4M.4 1.6L6 4.8M6 1.6L.4 4.8"],
  "#": [10, "M3.4 0L1.8 14M8.2 0L6.6 14M0 4.6H10M0 9.6H10"],
  "%": [13.4, "M11 0L2.4 14M0 3.2A2.9 3.1 0 1 1 5.8 3.2A2.9 3.1 0 1 1 0 3.2M7.6 10.8A2.9 3.1 0 1 1 13.4 10.8A2.9 3.1 0 1 1 7.6 10.8"],
  "&": [10.6, "M10.2 14L2.6 5.2C.4 2.4 1.8 0 4.4 0C6.8 0 8 2.4 6.4 4.4C5.4 5.6 0 7.4 0 10.6C0 12.8 1.8 14 4 14C7.4 14 9.6 11.4 10.4 7.6"],
  "@": [14, "M9.6 9.8A3 3.2 0 1 1 9.6 5.2M9.8 4V9C9.8 11 13.8 11 13.8 7A6.9 7 0 1 0 10.8 13"],
  "$": [9, "M8.3 3.2C7.6 1.9 6.3 1.3 4.6 1.3C2.4 1.3 .8 2.4 .8 4.2C.8 8.3 9 5.9 9 10C9 11.8 7.2 12.9 4.8 12.9C2.6 12.9 .9 12.1 0 10.6M4.6 -1V15.2"],
  "€": [10, "M10 2.2C9 .8 7.7 .2 6.2 .2C3.4 .2 1.6 2.8 1.6 7S3.4 13.8 6.2 13.8C7.7 13.8 9 13.2 10 11.8M0 5.4H7.4M0 8.6H6.8"],
  "£": [8.6, "M8 2.4C7.2 .8 6 .1 4.8 .1C1.4 .1 2 3.6 2.4 6.4C2.8 9.6 2.6 12 0 14H8.6M.2 7.4H6.4"],
  "•": [0, "M0 8.4V8.5"],
  "…": [9, "M0 13.9V14M4.5 13.9V14M9 13.9V14"],
  "→": [11, "M0 8.4H10.6M6.6 4.4L10.8 8.4L6.6 12.4"],
  "ß": [8.6, "M0 14V4C0 1.4 1.6 0 3.8 0C6 0 7.4 1.3 7.4 3.2C7.4 5.2 5.4 5.6 5.4 7.2C5.4 9 8.6 9 8.6 11.5C8.6 13.1 7.4 14 5.6 14C4.6 14 3.8 13.7 3.2 13.2"],
  "æ": [16, "M8 9A4 5 0 1 0 8 9.1M8 4.6V13.4M8 9H16A4 5 0 1 0 14.9 12.5"],
  "Æ": [15.4, "M0 14L6.6 0H15M7.6 0V14H15.4M7.6 6.8H14.4M2.2 9.4H7.6"],
  "ø": [10, `${bowl}M9.6 3.2L.4 14.8`],
  "Ø": [14, "M0 7A7 7 0 1 1 14 7A7 7 0 1 1 0 7M12.6 -.6L1.4 14.6"],
  "ł": [3, "M1.5 0V14M0 8.4L3 5.4"],
  "Ł": [8.6, "M.8 0V14H8.6M-.6 8.8L4.2 5.4"],
  "đ": [10.6, `${bowl}M10 0V14M6.8 2.2H11.6`],
  "ı": [0, "M0 4.4V14"],
};

/** What is written above or below a letter, around x 0 and, for small letters, above y 4. */
const marks: Record<string, string> = {
  "\u0300": "M-1.8 -1.2L.8 1.4",
  "\u0301": "M1.8 -1.2L-.8 1.4",
  "\u0302": "M-2.4 1.2L0 -1.2L2.4 1.2",
  "\u0303": "M-2.6 .8C-1.6 -1 -.6 -.4 0 0S1.6 1 2.6 -.8",
  "\u0304": "M-2.4 0H2.4",
  "\u0306": "M-2.4 -1C-1.6 1.4 1.6 1.4 2.4 -1",
  "\u0307": "M0 0V.01",
  "\u0308": "M-2.2 0V.01M2.2 0V.01",
  "\u030a": "M-1.5 -.2A1.5 1.5 0 1 1 1.5 -.2A1.5 1.5 0 1 1 -1.5 -.2",
  "\u030b": "M-.4 -1.2L-2.2 1.2M2.4 -1.2L.6 1.2",
  "\u030c": "M-2.4 -1.2L0 1.2L2.4 -1.2",
};
const below: Record<string, string> = {
  "\u0327": "M.4 14C.2 15.2 1.6 15.4 1.4 16.6C1.2 17.8 -.2 17.8 -1 17.4",
  "\u0328": "M.8 14C-.8 15.4 -1 17.6 1.4 17.6",
  "\u0326": "M.4 16L-.6 18.4",
};

/** Characters that are written like another. */
const alike: Record<string, string> = {
  "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
  "‐": "-", "‑": "-", "−": "–", "·": "•", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "Đ": "D",
};

const capitalMarkTop = -3.2;
const smallMarkTop = 0.4;

function composed(character: string): Glyph | undefined {
  const [base = "", ...added] = Array.from(character.normalize("NFD"));
  const plain = added.length > 0 && base === "i" ? "ı" : base;
  const glyph = glyphs[alike[plain] ?? plain];
  if (!glyph) return undefined;
  const [width, path] = glyph;
  const isTall = base === base.toUpperCase() || "bdfhklt".includes(base);
  const parts = added.map((mark) => {
    const above = marks[mark];
    if (above !== undefined) return shifted(above, width / 2, isTall ? capitalMarkTop : smallMarkTop);
    const under = below[mark];
    return under === undefined ? undefined : shifted(under, width / 2, 0);
  });
  if (parts.includes(undefined)) return undefined;
  return { width, path: [path, ...parts].join("") };
}

/** Moves a path of absolute commands. */
function shifted(path: string, dx: number, dy: number): string {
  return path.replaceAll(/([A-Z])([^A-Z]*)/g, (_whole, command: string, text: string) => {
    const numbers = text.trim().split(/[ ,]+/).filter((each) => each !== "").map(Number);
    const moved = numbers.map((value, index) => {
      if (command === "H") return value + dx;
      if (command === "V") return value + dy;
      if (command === "A") return index % 7 === 5 ? value + dx : index % 7 === 6 ? value + dy : value;
      return value + (index % 2 === 0 ? dx : dy);
    });
    return command + moved.map((value) => Number(value.toFixed(2))).join(" ");
  });
}

const known = new Map<string, Glyph | undefined>();

/** Undefined: this character cannot be written. A space has no path. */
export function glyphOf(character: string): Glyph | undefined {
  if (!known.has(character) && known.size < 2_000) {
    const plain = alike[character] ?? character;
    known.set(character, plain === " " ? { width: wordGap - letterGap, path: "" } : composed(plain));
  }
  return known.get(character);
}

export const canWrite = (text: string): boolean => Array.from(text.normalize("NFC")).every((character) => glyphOf(character) !== undefined);
