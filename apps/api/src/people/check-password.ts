import { passwordBounds } from "@assay/contract/dashboard/account.ts";
import { commonPasswords, commonStems } from "./common-passwords.ts";

export type PasswordVerdict = "fine" | "too_short" | "too_long" | "common" | "repetitive" | "sequence" | "from_address";

/** What the person is told; every text says what would be better. */
export const passwordAdvice: Record<Exclude<PasswordVerdict, "fine">, string> = {
  too_short: `The password is too short: use ${passwordBounds.lengthMin} characters or more.`,
  too_long: `The password is too long: use ${passwordBounds.lengthMax} characters or fewer.`,
  common: "This password is among the first that anybody would try. A few unrelated words make a better one.",
  repetitive: "This password repeats itself. A few unrelated words make a better one.",
  sequence: "This password is a row of neighbouring keys or characters. A few unrelated words make a better one.",
  from_address: "This password is made of your address. A few unrelated words make a better one.",
};

const rows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik"];
const rowTexts = rows.flatMap((row) => [row, Array.from(row).toReversed().join("")]);

/** Every three neighbours: a quick no for most texts. */
const rowPieces = new Set(rowTexts.flatMap((row) => Array.from({ length: row.length - 2 }, (_, at) => row.slice(at, at + 3))));

const lookAlikes: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", $: "s", "!": "i", "€": "e" };

const unmask = (text: string): string => text.replaceAll(/[0134578@$!€]/g, (character) => lookAlikes[character] ?? character);

/** Words with a year, a number or a few signs around them: what people add when they are asked for more. */
const stripTrimmings = (text: string): string => text.replace(/^[\d\W_]{0,6}/u, "").replace(/[\d\W_]{0,8}$/u, "");

/** A short piece over and over again, or hardly any different characters. */
const isRepetitive = (text: string): boolean => /^(.{1,5}?)\1+.{0,4}$/su.test(text) || new Set(text).size < 5;

const pieceLengthMin = 3;

/** How many characters from here on lie on one row; less than three say nothing. */
function rowLengthAt(text: string, at: number): number {
  if (!rowPieces.has(text.slice(at, at + pieceLengthMin))) return 0;
  let length = pieceLengthMin;
  while (at + length < text.length && rowTexts.some((row) => row.includes(text.slice(at, at + length + 1)))) length += 1;
  return length;
}

/** Whether most of the text lies in pieces of alphabets and keyboard rows. */
function isSequence(text: string): boolean {
  let covered = 0;
  for (let at = 0; at < text.length; ) {
    const length = rowLengthAt(text, at);
    covered += length;
    at += Math.max(1, length);
  }
  return covered >= 0.8 * text.length;
}

const isCommon = (text: string): boolean =>
  [text, unmask(text), stripTrimmings(text), stripTrimmings(unmask(text)), unmask(stripTrimmings(text))].some(
    (form) => commonPasswords.has(form) || commonStems.has(form),
  );

/** The part before the @, or the name of its host, with hardly anything added. */
function isFromAddress(text: string, email: string): boolean {
  const [local = "", host = ""] = email.toLowerCase().split("@");
  return [email.toLowerCase(), local, host.split(".")[0] ?? ""].some(
    (part) => part.length >= 4 && text.includes(part) && text.length - part.length <= 6,
  );
}

/** Judges a password that somebody wants to have. The length is that of its NFKC form, which is what is hashed. */
export function judgePassword(password: string, email: string): PasswordVerdict {
  const whole = password.normalize("NFKC");
  const length = Array.from(whole).length;
  if (length < passwordBounds.lengthMin) return "too_short";
  if (length > passwordBounds.lengthMax) return "too_long";
  const text = whole.toLowerCase();
  if (isRepetitive(text)) return "repetitive";
  if (isSequence(text)) return "sequence";
  if (isFromAddress(text, email)) return "from_address";
  return isCommon(text) ? "common" : "fine";
}
