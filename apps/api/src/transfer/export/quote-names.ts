/** Column names as both databases take them, also those that are words of SQL. */
export const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
