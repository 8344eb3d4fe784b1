/** `near_duplicates` → Near duplicates. */
export const wordsOf = (code: string): string => (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll("_", " ");
