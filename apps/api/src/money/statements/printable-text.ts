/** Letters that come apart into nothing simpler, as people write them where their keyboard has none. */
const replacements: Readonly<Record<string, string>> = {
  ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", İ: "I", ħ: "h", Ħ: "H", ŧ: "t", Ŧ: "T", "‐": "-", "‑": "-", "−": "-", "\u00a0": " ", "\u202f": " ",
};

/** What the fonts that every PDF reader has can show beyond Latin-1: Windows-1252. */
const beyondLatin1 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

const isPrintable = (character: string) => /[\n\u0020-\u007e\u00a1-\u00ff]/.test(character) || beyondLatin1.includes(character);

/**
 * The text in characters that the PDF's fonts have: accents are dropped and a few letters replaced where
 * there is no other way, and what is left over becomes a question mark. CSV and JSON keep the text itself.
 */
export function printableText(text: string): string {
  const printed = Array.from(text.normalize("NFC"), (character) => {
    if (isPrintable(character)) return character;
    const replacement = replacements[character];
    if (replacement !== undefined) return replacement;
    const base = Array.from(character.normalize("NFD"))[0]!;
    return isPrintable(base) ? base : "?";
  });
  return printed.join("");
}
