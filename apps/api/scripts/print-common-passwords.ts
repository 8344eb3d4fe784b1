// Writes src/people/common-passwords.txt from the list that zxcvbn-ts publishes:
//   node apps/api/scripts/print-common-passwords.ts
import { dictionary } from "@zxcvbn-ts/language-common";
import { writeFileSync } from "node:fs";
import { passwordBounds } from "@assay/contract/dashboard/account.ts";

const wordLengthMin = 4;

/** What a lookup can find: a whole password, or a word without the digits and signs around it (see check-password.ts). */
const canBeFound = (entry: string): boolean => entry.length >= passwordBounds.lengthMin || (entry.length >= wordLengthMin && /^\p{L}.*\p{L}$/u.test(entry));

/** One per line, with a line break before the first and after the last. A text takes a twentieth of the memory of a set. */
export const printCommonPasswords = (): string => `\n${dictionary["passwords-common"].filter(canBeFound).toSorted().join("\n")}\n`;

if (import.meta.main) writeFileSync(new URL("../src/people/common-passwords.txt", import.meta.url), printCommonPasswords());
