import { passwordBounds } from "@assay/contract/dashboard/account.ts";
import { isCommonPassword } from "./common-passwords.ts";

export type PasswordVerdict = "fine" | "too_short" | "too_long" | "common" | "repetitive" | "sequence" | "from_address";

export const passwordAdvice: Record<Exclude<PasswordVerdict, "fine">, string> = {
  too_short: `The password is too short: use ${passwordBounds.lengthMin} characters or more.`,
  too_long: `The password is too long: use ${passwordBounds.lengthMax} characters or fewer.`,
  common: "This is a common password that attackers try first. Use a few unrelated words instead.",
  repetitive: "This password repeats itself. Use a few unrelated words instead.",
  sequence: "This password is a sequence of neighbouring keys or characters. Use a few unrelated words instead.",
  from_address: "This password is derived from your address. Use a few unrelated words instead.",
};

const rows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik"];
const rowTexts = rows.flatMap((row) => [row, Array.from(row).toReversed().join("")]);

const lookAlikes: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", $: "s", "!": "i", "€": "e" };

const unmask = (text: string): string => text.replaceAll(/[0134578@$!€]/g, (character) => lookAlikes[character] ?? character);

/** Strips the year, number or signs that people add around a word to make it long enough. */
const stripTrimmings = (text: string): string => text.replace(/^[\d\W_]{0,6}/u, "").replace(/[\d\W_]{0,8}$/u, "");

/** A short piece repeated, or fewer than five different characters. */
const isRepetitive = (text: string): boolean => /^(.{1,5}?)\1+.{0,4}$/su.test(text) || new Set(text).size < 5;

const pieceLengthMin = 3;

/** The number of characters from `at` that lie on one row; 0 for fewer than three. */
function rowLengthAt(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && rowTexts.some((row) => row.includes(text.slice(at, at + length + 1)))) length += 1;
  return length < pieceLengthMin ? 0 : length;
}

/** Whether at least 80 % of the text lies in pieces of alphabets and keyboard rows. */
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
  [text, unmask(text), stripTrimmings(text), stripTrimmings(unmask(text)), unmask(stripTrimmings(text))].some(isCommonPassword);

/** The address, its local part or its host name, with at most six characters added. */
function isFromAddress(text: string, email: string): boolean {
  const [local = "", host = ""] = email.toLowerCase().split("@");
  return [email.toLowerCase(), local, host.split(".")[0] ?? ""].some(
    (part) => part.length >= 4 && text.includes(part) && text.length - part.length <= 6,
  );
}

/** The length is that of the NFKC form, which is what is hashed. */
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
