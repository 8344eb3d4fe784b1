/** A text that was cut out of a longer one keeps the longer one in memory, such as the header that it was in. A copy does not. */
export const copyText = (text: string): string => Buffer.from(text).toString();
